import { isError } from './is-error.js';

/** Code of a system error, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
