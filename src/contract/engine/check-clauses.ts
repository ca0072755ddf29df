import { isError } from '../../lib/errors.js';
import { sourceStack } from '../../lib/source-stack.js';
import { whenAborted } from '../../lib/when-aborted.js';
import { DriverError } from '../drivers/driver.js';
import { Blocked, formatValue, Skip, Unanswered, Violation } from './check-errors.js';
import type { Check, Clause, Level } from './clause.js';
import type { Delivery } from './delivery.js';
import type { Exchange } from './exchange.js';
import { ClauseContext, type DriverCall, type Session } from './session.js';

/**
 * `passed`: the target satisfies the clause. `failed`: it violates the clause. `warned`: it violates a clause that is
 * only inferred from the specification. `skipped`: the clause was not checked; `missing` says what its check lacks.
 * `observed`: the clause is open, so the target cannot violate it; `detail` is the observed behavior. `broken`: the
 * suite or the driver failed, which says nothing about the target.
 */
export type Status = 'passed' | 'failed' | 'warned' | 'skipped' | 'observed' | 'broken';

/** Prefix of `Result.detail` if the suite itself failed. */
export const suiteFailurePrefix = 'the suite failed: ';

/** `Result.missing` of a clause that was skipped because an earlier step failed. */
export const missingEarlierStep = 'an earlier step that succeeds';

/**
 * `Result.missing` of a clause that needs a response which the target did not send; a later run may check it. Reports
 * contain this text, and a resumed run looks for it.
 */
export const missingResponse = 'a response of the target';

/** Result of checking one clause. */
export interface Result {
  readonly clause: Clause;
  readonly status: Status;
  /** Reason for the status, in one line; empty for a pass. For an open clause, the observed behavior. */
  readonly detail: string;
  /** For a violation, what was expected: `status 201`. */
  readonly expected?: string;
  /** For a violation, what was observed instead: `status 500`. */
  readonly got?: string;
  /** For a skipped clause, what its check lacks, such as a driver method, an option, a record or an earlier step. */
  readonly missing?: string;
  /**
   * Exchanges that the result is based on; the one that shows a violation comes first. Empty if a webhook shows it.
   */
  readonly evidence: readonly Exchange[];
  /** Webhooks that the result is based on; the one that shows a violation comes first. */
  readonly deliveries: readonly Delivery[];
  /** Calls of the driver by the check and by the setups that it uses: `payLink (id 226)`. */
  readonly driverCalls: readonly string[];
  readonly milliseconds: number;
}

/** Result of a clause that no run can check. */
export function untestableResult(clause: Clause, reason: string): Result {
  return {
    clause,
    status: 'skipped',
    detail: reason,
    missing: 'a way to observe it from outside',
    evidence: [],
    deliveries: [],
    driverCalls: [],
    milliseconds: 0,
  };
}

/**
 * Checks one clause. Never rejects: any error becomes part of the result.
 * @param strict true if the violation of an inferred clause is a failure, not just a warning
 */
export async function checkClause(
  session: Session,
  clause: Clause,
  { strict = false }: { readonly strict?: boolean | undefined } = {},
): Promise<Result> {
  const { check, level } = clause;
  if (typeof check === 'object') return untestableResult(clause, check.untestable);
  const startedAt = performance.now();
  const context = new ClauseContext(session, clause.id);
  const outcome = await outcomeOf(check, level, context, strict);
  return {
    clause,
    evidence: context.exchanges,
    deliveries: context.deliveries,
    driverCalls: describeDriverCalls(context.driverCalls),
    milliseconds: Math.round(performance.now() - startedAt),
    ...outcome,
    detail: session.target.redact(outcome.detail),
  };
}

/** The fields of a result that depend on what the check returns or throws. */
type Outcome = Pick<Result, 'status' | 'detail'> & Partial<Result>;

async function outcomeOf(check: Check, level: Level, context: ClauseContext, strict: boolean): Promise<Outcome> {
  const { session } = context;
  try {
    const observed = await check(context);
    return level === 'open' ? { status: 'observed', detail: formatValue(observed) } : { status: 'passed', detail: '' };
  } catch (error) {
    if (error instanceof Violation)
      return violationOutcome(error, context, level === 'inferred' && !strict ? 'warned' : 'failed');
    // The clauses of ENV-VALID report the refused request that blocked this clause, if there is one.
    session.recordIfBlocked(error);
    if (error instanceof Skip) return { status: 'skipped', detail: error.message, missing: error.missing };
    if (error instanceof Blocked) {
      const isUnanswered = error instanceof Unanswered || session.target.isAbandoned;
      const missing = isUnanswered ? missingResponse : missingEarlierStep;
      return { status: 'skipped', detail: error.message, missing };
    }
    if (error instanceof DriverError) return { status: 'broken', detail: error.message };
    return { status: 'broken', detail: `${suiteFailurePrefix}${formatSuiteError(error)}` };
  }
}

async function violationOutcome(
  violation: Violation,
  { session, exchanges, deliveries }: ClauseContext,
  status: 'warned' | 'failed',
): Promise<Outcome> {
  const outage = mayBeOutage(violation) ? await session.target.abandonIfDown() : undefined;
  if (outage !== undefined) return { status: 'skipped', detail: outage, missing: missingResponse };
  const { message: detail, expected, got, exchange, delivery } = violation;
  return {
    status,
    detail,
    expected,
    got,
    // If a webhook shows the violation, the requests of the check would only distract from it.
    evidence: delivery ? [] : moveToFront(exchange, exchanges),
    deliveries: moveToFront(delivery, deliveries),
  };
}

/**
 * Describes driver calls without their arguments, which may be secrets. Reports list them since their effects are not
 * visible in requests; the customer that `createCustomer` returns is, so it is left out.
 */
function describeDriverCalls(calls: readonly DriverCall[]): string[] {
  return calls
    .filter(({ method }) => method !== 'createCustomer')
    .map(({ method, record }) => (record?.['id'] === undefined ? method : `${method} (id ${String(record['id'])})`));
}

/**
 * True if a violation may merely mean that the target is down: the response is a server error, or there is neither a
 * response nor a webhook to show, because an expected effect did not occur.
 */
function mayBeOutage({ exchange, delivery }: Violation): boolean {
  return exchange === undefined ? delivery === undefined : exchange.status >= 500;
}

function moveToFront<Item>(item: Item | undefined, items: readonly Item[]): readonly Item[] {
  return item === undefined ? items : [item, ...items.filter((other) => other !== item)];
}

/** Formats an error with its source location in the suite, if its stack shows one. */
function formatSuiteError(error: unknown): string {
  if (!isError(error)) return String(error);
  const location = /\/contract\/(\S+:\d+):\d+/.exec(sourceStack(error))?.[1];
  return `${error.name}: ${error.message}${location === undefined ? '' : ` (${location})`}`.replace(/\s+/g, ' ');
}

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
