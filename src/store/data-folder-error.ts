/** A data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}
