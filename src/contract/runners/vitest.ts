import { UserError } from '../../lib/user-error.js';

declare global {
  /** Set by vitest in its workers, for source files that contain their own tests. */
  var __vitest_index__: typeof import('vitest') | undefined;
}

/**
 * Returns the vitest that runs this file. An import could load another copy, for example from a linked package, in
 * which no tests are running.
 * @throws UserError outside of a vitest run
 */
export function runningVitest(): typeof import('vitest') {
  const vitest = globalThis.__vitest_index__;
  if (vitest) return vitest;
  throw new UserError(
    'contractSuite needs a vitest run: start it with npx vitest run, or pass clauses() to another runner',
  );
}
