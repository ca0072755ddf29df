import { errorCode } from './error-code.js';

/** Ignores that a reader such as `head` closes the pipe early, which is not a failure. */
export function tolerateClosedPipe(): void {
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') throw error;
  });
}
