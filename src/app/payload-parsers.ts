import { invalid, type ServiceError } from '../domain/service-error.js';
import { FileError, seedOf } from '../files/seed-file.js';
import type { PayloadParsers } from '../http/control/payload-parsers.js';

/** Parsers for request payloads, which share the rules and error messages of the file formats. */
export const payloadParsers: PayloadParsers = {
  seed(value) {
    try {
      return seedOf(value, 'this');
    } catch (error) {
      if (error instanceof FileError) throw invalid('seed', 'said', { message: error.message });
      throw error;
    }
  },

  async scenario(value) {
    // Loaded on first use: a start without such files does without.
    const { compileScenario, ScenarioError } = await import('../files/scenario-files.js');
    try {
      return compileScenario(value);
    } catch (error) {
      throw error instanceof ScenarioError ? refused(error) : error;
    }
  },

  async fault(value) {
    // Loaded on first use: most simulators never get a fault.
    const { FaultError, readFault } = await import('../faults/rule.js');
    try {
      return readFault(value);
    } catch (error) {
      throw error instanceof FaultError ? refused(error) : error;
    }
  },
};

/** Turns a problem of a value into a validation error. */
function refused({ path, message }: { readonly path: readonly string[]; readonly message: string }): ServiceError {
  return invalid(path.join('.') || 'body', 'said', { message });
}
