import { Violation } from './verdict.js';

/** Looks at what others may have upset, before a target is blamed for it. */
const looks = 3;

/**
 * Makes a check that compares answers given one after the other. Others may be at work on the account in between, so it
 * has to find the clause broken every time.
 * @param check throws a Violation; at the first look it may rest on what is known already, later it has to ask anew
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
