import { whenAborted } from '../../lib/when-aborted.js';
import { checkClause, type Result } from './check-clause.js';
import type { Clause } from './clause.js';
import type { Session } from './session.js';

/**
 * Checks clauses one after the other and yields each result. When aborted, it ends immediately, without waiting for the
 * current clause, which may have to wait a minute for the rate limit. The caller closes the session.
 */
export async function* checkClauses(
  session: Session,
  clauses: readonly Clause[],
  { strict, signal }: { readonly strict?: boolean | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Result, void> {
  const aborted = whenAborted(signal);
  for (const clause of clauses) {
    if (signal?.aborted) return;
    const result = await Promise.race([checkClause(session, clause, { strict }), aborted]);
    if (!result) return;
    yield result;
  }
}
