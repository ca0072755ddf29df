/** What a person has to be told in one line, with what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
