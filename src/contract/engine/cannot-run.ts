import { UserError } from '../../lib/user-error.js';

/**
 * The suite cannot run, for example because the target cannot be reached or an option is wrong. The message says what
 * to do.
 */
export class CannotRun extends UserError {
  override readonly name = 'CannotRun';
}
