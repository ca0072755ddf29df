import { types } from 'node:util';

/**
 * Returns true for an error. `instanceof Error` is false for Node's errors in Jest and in the vm pools of vitest, which
 * run tests in a separate context, where `Error` is another class.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value) || value instanceof DOMException;
}

/** The message of an error; any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Code of a system error, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Reason for an error about a file that does not exist. */
export const noSuchFile = 'no such file; check the path';

/** Says why a file could not be read, for a message that names it: `no such file; check the path`. */
export function unreadableReason(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return noSuchFile;
    case 'EISDIR':
      return 'it is a folder; give the path of a file';
    case 'EACCES':
      return 'this user may not read it; change its permissions';
    default:
      return errorMessage(error);
  }
}
