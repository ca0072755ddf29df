import { checkClauses, type Result } from '../engine/check-clauses.js';
import type { Clause } from '../engine/clause.js';
import { Session } from '../engine/session.js';
import { Target } from '../engine/target.js';
import type { Interceptor } from './interceptor.js';
import type { Mutant } from './mutant.js';
import { type Implementation, startMutatingProxy } from './mutating-proxy.js';
import { shortWindowLimit } from './short-window-limit.js';

/** Creates a new implementation for one run. */
export type ImplementationFactory = () => Promise<Implementation>;

/** Result of running clauses against one mutant. */
export interface Trial {
  readonly mutant: Mutant;
  /** Number of requests, responses and webhooks that the mutant changed, plus 1 if it changed the base URL. */
  readonly changes: number;
  /** Ids of the clauses that failed. */
  readonly failedClauses: readonly string[];
  /** Status of the mutant's own clause, with the detail. */
  readonly ownOutcome: string;
  /** Number of requests that the clauses sent. */
  readonly requestCount: number;
}

const responseTimeoutMs = 30_000;

/** Timeout for asynchronous effects, such as a webhook. It is short because many mutants prevent them. */
const eventuallyTimeoutMs = 1_500;

/**
 * Checks clauses one after the other, on a new implementation whose traffic an interceptor changes. A violation of an
 * inferred clause counts as failed, not as warned.
 */
export async function checkThroughProxy(
  createImplementation: ImplementationFactory,
  interceptor: Interceptor,
  clauses: readonly Clause[],
): Promise<{ readonly results: readonly Result[]; readonly changes: number; readonly requestCount: number }> {
  // From the first test of the rate limit on, the proxy enforces this limit instead of the target's, so that windows
  // last seconds and not a minute.
  const limit = shortWindowLimit();
  const { baseUrl, tokens, driver, changes } = await startMutatingProxy(
    await createImplementation(),
    interceptor,
    limit.interceptor,
  );
  const target = new Target({ baseUrl, tokens, timeoutMs: responseTimeoutMs, pace: 'off', mayWrite: true });
  const session = new Session(target, driver, 'the driver', {
    eventuallyTimeoutMs,
    includeRateLimit: true,
    beforeExceedingRateLimit: async () => limit.startCounting(),
  });
  const results: Result[] = [];
  try {
    for await (const result of checkClauses(session, clauses, { strict: true })) results.push(result);
  } finally {
    await session.close();
  }
  return { results, changes: changes(), requestCount: target.requestCount };
}

/** Runs clauses against a mutant. @param clauses must include the mutant's own */
export async function tryMutant(
  createImplementation: ImplementationFactory,
  mutant: Mutant,
  clauses: readonly Clause[],
): Promise<Trial> {
  const { results, changes, requestCount } = await checkThroughProxy(
    createImplementation,
    mutant.createInterceptor(),
    clauses,
  );
  const ownResult = results.find(({ clause }) => clause.id === mutant.clause);
  if (!ownResult) throw new Error(`the clause ${mutant.clause} was not checked`);
  return {
    mutant,
    changes,
    requestCount,
    failedClauses: results.filter(({ status }) => status === 'failed').map(({ clause }) => clause.id),
    ownOutcome: ownResult.detail === '' ? ownResult.status : `${ownResult.status}: ${ownResult.detail}`,
  };
}
