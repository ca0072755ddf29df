/** The suite cannot run: the target cannot be reached, or what it was told is wrong. The message says what to do. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
