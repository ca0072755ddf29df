import { missingEarlierStep, missingResponse } from '../engine/check-clauses.js';
import type { Clause } from '../engine/clause.js';
import type { FileDriverOptions } from '../engine/open-session.js';
import { normalizeIds } from '../engine/select.js';
import { dayOf } from '../predicates/filters.js';
import { type ClauseReport, isUndecided, type Waiver } from './clause-report.js';
import { exitCodes, type Report, type RunFacts, reportOf } from './report.js';

/**
 * Report of a run, with what is needed to resume the run until it is complete. A resumed run checks the
 * clauses that have no final result in the report, and its own report has the results of both runs.
 */
export interface RunReport extends Report {
  /** Version of billing-sim that created the report. */
  readonly version: string;
  /** Options that decide which clauses are checked, and how. */
  readonly options: ReportedOptions;
  /** True if every chosen clause has a final result, so that a resumed run would have nothing to check. */
  readonly complete: boolean;
}

/** Options that a report contains. For tokens and the webhook secret, only whether they were given. */
export interface ReportedOptions {
  readonly only: readonly string[];
  readonly write: boolean;
  readonly strict: boolean;
  readonly include: readonly string[];
  readonly driver: string | null;
  readonly customerId: number | null;
  readonly readToken: boolean;
  readonly writeToken: boolean;
  readonly scopelessToken: boolean;
  readonly otherAccountToken: boolean;
  readonly webhookPort: number | null;
  readonly webhookSecret: boolean;
}

/** Picks the options that a report contains. */
export function reportedOptions(options: FileDriverOptions, mayWrite: boolean): ReportedOptions {
  return {
    only: sortUnique(normalizeIds(options.only ?? [])),
    write: mayWrite,
    strict: options.strict ?? false,
    include: sortUnique(options.include),
    driver: options.driver ?? null,
    customerId: options.customerId ?? null,
    readToken: options.readToken !== undefined,
    writeToken: options.writeToken !== undefined,
    scopelessToken: options.scopelessToken !== undefined,
    otherAccountToken: options.otherAccountToken !== undefined,
    webhookPort: options.webhookPort ?? null,
    webhookSecret: options.webhookSecret !== undefined,
  };
}

function sortUnique(values: readonly string[] | undefined): string[] {
  return [...new Set(values)].sort();
}

