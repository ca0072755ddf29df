import { whenAborted } from '../../lib/when-aborted.js';
import { DriverError } from '../drivers/driver.js';
import { CannotRun } from '../engine/cannot-run.js';
import { classifyFailures } from '../engine/classify-failures.js';
import type { Clause } from '../engine/clause.js';
import { type ContractOptions, secretsOf } from '../engine/open-session.js';
import type { OnWait } from '../engine/pace.js';
import { selectClauses } from '../engine/select.js';
import { dayOf } from '../predicates/filters.js';
import { clauseReport } from '../report/clause-report.js';
import { redactorFor } from '../report/redact.js';
import { exitCodes, type Report, reportOf, summarizeUnanswered } from '../report/report.js';
import { probes } from '../sections/probes.js';
import { clauseViolationOf } from './clause-violations.js';
import { compareRuns, type Runs, type RunsComparison } from './compare-runs.js';
import { type Side, sides } from './pairs.js';
import { openTargetRun, type TargetRun } from './target-run.js';

/** Findings about one target. Problems are failures other than violations, one line each. */
export type SideReport = Pick<Report, 'target' | 'driver' | 'requests' | 'exitCode' | 'summary' | 'problems'>;

/** Comparison of two targets, with facts about both runs. */
export interface Comparison extends RunsComparison {
  readonly a: SideReport;
  readonly b: SideReport;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: number;
}

/** Callbacks and abort signal of a comparison. */
interface CompareOptions {
  /** Called when a clause has been checked on both targets, with the number of requests to both so far. */
  readonly onClause?: (progress: { readonly requestCount: number }) => void;
  readonly onWait?: OnWait;
  /** List to which the caller adds uncaught errors during the comparison, such as a rejected promise of a driver. */
  readonly uncaughtErrors?: readonly unknown[];
  /** If aborted, `compare` closes both sessions and throws CannotRun, without waiting for the current clause. */
  readonly signal?: AbortSignal;
}

/**
 * Checks the same clauses on two targets, each clause on both at the same time, and compares the responses.
 * @param options of the two runs; both have the same `only`
 * @throws CannotRun, DriverError; any other error is a bug of the suite
 */
export async function compare(
  options: { readonly a: ContractOptions; readonly b: ContractOptions },
  { onClause, onWait, uncaughtErrors = [], signal }: CompareOptions = {},
): Promise<Comparison> {
  const startedAt = new Date();
  const chosen = clausesToCompare(options.a.only);
  const runs = await openRuns(options, onWait, signal);
  const problems: Record<Side, string[]> = { a: [], b: [] };
  const aborted = whenAborted(signal);
  try {
    for (const [checkedCount, clause] of chosen.entries()) {
      // The current clause may have to wait a minute for the rate limit.
      await Promise.race([Promise.all([runs.a.check(clause), runs.b.check(clause)]), aborted]);
      if (signal?.aborted)
        throw new CannotRun(`the comparison was interrupted after ${checkedCount} of ${chosen.length} clauses`);
      onClause?.({ requestCount: runs.a.session.target.requestCount + runs.b.session.target.requestCount });
    }
  } finally {
    problems.a.push(...(await closeRun(runs.a)));
    problems.b.push(...(await closeRun(runs.b)));
  }
  const uncaught = classifyFailures(
    uncaughtErrors,
    sides.map((side) => options[side].driver),
    redactorFor(sides.flatMap((side) => secretsOf(options[side]))),
  );
  if (uncaught.crashes[0] !== undefined) throw new Error(uncaught.crashes[0]);
  for (const side of sides) {
    const ofSide = uncaught.problems.filter(({ driver }) => driver === undefined || driver === options[side].driver);
    problems[side].push(...ofSide.map(({ line }) => line));
  }
  const durationMs = Date.now() - startedAt.getTime();
  const report = (side: Side): Report => reportOn(runs[side], startedAt, durationMs, problems[side]);
  const [a, b] = [report('a'), report('b')];
  const violations = sides.flatMap((side) =>
    runs[side].results.flatMap((result) => clauseViolationOf(result, side) ?? []),
  );
  const comparison = compareRuns(runs, violations);
  return {
    a: sideReport(a),
    b: sideReport(b),
    startedAt: startedAt.toISOString(),
    durationMs,
    // A difference can be a violation that no clause reports, such as a value of a wrong type.
    exitCode: comparison.differences.some(({ label }) => label === 'violation') ? exitCodes.violated : exitCodeOf(a, b),
    ...comparison,
  };
}

