import { errorCode } from './error-code.js';
import { errorMessage } from './error-message.js';
import { exitEarly } from './exit-early.js';

/**
 * Handles errors of stdout. A reader such as `head` may close the pipe early, which is not a failure and is ignored. If
 * stdout cannot be written for another reason, such as a full disk, ends the process with exit code 2.
 */
export function handleStdoutErrors(): void {
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') return;
    console.error(`error: cannot write to standard output (${errorMessage(error)})`);
    exitEarly(2);
  });
}
