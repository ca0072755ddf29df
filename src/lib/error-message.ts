import { isError } from './is-error.js';

/** The message of an error; any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
