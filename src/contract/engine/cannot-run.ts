import { UserError } from '../../lib/user-error.js';

/**
 * The suite cannot run, for example because the target cannot be reached or an option is wrong. The message says what
 * to do.
 */
export class CannotRun extends UserError {
  override readonly name = 'CannotRun';
  /** The message without `cliEnding`, for runs that are started elsewhere. */
  readonly problem: string;

  /** @param options.cliEnding end of the message for users of the command line: advice about options and commands */
  constructor(problem: string, { cliEnding = '' }: { readonly cliEnding?: string } = {}) {
    super(problem + cliEnding);
    this.problem = problem;
  }
}
