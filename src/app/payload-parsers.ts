import { invalid, type ServiceError } from '../domain/service-error.js';
import { FileError, seedOf } from '../files/seed-file.js';
import type { PayloadParsers } from '../http/control/payload-parsers.js';

/** Parses payloads of requests as files are parsed, with the same error messages. */
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
    // Loaded when first needed, since a start that reads no file does without.
    const { compileScenario, ScenarioError } = await import('../files/scenario-files.js');
    try {
      return compileScenario(value);
    } catch (error) {
      throw error instanceof ScenarioError ? refused(error) : error;
    }
  },

  async fault(value) {
    // Loaded when first needed: most simulators never see a fault.
    const { FaultError, readFault } = await import('../faults/rule.js');
    try {
      return readFault(value);
    } catch (error) {
      throw error instanceof FaultError ? refused(error) : error;
    }
  },
};

/** The refusal over what is wrong at a place of the value. */
function refused({ path, message }: { readonly path: readonly string[]; readonly message: string }): ServiceError {
  return invalid(path.join('.') || 'body', 'said', { message });
}
