import { requireKnownOptions } from '../../lib/known-options.js';
import { checkClause, untestableResult } from '../engine/check-clauses.js';
import type { Clause, Level } from '../engine/clause.js';
import { type ContractOptions, openSession } from '../engine/open-session.js';
import { selectClauses } from '../engine/select.js';
import type { Session } from '../engine/session.js';
import { type ClauseReport, clauseReport, firstEvidenceLines } from '../report/clause-report.js';
import { testContextOf } from './test-context.js';

/** Options of `clauses`: the options of a run, and a callback. */
export interface ClausesOptions extends ContractOptions {
  /** Called with the result of each check, with its evidence. */
  readonly onResult?: ((result: ClauseReport) => void) | undefined;
}

/** Checked at run time, since plain JavaScript can misspell an option; ignored, it could make the run check less. */
const optionNames: Readonly<Record<keyof ClausesOptions, true>> = {
  baseUrl: true,
  token: true,
  readToken: true,
  writeToken: true,
  scopelessToken: true,
  otherAccountToken: true,
  customerId: true,
  driver: true,
  controlToken: true,
  webhookSecret: true,
  webhookPort: true,
  write: true,
  pace: true,
  strict: true,
  include: true,
  only: true,
  timeout: true,
  eventuallyTimeoutMs: true,
  onResult: true,
};

/** A clause of the contract, as a test for any test runner. */
export interface TestClause {
  readonly id: string;
  /** Id and requirement, for the title of the test. */
  readonly title: string;
  /** The specification states the requirement (`documented`), implies it (`inferred`), or leaves it `open`. */
  readonly level: Level;
  /** Heading of the specification under which the requirement is stated. */
  readonly section: string;
  /** Quote from the specification; a clause about a gap, where the specification is silent, has none. */
  readonly quote?: string | undefined;
  /** Reason why no run can check the clause; undefined for clauses that can be checked. */
  readonly skip?: string | undefined;
  /** Test timeout in milliseconds: a clause may wait for the rate limit to reset, and for webhooks. */
  readonly timeout: number;
  /**
   * Test function: checks the clause. Rejects if the target violates it, or if the suite or the driver fails. If
   * something that the check needs is missing, skips the test; in Jest, where a test cannot skip itself, it prints the
   * reason instead. Adds notes to the test: the observation of a clause of level `open`, or a violation that is only a
   * warning.
   */
  readonly check: () => Promise<void>;
}

/** Clauses that share one session with the target. */
export interface Clauses extends ReadonlyArray<TestClause> {
  /** Opens the session. Optional: otherwise the first check opens it. @throws CannotRun, DriverError */
  readonly open: () => Promise<void>;
  /**
   * Closes the session: undoes changes to settings, and closes the driver. Called automatically once all clauses are
   * checked.
   */
  readonly close: () => Promise<void>;
}

/** Timeout of the test of a clause: ten minutes, since it may wait for the reset of the rate limit several times. */
export const checkTimeoutMs = 600_000;

/**
 * Returns the clauses of the contract as tests for any runner. Nothing is sent to the target before `open` or the first
 * check.
 *
 *     import { after, test } from 'node:test';
 *     import { clauses } from 'billing-sim/contract';
 *
 *     const suite = clauses({ baseUrl: 'http://127.0.0.1:4010/api/v1', token });
 *     for (const clause of suite) test(clause.title, clause.check);
 *     after(suite.close);
 *
 * Run the tests in this order, since the last clauses examine the responses to the requests of all earlier ones.
 * @throws CannotRun for an unknown clause in `only`; UserError for an unknown option
 */
export function clauses(options: ClausesOptions): Clauses {
  requireKnownOptions(options, optionNames);
  const chosen = selectClauses(options.only);
  const run = new ClauseRun(options, chosen);
  const tests = chosen.map((clause): TestClause => {
    const { id, level, spec, quote, check } = clause;
    const testFunction = async (...parameters: unknown[]): Promise<void> => run.runTest(clause, parameters);
    return {
      id,
      title: `${id} ${clause.title}`,
      level,
      section: spec,
      quote,
      skip: typeof check === 'object' ? check.untestable : undefined,
      timeout: checkTimeoutMs,
      // Jest counts the parameters of a test function, and Playwright and vitest parse them. A bound function hides the
      // rest parameter, which they would misunderstand.
      check: testFunction.bind(undefined),
    };
  });
  return Object.assign(tests, { open: () => run.open(), close: () => run.close() });
}

