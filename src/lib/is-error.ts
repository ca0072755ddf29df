import { types } from 'node:util';

/**
 * Returns true for an error. `instanceof Error` is false for errors of Node in test frameworks that run tests in a
 * context of their own, such as Jest and the vm pools of vitest, where `Error` is another class.
 */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value) || value instanceof DOMException;
}
