import { ServiceError } from '../domain/service-error.js';
import type { OperationId } from '../generated/control-document.js';
import type { BodyOf } from '../http/control/operations.js';
import { validated } from '../http/service/validation.js';
import { errorMessage } from '../lib/errors.js';
import { parseJson } from '../lib/json.js';
import { shortenToLine } from '../lib/messages.js';
import { UserError } from '../lib/user-error.js';
import { inputError } from './library-error.js';

/**
 * Validates the input of a call as the control API validates the body of the operation, since plain JavaScript can pass
 * anything, and an invalid row could not be read at the next start.
 * @returns a copy with defaults
 * @throws ServiceError invalid, with the violations in its message
 */
export async function validInput<Id extends OperationId>(operation: Id, input: object): Promise<BodyOf<Id>> {
  // Loaded on first use: a start does not need the operations.
  const { validatorsOf } = await import('../http/control/operations.js');
  try {
    return validated(validatorsOf(operation).validateBody, toJson(input));
  } catch (error) {
    throw error instanceof ServiceError ? inputError(error.violations) : error;
  }
}

/** Copies an input as a client would send it: without fields that are undefined. @throws UserError */
export function toJson(input: object): unknown {
  try {
    // For a function, `JSON.stringify` returns undefined.
    return parseJson(JSON.stringify(input) ?? 'null');
  } catch (error) {
    throw new UserError(`the input cannot be written as JSON: ${shortenToLine(errorMessage(error), 100)}`);
  }
}
