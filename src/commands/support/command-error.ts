/** Error for people: one line that says what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
