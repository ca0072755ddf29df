import { UserError } from '../../lib/user-error.js';
/** The suite cannot run: the target cannot be reached, or its options are wrong. The message says what to do. */
export class CannotRun extends UserError {
  override readonly name = 'CannotRun';
}
