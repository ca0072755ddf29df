import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Ends the process with its exit code once all output is written, even if something is still open, such as a connection
 * of a driver.
 */
export async function exitWhenWritten(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(whenWritten));
  // The error of a failed write is reported in a later step of this turn.
  await nextTurn();
  process.exit();
}

async function whenWritten(stream: NodeJS.WriteStream): Promise<void> {
  // If nothing is pending, returns without the empty write, which a closed pipe would refuse.
  if (stream.writableLength === 0) return;
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}

let isIntended = false;

/** True once `exitEarly` was called. A listener of `exit` can thus recognize that other code has ended the process. */
export function isIntendedExit(): boolean {
  return isIntended;
}

/** Ends the process in the middle of a command that has said why. */
export function exitEarly(code: number): never {
  isIntended = true;
  process.exit(code);
}