/**
 * Opens both runs. If the second cannot be opened, or both have the same account, closes what was opened.
 * @throws CannotRun, DriverError
 */
async function openRuns(
  options: { readonly a: ContractOptions; readonly b: ContractOptions },
  onWait: OnWait | undefined,
  signal: AbortSignal | undefined,
): Promise<Runs> {
  const opened: TargetRun[] = [];
  const open = async (side: Side): Promise<TargetRun> => {
    const run = await openTargetRun(options[side], onWait, signal);
    opened.push(run);
    return run;
  };
  try {
    const runs = { a: await open('a'), b: await open('b') };
    await requireDifferentAccounts(runs);
    return runs;
  } catch (error) {
    await Promise.allSettled(opened.map(({ session }) => session.close()));
    throw error;
  }
}

/**
 * Checks that two runs do not use the same account of a simulator: they would receive each other's webhooks and see
 * each other's records.
 * @throws CannotRun
 */
async function requireDifferentAccounts({ a, b }: Runs): Promise<void> {
  const [accountOfA, accountOfB] = [a.session.options.account, b.session.options.account];
  if (!accountOfA || !accountOfB || !(await accountOfB.hasReceived(accountOfA.request))) return;
  throw new CannotRun(`nothing to compare: both are account ${accountOfA.id} of the same simulator`, {
    cliHint: '; pass a token of another account, which `billing-sim account create` prints',
  });
}

/** Closes the session of a run. @returns the problems of its driver, which are reported along with the findings */
async function closeRun({ session }: TargetRun): Promise<string[]> {
  try {
    await session.close();
    return [];
  } catch (error) {
    if (error instanceof DriverError) return [session.target.redact(error.message)];
    throw error;
  }
}

function reportOn(
  { session, results }: TargetRun,
  startedAt: Date,
  durationMs: number,
  problems: readonly string[],
): Report {
  const { target, driverName, observedChoices } = session;
  return reportOf(
    {
      target: target.options.baseUrl,
      driver: driverName,
      startedAt,
      durationMs,
      requests: target.requestCount,
      gaps: [...observedChoices].map(([id, observed]) => ({ id, observed })),
      problems: [...summarizeUnanswered(target.unanswered), ...problems],
      hasSuiteFailed: false,
    },
    results.map((result) => clauseReport(result, target.redact)),
    // Nothing is waived in a comparison.
    [],
    dayOf(startedAt.getTime()),
  );
}

function sideReport({ target, driver, requests, exitCode, summary, problems, clauses }: Report): SideReport {
  const broken = clauses.filter(({ status }) => status === 'broken').map(({ id, detail }) => `${id}: ${detail}`);
  return { target, driver, requests, exitCode, summary, problems: [...problems, ...broken] };
}

/** Returns the more serious exit code of the two runs. A violation takes precedence over other failures. */
function exitCodeOf(...reports: readonly Report[]): number {
  const order = [exitCodes.violated, exitCodes.suiteFailed, exitCodes.cannotRun];
  return order.find((code) => reports.some(({ exitCode }) => exitCode === code)) ?? exitCodes.conforms;
}

/**
 * Selects the clauses to check on both targets: the chosen ones, or by default all clauses and all probes, which
 * observe the targets' choices where the specification is silent. The list of clauses already includes the passive
 * probes, which add no requests.
 * @throws CannotRun for an unknown clause
 */
export function clausesToCompare(only: readonly string[] | undefined): readonly Clause[] {
  const chosen = selectClauses(only);
  return only === undefined || only.length === 0
    ? [...chosen, ...probes.filter(({ isPassive }) => !isPassive)]
    : chosen;
}
