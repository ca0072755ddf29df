import { UserError } from '../../lib/user-error.js';

/**
 * The suite cannot run, for example because the target cannot be reached or an option is wrong. The message says what
 * to do.
 */
export class CannotRun extends UserError {
  override readonly name = 'CannotRun';
  /** The message without `cliHint`, for runs that are not started from the command line. */
  readonly problem: string;

  /** @param options.cliHint advice about options and commands, appended to the message for users of the command line */
  constructor(problem: string, { cliHint = '' }: { readonly cliHint?: string } = {}) {
    super(problem + cliHint);
    this.problem = problem;
  }
}
