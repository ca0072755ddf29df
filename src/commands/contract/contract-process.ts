import { DriverError } from '../../contract/drivers/driver.js';
import { errorMessage } from '../../lib/errors.js';
import { exitEarly, isIntendedExit } from '../../lib/exit-process.js';
import { UserError } from '../../lib/user-error.js';
import { CommandError } from '../support/command-error.js';

/** Exit code of a run in which the suite itself failed. */
export const suiteFailedExitCode = 4;

/** Handler of uncaught errors. It ends the process with code 4, unless a run collects the errors for its report. */
export class UncaughtErrors {
  #collected: unknown[] | undefined;

  /** Collects errors from now on. @returns an array to which later errors are added */
  collect(): readonly unknown[] {
    this.#collected ??= [];
    return this.#collected;
  }

  add(error: unknown): void {
    if (this.#collected) return void this.#collected.push(error);
    reportSuiteFailure(error);
    exitEarly(suiteFailedExitCode);
  }
}

/**
 * Runs a command of the suite. Reports an error of the suite itself with exit code 4, and an exit in the middle of the
 * command with exit code 2.
 */
export async function runSuiteCommand(run: (uncaughtErrors: UncaughtErrors) => Promise<void>): Promise<void> {
  const uncaughtErrors = new UncaughtErrors();
  process.on('uncaughtException', (error) => uncaughtErrors.add(error));
  process.on('exit', reportEarlyExit);
  try {
    await run(uncaughtErrors);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof DriverError) throw new CommandError(error.message);
    reportSuiteFailure(error);
    process.exitCode = suiteFailedExitCode;
  } finally {
    process.off('exit', reportEarlyExit);
  }
}

/** Handler of an exit in the middle of a command. The exit code must not pass for the result of a complete run. */
function reportEarlyExit(): void {
  // The command itself has said why it exits.
  if (isIntendedExit()) return;
  process.exitCode = 2;
  process.stderr.write(
    'error: the process exited before the command had finished; a driver must not call process.exit()\n',
  );
}

function reportSuiteFailure(error: unknown): void {
  console.error(`error: the suite itself failed: ${errorMessage(error)}`);
}
