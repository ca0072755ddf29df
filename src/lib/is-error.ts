import { types } from 'node:util';

/**
 * Returns true for an error. `instanceof Error` is false for Node's errors in Jest and in the vm pools of vitest, which
 * run tests in a separate context, where `Error` is another class.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value) || value instanceof DOMException;
}
