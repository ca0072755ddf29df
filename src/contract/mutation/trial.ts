import { checkClauses } from '../engine/check-clauses.js';
import type { Clause } from '../engine/clause.js';
import type { Result } from '../engine/run.js';
import { Session } from '../engine/session.js';
import { Target } from '../engine/target.js';
import { briefLimit } from './brief-limit.js';
import type { Interceptor } from './interceptor.js';
import type { Mutant } from './mutant.js';
import { startMutatingProxy } from './mutating-proxy.js';
import type { Subject } from './subject.js';

/** Creates a fresh subject. */
export type SubjectFactory = () => Promise<Subject>;

/** Result of one mutant. */
export interface Trial {
  readonly mutant: Mutant;
  /** Number of requests, responses and webhooks that it changed. */
  readonly changes: number;
  /** Ids of the clauses that failed. */
  readonly failedClauses: readonly string[];
  /** Status of its own clause, with the detail. */
  readonly own: string;
  readonly requests: number;
}

/** Timeout of responses, and of asynchronous effects. */
const timeoutMs = 30_000;
const eventuallyTimeoutMs = 1_500;

/** Checks clauses one after the other, on a fresh subject behind an interceptor. Inferred clauses fail, too. */
export async function checkAll(
  open: SubjectFactory,
  interceptor: Interceptor,
  clauses: readonly Clause[],
): Promise<{ readonly results: readonly Result[]; readonly changes: number; readonly requests: number }> {
  const limit = briefLimit();
  const { baseUrl, tokens, driver, changes } = await startMutatingProxy(await open(), interceptor, limit.interceptor);
  const target = new Target({ baseUrl, tokens, timeout: timeoutMs, pace: 'off', mayWrite: true });
  const session = new Session(target, driver, 'the driver', {
    eventuallyTimeoutMs,
    includeRateLimit: true,
    beforeExcess: async () => limit.begin(),
  });
  const results: Result[] = [];
  try {
    for await (const result of checkClauses(session, clauses, { strict: true })) results.push(result);
  } finally {
    await session.close();
  }
  return { results, changes: changes(), requests: target.requests };
}

/** Checks clauses against a mutant, including its own. */
export async function tryMutant(open: SubjectFactory, mutant: Mutant, clauses: readonly Clause[]): Promise<Trial> {
  const { results, changes, requests } = await checkAll(open, mutant.createInterceptor(), clauses);
  const own = results.find(({ clause }) => clause.id === mutant.clause);
  if (!own) throw new Error(`the clause ${mutant.clause} was not checked`);
  return {
    mutant,
    changes,
    requests,
    failedClauses: results.filter(({ status }) => status === 'failed').map(({ clause }) => clause.id),
    own: own.detail === '' ? own.status : `${own.status}: ${own.detail}`,
  };
}
