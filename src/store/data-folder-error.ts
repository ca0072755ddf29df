/** A data folder cannot be used. The message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
