import { errorCode, errorMessage } from './errors.js';
import { exitEarly } from './exit-process.js';

/**
 * Handles errors of stdout. A reader such as `head` may close the pipe early, which is not a failure and is ignored. If
 * stdout cannot be written for another reason, such as a full disk, the process ends with exit code 2: a command that
 * also listens to these errors ends by itself, since it may have to restore something.
 */
export function handleStdoutErrors(): void {
  let isReported = false;
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE' || isReported) return;
    isReported = true;
    process.exitCode = 2;
    console.error(`error: cannot write to standard output (${errorMessage(error)})`);
    if (process.stdout.listenerCount('error') === 1) exitEarly(2);
  });
}
