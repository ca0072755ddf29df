import { Blocked, Skip } from './verdict.js';

/** Awaits a value; undefined if the run or the target does not permit it. */
export async function ifPossible<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof Skip || error instanceof Blocked) return undefined;
    throw error;
  }
}
