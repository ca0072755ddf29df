import { invalid, type ServiceError } from '../domain/service-error.js';
import { FileError } from '../files/data-file.js';
import { parseSeed, SeedError } from '../files/seed-file.js';
import type { PayloadParsers } from '../http/control/payload-parsers.js';

/** Parsers for request payloads, which share the rules and error messages of the file formats. */
export const payloadParsers: PayloadParsers = {
  seed(value, choices) {
    try {
      return parseSeed(value, choices, 'seed');
    } catch (error) {
      if (error instanceof SeedError) throw invalid('seed', 'custom', { message: error.message });
      throw error;
    }
  },

  async scenario(value, account) {
    // Loaded on first use: a start without scenario files does not need it.
    const { compileScenario, ScenarioError } = await import('../files/scenario-files.js');
    try {
      return compileScenario(value, account);
    } catch (error) {
      throw error instanceof ScenarioError ? toValidationError(error) : error;
    }
  },

  async scenarioText(text, account) {
    const { parseScenario } = await import('../files/scenario-files.js');
    try {
      return await parseScenario(text, '', account);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // The message begins with `PATH:LINE:`, and the path is empty here.
      throw invalid('text', 'custom', { message: error.message.replace(/^:(\d+):/, 'Line $1:') });
    }
  },

  async fault(value, account) {
    // Loaded on first use: most simulators never get a fault.
    const { FaultError, readFault } = await import('../faults/rule.js');
    try {
      return readFault(value, account);
    } catch (error) {
      throw error instanceof FaultError ? toValidationError(error) : error;
    }
  },

  async snapshot(value) {
    // Loaded on first use: most simulators never import a snapshot.
    const { readSnapshotFile, SnapshotFileError } = await import('../store/snapshot-file.js');
    try {
      return await readSnapshotFile(value);
    } catch (error) {
      if (error instanceof SnapshotFileError) throw invalid('file', 'custom', { message: error.message });
      throw error;
    }
  },
};

/** Turns an error about a part of the payload, found at `path`, into a validation error of that field. */
function toValidationError({
  path,
  message,
}: {
  readonly path: readonly string[];
  readonly message: string;
}): ServiceError {
  return invalid(path.join('.') || 'body', 'custom', { message });
}
