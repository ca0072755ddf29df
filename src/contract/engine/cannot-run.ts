import { UserError } from '../../lib/user-error.js';

/**
 * The suite cannot run, for example because the target cannot be reached or an option is wrong. The message says what
 * to do.
 */
export class CannotRun extends UserError {
  override readonly name = 'CannotRun';
  /** The message without the advice about the command line, for runs that are started elsewhere. */
  readonly problem: string;

  /** @param advice the end of the message for users of the command line */
  constructor(problem: string, advice = '') {
    super(problem + advice);
    this.problem = problem;
  }
}
