import { UserError } from '../../lib/user-error.js';
/** Error for people: one line that says what is wrong and what to do. */
export class CommandError extends UserError {
  override readonly name = 'CommandError';
}
