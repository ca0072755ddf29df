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
