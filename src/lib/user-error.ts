/** Base class of errors that users can fix. The message says in one line what is wrong and what to do. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}
