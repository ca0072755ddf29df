/** Base of the errors that a user can do something about. The message says in one line what is wrong and what to do. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}
