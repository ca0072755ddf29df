import { Violation } from './verdict.js';

/** Number of attempts before a target is blamed for what others may have upset. */
const looks = 3;

/**
 * Runs a check that compares responses given one after the other. Others may be at work on the account in between, so it
 * has to find the clause broken every time.
 * @param check throws a Violation; the first attempt may use what is known already, later ones have to read again
 */
export async function lookAgain(check: (isFirst: boolean) => Promise<void>): Promise<void> {
  for (let look = 1; ; look++) {
    try {
      return await check(look === 1);
    } catch (error) {
      if (!(error instanceof Violation) || look === looks) throw error;
    }
  }
}
