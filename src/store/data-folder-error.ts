import { UserError } from '../lib/user-error.js';

/** Thrown for an unusable data folder. The message says why and what to do. */
export class DataFolderError extends UserError {
  override readonly name = 'DataFolderError';
}
