import { requirePackage } from '../../lib/require-package.js';
import { UserError } from '../../lib/user-error.js';

declare global {
  /** Set by vitest in its workers, for tests inside of source files. */
  var __vitest_index__: typeof import('vitest') | undefined;
}

/**
 * Returns the vitest that runs this file. An import could find another copy, for example in a linked package, which then
 * fails to find its runner.
 * @throws PackageMissing; UserError outside of a vitest run
 */
export function runningVitest(): typeof import('vitest') {
  const vitest = globalThis.__vitest_index__;
  if (vitest) return vitest;
  requirePackage('vitest', 'contractSuite');
  throw new UserError(
    'contractSuite needs a vitest run: start it with npx vitest run, or pass clauses() to another runner',
  );
}
