import { captureConsole } from '../../contract/engine/capture-console.js';
import { type FileDriverOptions, secretsOf } from '../../contract/engine/open-session.js';
import { redactorFor } from '../../contract/report/redact.js';
import { printable } from '../support/output.js';

/**
 * Sends what drivers print to stderr instead of stdout, with secrets redacted. Only the result of a command goes to
 * stdout.
 * @returns a function that restores the console and stdout
 */
export function redirectDriverOutput(targets: readonly FileDriverOptions[]): () => void {
  const redact = redactorFor(targets.flatMap(secretsOf));
  return captureConsole((text) => process.stderr.write(printable(redact(text))));
}
