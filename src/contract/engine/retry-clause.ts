import { Violation } from './verdict.js';

/** Number of attempts that must all find the violation before it counts. */
const maxAttempts = 3;

/**
 * Runs a check that compares consecutive responses, and repeats it after a violation: other clients may have changed
 * the account between the responses.
 * @param check throws a Violation; the first attempt may use known responses, later ones must read again
 */
export async function retryClause(check: (isFirst: boolean) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await check(attempt === 1);
    } catch (error) {
      if (!(error instanceof Violation) || attempt === maxAttempts) throw error;
    }
  }
}
