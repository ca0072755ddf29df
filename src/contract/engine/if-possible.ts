import { Blocked, Skip } from './verdict.js';

/** What is found out; undefined where this run, or the target, does not let it be found out. */
export async function ifPossible<Value>(finding: Promise<Value>): Promise<Value | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Skip || error instanceof Blocked) return undefined;
    throw error;
  }
}
