import { UserError } from '../lib/user-error.js';
/** A data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends UserError {
  override readonly name = 'DataFolderError';
}
