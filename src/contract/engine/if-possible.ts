import { Blocked, Skip } from './check-errors.js';

/**
 * Awaits a value that the caller can do without.
 * @returns undefined if the promise rejects with Skip or Blocked
 */
export async function ifPossible<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof Skip || error instanceof Blocked) return undefined;
    throw error;
  }
}
