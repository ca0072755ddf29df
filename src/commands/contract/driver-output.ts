import { captureConsole } from '../../contract/engine/capture-console.js';
import { type FileDriverOptions, secretsOf } from '../../contract/engine/open-session.js';
import { redactorFor } from '../../contract/report/redact.js';
import { printable } from '../support/output.js';
import type { ProgressDisplay } from './contract-progress.js';

/**
 * Runs a suite with drivers. Sends what drivers print to stderr instead of stdout, with secrets redacted, since only the
 * result of a command goes to stdout. Stops the progress display at the end.
 */
export async function runWithDrivers<Result>(
  targets: readonly FileDriverOptions[],
  progress: ProgressDisplay,
  run: () => Promise<Result>,
): Promise<Result> {
  const redact = redactorFor(targets.flatMap(secretsOf));
  const restoreConsole = captureConsole((text) => process.stderr.write(printable(redact(text))));
  try {
    return await run();
  } finally {
    restoreConsole();
    progress.stop();
  }
}
