import { Violation } from './verdict.js';

/** Attempts before a target is blamed for what other clients may have caused. */
const maxAttempts = 3;

/**
 * Runs a check that compares consecutive responses. Other clients may change the account in between, so every attempt
 * must find the violation.
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
