import { suiteFailurePrefix } from '../engine/check-clauses.js';
import { targetWentDown } from '../engine/target.js';
import { type ClauseReport, type ReportedStatus, type Waiver, waiverText } from './clause-report.js';
import { shareEvidence } from './shared-evidence.js';

/**
 * Exit codes of a run. `conforms`: every verified clause holds, except those whose violations are waived. `violated`: a
 * documented clause (in a strict run, also an inferred one) is violated. `cannotRun`: the run could not start, or could
 * not check everything, for example because the driver failed. `staleWaiver`: a waiver must be removed. `suiteFailed`:
 * a bug of the suite.
 */
export const exitCodes = { conforms: 0, violated: 1, cannotRun: 2, staleWaiver: 3, suiteFailed: 4 } as const;

/** Report of a run. Its JSON Schema is openapi/contract-report.schema.json. */
export interface Report {
  readonly target: string;
  readonly driver: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly exitCode: number;
  readonly summary: Readonly<Record<ReportedStatus, number>> & {
    /** Number of documented clauses. */
    readonly documented: number;
    /** Number of documented clauses that passed or were violated. */
    readonly verified: number;
  };
  readonly clauses: readonly ClauseReport[];
  /** Choices of the target for gaps, which are questions that the specification does not answer. */
  readonly gaps: readonly Observation[];
  /** Waivers that are no longer needed, or have expired. */
  readonly staleWaivers: readonly { readonly clause: string; readonly why: string }[];
  /** Problems other than violations, such as requests without a response, or a driver that failed to close. */
  readonly problems: readonly string[];
}

/** Observed choice of the target for a gap. */
interface Observation {
  /** Id of the gap. */
  readonly id: string;
  /** Choice in the format of a profile. */
  readonly observed: unknown;
}

/** Facts about a run besides the results of its clauses. */
export interface RunFacts {
  readonly target: string;
  readonly driver: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly requests: number;
  readonly gaps: readonly Observation[];
  readonly problems: readonly string[];
  /** True if the suite itself failed while it was not checking a clause. */
  readonly hasSuiteFailed: boolean;
}

/** Creates the report of a run. @param today `YYYY-MM-DD`, to decide which waivers have expired */
export function reportOf(
  run: RunFacts,
  results: readonly ClauseReport[],
  waivers: readonly Waiver[],
  today: string,
): Report {
  const activeWaivers = waivers.filter(({ until }) => until >= today);
  const clauses = results.map((result) => applyWaivers(result, activeWaivers));
  const staleWaivers = waivers.flatMap((waiver) => {
    const why = whyStale(waiver, clauses, today);
    return why === undefined ? [] : [{ clause: waiver.clause, why }];
  });
  const documented = clauses.filter(({ level }) => level === 'documented');
  const count = (status: ReportedStatus): number => clauses.filter((clause) => clause.status === status).length;
  const summary = {
    passed: count('passed'),
    failed: count('failed'),
    warned: count('warned'),
    skipped: count('skipped'),
    observed: count('observed'),
    waived: count('waived'),
    broken: count('broken'),
    documented: documented.length,
    verified: documented.filter(({ status }) => ['passed', 'failed', 'waived'].includes(status)).length,
  };
  return {
    target: run.target,
    driver: run.driver,
    startedAt: run.startedAt.toISOString(),
    durationMs: run.durationMs,
    requests: run.requests,
    exitCode: exitCodeOf(run, summary, clauses, staleWaivers.length > 0),
    summary,
    clauses: shareEvidence(clauses),
    gaps: run.gaps,
    staleWaivers,
    problems: run.problems,
  };
}

/** Changes the status of a violation to `waived` if there is an active waiver for it. */
function applyWaivers(result: ClauseReport, activeWaivers: readonly Waiver[]): ClauseReport {
  const waiver = result.status === 'failed' && activeWaivers.find(({ clause }) => clause === result.id);
  if (!waiver) return result;
  const { until, reason } = waiver;
  const waived = { ...result, status: 'waived', waiver: { until, reason } } as const;
  return { ...waived, detail: `${result.detail}; ${waiverText(waived)}` };
}

/** Explains why a waiver is stale; undefined if it may still be needed. */
function whyStale({ clause, until }: Waiver, clauses: readonly ClauseReport[], today: string): string | undefined {
  if (until < today) return `it expired on ${until}`;
  const status = clauses.find(({ id }) => id === clause)?.status;
  if (status === 'passed') return 'the clause passes now';
  return status === 'observed' ? 'the clause is about a gap, so it never fails' : undefined;
}

/**
 * Returns the exit code of a run. A violation takes precedence over other failures. A run with documented clauses fails
 * if it verified none of them.
 */
function exitCodeOf(
  { problems, hasSuiteFailed }: RunFacts,
  { failed, broken, documented, verified }: Report['summary'],
  clauses: readonly ClauseReport[],
  hasStaleWaiver: boolean,
): number {
  if (failed > 0) return exitCodes.violated;
  if (
    hasSuiteFailed ||
    clauses.some(({ status, detail }) => status === 'broken' && detail.startsWith(suiteFailurePrefix))
  ) {
    return exitCodes.suiteFailed;
  }
  if (broken > 0 || problems.length > 0) return exitCodes.cannotRun;
  if (documented > 0 && verified === 0) return exitCodes.cannotRun;
  return hasStaleWaiver ? exitCodes.staleWaiver : exitCodes.conforms;
}

/** Summarizes the requests without a usable response as one problem; empty if there were none. */
export function summarizeUnanswered(unanswered: readonly string[]): string[] {
  const [first] = unanswered;
  if (first === undefined) return [];
  if (first.startsWith(targetWentDown)) return [first];
  const count = unanswered.length === 1 ? '1 request' : `${unanswered.length} requests`;
  return [`${count} got no usable response, so the clauses that need one were not checked. First: ${first}`];
}

/** Explains the exit code of a run. In a comparison, `staleWaivers` is missing, since nothing is waived. */
export function explainExitCode({
  exitCode,
  problems,
  summary,
  staleWaivers = [],
}: Pick<Report, 'exitCode' | 'problems' | 'summary'> & Partial<Pick<Report, 'staleWaivers'>>): string {
  switch (exitCode) {
    case exitCodes.conforms:
      if (summary.documented === 0) return 'no documented clause was selected';
      return summary.waived > 0 ? 'all verified clauses hold, except waived ones' : 'all verified clauses hold';
    case exitCodes.violated:
      return `${summary.failed} ${summary.failed === 1 ? 'clause is' : 'clauses are'} violated`;
    case exitCodes.staleWaiver:
      return `${staleWaivers.length} ${staleWaivers.length === 1 ? 'waiver is' : 'waivers are'} stale and must be removed`;
    case exitCodes.suiteFailed:
      return 'the suite itself failed, which says nothing about the target';
    default:
      if (problems.some((problem) => problem.startsWith(targetWentDown))) return targetWentDown;
      if (summary.broken > 0) return 'the driver failed, so some clauses could not be checked';
      if (problems.length > 0) return 'some clauses could not be checked properly';
      return 'no documented clause was verified';
  }
}
