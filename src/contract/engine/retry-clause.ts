import { Violation } from './check-errors.js';

/** Maximum number of attempts. A violation counts only if each of them finds one. */
const maxAttempts = 3;

/**
 * Runs a check that compares consecutive responses, and repeats it after a violation: other clients may have changed
 * the account between the responses.
 * @param check throws Violation if the target violates the clause. Only the first attempt may use earlier responses;
 * later ones must send new requests.
 */
export async function retryClause(check: (isFirstAttempt: boolean) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await check(attempt === 1);
    } catch (error) {
      if (!(error instanceof Violation) || attempt === maxAttempts) throw error;
    }
  }
}