/** Explains why a run cannot resume a report; undefined if it can. */
export function whyNotResumable(
  report: RunReport,
  run: Pick<RunReport, 'target' | 'version' | 'options'>,
): string | undefined {
  if (report.target !== run.target) return `its target is ${report.target}, not ${run.target}`;
  if (report.version !== run.version)
    return `it was created by billing-sim ${report.version}, and this is billing-sim ${run.version}`;
  const currentOptions = new Map<string, unknown>(Object.entries(run.options));
  const changed = Object.entries(report.options)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(currentOptions.get(name)))
    .map(([name]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return changed.length === 0 ? undefined : `it was created with different values for ${changed.join(', ')}`;
}

/**
 * Finds the clauses of a report that a resumed run does not check again, because their results are final: all except the
 * undecided ones, which include those with a provisional result. Undoes waivers, because the resumed run applies its own.
 * @returns the clauses by id
 */
export function decidedClauses(report: RunReport | undefined): Map<string, ClauseReport> {
  const decided = (report?.clauses ?? []).filter((clause) => !isUndecided(clause));
  return new Map(decided.map((clause) => [clause.id, undoWaiver(clause)]));
}

/**
 * Combines the provisional result of a clause in an earlier report with its result in the resumed run, which sees only
 * the responses to its own requests. If that run skipped the clause, for example because those responses contain nothing
 * to examine, keeps the earlier result as final; if it skipped the clause because the target did not respond, keeps the
 * earlier result as provisional.
 */
export function combineResults(earlier: ClauseReport, later: ClauseReport): ClauseReport {
  if (later.status !== 'skipped' || earlier.status === 'skipped') return later;
  const { provisional, ...result } = earlier;
  return later.missing === missingResponse ? earlier : result;
}

/**
 * Marks results of an incomplete run as provisional. A result after the first undecided clause is provisional if it may
 * change once that clause has been checked: it is based on the responses to earlier requests, or it is a skip,
 * possibly for lack of a record that the undecided clause creates. A violation is final. A clause that a failed step has blocked is
 * provisional wherever it is: the run that resumes this one must see the failure, too, to check the clause that reports
 * it.
 */
function markProvisional(
  clauses: readonly ClauseReport[],
  readersOfEarlierResponses: ReadonlySet<string>,
): readonly ClauseReport[] {
  const firstUndecided = clauses.findIndex(isUndecided);
  return clauses.map((clause, index) => {
    const { id, status, missing } = clause;
    const isChangeable =
      status === 'skipped' || (readersOfEarlierResponses.has(id) && (status === 'passed' || status === 'observed'));
    const isAfterUndecided = firstUndecided !== -1 && index > firstUndecided;
    return missing === missingEarlierStep || (isAfterUndecided && isChangeable)
      ? { ...clause, provisional: true }
      : clause;
  });
}

function undoWaiver(clause: ClauseReport): ClauseReport {
  if (clause.status !== 'waived') return clause;
  const { waiver: _waiver, ...violated } = clause;
  return { ...violated, status: 'failed', detail: `expected ${clause.expected}, got ${clause.got}` };
}

/** The chosen clauses of a run, their results so far, and the waivers for them. */
interface CheckedClauses {
  /** All chosen clauses, in the order of the report. */
  readonly chosen: readonly Pick<Clause, 'id' | 'readsEarlierResponses'>[];
  /** Results of this run only. */
  readonly results: readonly ClauseReport[];
  readonly waivers: readonly Waiver[];
}

/**
 * Creates the report of a run. If the run resumes an earlier one, includes the results of the earlier report, and adds
 * up the durations and numbers of requests of both runs. Problems are only those of this run, because it rechecks the
 * clauses that earlier problems affected.
 */
export function runReport(
  header: Pick<RunReport, 'target' | 'version' | 'options'>,
  run: RunFacts,
  { chosen, results, waivers }: CheckedClauses,
  resumedReport: RunReport | undefined,
): RunReport {
  const ownResults = new Map(results.map((result) => [result.id, result]));
  // Provisional results are undecided, so this run checks their clauses again, but they may be kept: see `combineResults`.
  const provisional = (resumedReport?.clauses ?? []).filter((clause) => clause.provisional);
  const earlierResults = new Map([
    ...decidedClauses(resumedReport),
    ...provisional.map((clause) => [clause.id, clause] as const),
  ]);
  const combined = chosen.flatMap(({ id }) => {
    const [earlier, own] = [earlierResults.get(id), ownResults.get(id)];
    return (earlier && own ? combineResults(earlier, own) : (own ?? earlier)) ?? [];
  });
  const readersOfEarlierResponses = new Set(
    chosen.flatMap(({ id, readsEarlierResponses }) => (readsEarlierResponses ? [id] : [])),
  );
  const complete = combined.length === chosen.length && !combined.some(isUndecided);
  const clauses = complete ? combined : markProvisional(combined, readersOfEarlierResponses);
  const gaps = new Map([...(resumedReport?.gaps ?? []), ...run.gaps].map((gap) => [gap.id, gap]));
  const wholeRun: RunFacts = {
    ...run,
    startedAt: resumedReport ? new Date(resumedReport.startedAt) : run.startedAt,
    durationMs: (resumedReport?.durationMs ?? 0) + run.durationMs,
    requests: (resumedReport?.requests ?? 0) + run.requests,
    gaps: [...gaps.values()],
  };
  return { ...header, complete, ...reportOf(wholeRun, clauses, waivers, dayOf(run.startedAt.getTime())) };
}

/**
 * Replaces the waivers in the report of a complete run.
 * @param now decides which waivers have expired
 */
export function withWaivers(report: RunReport, waivers: readonly Waiver[], now: Date): RunReport {
  const run: RunFacts = {
    ...report,
    startedAt: new Date(report.startedAt),
    hasSuiteFailed: report.exitCode === exitCodes.suiteFailed,
  };
  const clauses = [...decidedClauses(report).values()];
  return { ...report, ...reportOf(run, clauses, waivers, dayOf(now.getTime())) };
}
