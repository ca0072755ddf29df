import { UserError } from '../../lib/user-error.js';

/**
 * Error codes in the output of `--json`. `usage`: the command line or an environment variable is invalid.
 * `unreachable`: no simulator responds. `rejected`: the simulator responded with an error. `failed`: any other error
 * that the user can fix, such as an invalid configuration file. Errors that are bugs have the code `internal`.
 */
export type CommandErrorCode = 'usage' | 'unreachable' | 'rejected' | 'failed';

/** Error with a one-line message that says what is wrong and what to do. */
export class CommandError extends UserError {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;

  constructor(message: string, code: CommandErrorCode = 'failed') {
    super(message);
    this.code = code;
  }
}
