import { checkClauses } from '../engine/check-clauses.js';
import type { Clause } from '../engine/clause.js';
import type { Result } from '../engine/run.js';
import { Session } from '../engine/session.js';
import { Target } from '../engine/target.js';
import type { Interceptor } from './interceptor.js';
import type { Mutant } from './mutant.js';
import { startMutatingProxy } from './mutating-proxy.js';
import { shortWindowLimit } from './short-window-limit.js';
import type { Subject } from './subject.js';

/** Creates a fresh subject. */
export type SubjectFactory = () => Promise<Subject>;

/** Result of running clauses against one mutant. */
export interface Trial {
  readonly mutant: Mutant;
  /** Number of requests, responses and webhooks that it changed. */
  readonly changes: number;
  /** Ids of the clauses that failed. */
  readonly failedClauses: readonly string[];
  /** Status of the mutant's own clause, with the detail. */
  readonly ownOutcome: string;
  readonly requests: number;
}

/** Timeout of responses. */
const responseTimeoutMs = 30_000;

/** Timeout of asynchronous effects, such as a webhook. */
const eventuallyTimeoutMs = 1_500;

/** Checks clauses one after the other, on a fresh subject behind an interceptor. Inferred clauses fail, too. */
export async function checkAll(
  open: SubjectFactory,
  interceptor: Interceptor,
  clauses: readonly Clause[],
): Promise<{ readonly results: readonly Result[]; readonly changes: number; readonly requests: number }> {
  const limit = shortWindowLimit();
  const { baseUrl, tokens, driver, changes } = await startMutatingProxy(await open(), interceptor, limit.interceptor);
  const target = new Target({ baseUrl, tokens, timeout: responseTimeoutMs, pace: 'off', mayWrite: true });
  const session = new Session(target, driver, 'the driver', {
    eventuallyTimeoutMs,
    includeRateLimit: true,
    beforeExcess: async () => limit.startCounting(),
  });
  const results: Result[] = [];
  try {
    for await (const result of checkClauses(session, clauses, { strict: true })) results.push(result);
  } finally {
    await session.close();
  }
  return { results, changes: changes(), requests: target.requests };
}

/** Checks clauses, including the mutant's own, against a mutant. */
export async function tryMutant(open: SubjectFactory, mutant: Mutant, clauses: readonly Clause[]): Promise<Trial> {
  const { results, changes, requests } = await checkAll(open, mutant.createInterceptor(), clauses);
  const ownResult = results.find(({ clause }) => clause.id === mutant.clause);
  if (!ownResult) throw new Error(`the clause ${mutant.clause} was not checked`);
  return {
    mutant,
    changes,
    requests,
    failedClauses: results.filter(({ status }) => status === 'failed').map(({ clause }) => clause.id),
    ownOutcome: ownResult.detail === '' ? ownResult.status : `${ownResult.status}: ${ownResult.detail}`,
  };
}
