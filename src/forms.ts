import { invalid } from './domain/refusal.js';
import { FileError, seedOf } from './fixtures.js';
import type { Forms } from './http/control/forms.js';

/** The forms of files for values that come in requests: what does not fit is refused, in the words that files are refused in. */
export const forms: Forms = {
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
    const { compileScenario, ScenarioError } = await import('./scenario-files.js');
    try {
      return compileScenario(value);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      throw invalid(error.path.join('.') || 'body', 'said', { message: error.message });
    }
  },
};
