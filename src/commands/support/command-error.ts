import { UserError } from '../../lib/user-error.js';

/** Kinds of errors, as `--json` names them. `usage`: the command line, a variable or a file is wrong. */
export type CommandErrorCode = 'usage' | 'unreachable' | 'rejected' | 'failed';

/** Error for people: one line that says what is wrong and what to do. */
export class CommandError extends UserError {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  readonly exitCode: number;

  constructor(message: string, code: CommandErrorCode = 'failed', exitCode = 2) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}