/** Outcome of a check. */
interface CheckedClause {
  readonly result: ClauseReport;
  /**
   * Error of closing the session after the last check. The test of that check fails because of it, unless the clause is
   * violated, which is the more important error.
   */
  readonly closeError?: unknown;
}

/** A run of clauses by a test runner, which decides what is checked and when. */
class ClauseRun {
  readonly #options: ClausesOptions;
  readonly #unchecked: Set<Clause>;
  #session: Promise<Session> | undefined;
  /** Resolves when the check that was started last is over; never rejects. */
  #latestCheck: Promise<unknown> = Promise.resolve();
  /** Number of times that the caller has closed the session. */
  #closeCount = 0;

  constructor(options: ClausesOptions, chosen: readonly Clause[]) {
    this.#options = options;
    this.#unchecked = new Set(chosen.filter(({ check }) => typeof check === 'function'));
  }

  async open(): Promise<void> {
    await this.#openOnce();
  }

  async close(): Promise<void> {
    this.#closeCount += 1;
    await this.#closeSession();
  }

  async #closeSession(): Promise<void> {
    const opened = this.#session;
    this.#session = undefined;
    // A failure to open the session was already reported to the caller that opened it.
    const session = await opened?.catch(() => undefined);
    await session?.close();
  }

  /**
   * Checks a clause as a test, and reports its result to the runner.
   * @param parameters the arguments that the runner has passed to the test function
   */
  async runTest(clause: Clause, parameters: readonly unknown[]): Promise<void> {
    const closeCount = this.#closeCount;
    // Clauses share records of the target, so only one is checked at a time, even if the runner starts several tests.
    const pendingCheck = this.#latestCheck.then(() => {
      // Tests may wait behind one that has timed out. They must not open a session that nobody closes.
      if (closeCount !== this.#closeCount) throw new Error('the session was closed before this clause was checked');
      return this.#checkClause(clause);
    });
    this.#latestCheck = pendingCheck.catch(() => undefined);
    const { result, closeError } = await pendingCheck;
    this.#options.onResult?.(result);
    const { status, detail } = result;
    const context = testContextOf(parameters);
    if (status === 'failed' || status === 'broken')
      throw new Error(formatProblem(result), closeError === undefined ? {} : { cause: closeError });
    if (status === 'warned') await context.note(`warning: ${formatProblem(result)}`);
    if (status === 'observed') await context.note(`observed: ${detail}`);
    if (closeError !== undefined) throw closeError;
    if (status === 'skipped') await context.skip(detail);
  }

  /** Checks a clause, and closes the session after the last one. */
  async #checkClause(clause: Clause): Promise<CheckedClause> {
    // Needs no session.
    if (typeof clause.check === 'object')
      return { result: clauseReport(untestableResult(clause, clause.check.untestable), (text) => text) };
    let result: ClauseReport;
    let closeError: unknown;
    try {
      const session = await this.#openOnce();
      result = clauseReport(
        await checkClause(session, clause, { strict: this.#options.strict }),
        session.target.redact,
      );
    } finally {
      this.#unchecked.delete(clause);
      if (this.#unchecked.size === 0)
        closeError = await this.#closeSession().then(
          () => undefined,
          (error: unknown) => error,
        );
    }
    return { result, closeError };
  }

  /** Opens the session unless it is open. If that fails, later calls reject with the same error until `close` runs. */
  #openOnce(): Promise<Session> {
    this.#session ??= openSession(this.#options);
    return this.#session;
  }
}

/** Formats a violation with its evidence; for a failure of the suite or driver, only the message. */
function formatProblem(clause: ClauseReport): string {
  const { detail, spec, quote, status } = clause;
  if (status === 'broken') return detail;
  const violated = quote === undefined ? detail : `${detail}\nspecification, ${spec}: ${quote}`;
  return [violated, ...firstEvidenceLines(clause, 1_000)].join('\n');
}
