import { version } from '../../generated/version.js';
import { type ClauseReport, clauseReport, type Waiver } from '../report/clause-report.js';
import { redactorFor } from '../report/redact.js';
import { summarizeUnanswered } from '../report/report.js';
import { decidedClauses, type RunReport, reportedOptions, runReport, whyNotResumable } from '../report/run-report.js';
import { clausesAboutRefusals, validRequestClauses } from '../sections/valid-requests/clauses.js';
import { CannotRun } from './cannot-run.js';
import { captureConsole } from './capture-console.js';
import { checkClauses, type Result } from './check-clauses.js';
import { classifyFailures } from './classify-failures.js';
import type { Clause } from './clause.js';
import { estimateRequests } from './estimate.js';
import { createTarget, type FileDriverOptions, openSession, secretsOf } from './open-session.js';
import type { OnWait } from './pace.js';
import { furtherTokenChecks } from './preflight.js';
import { selectClauses } from './select.js';
import { noDriver, type Session } from './session.js';
import type { Target } from './target.js';

/** Estimated length of a run. */
export interface Estimate {
  /** Number of requests; see `estimateRequests`. */
  readonly requests: number;
  /** Undefined if requests are sent without pauses. */
  readonly requestsPerMinute: number | undefined;
}

/** Options and callbacks of a run. */
export interface RunOptions {
  /** Known violations that are accepted for now. */
  readonly waivers?: readonly Waiver[];
  /** Called when the target has responded, before the first clause. */
  readonly onOpen?: (estimate: Estimate) => void;
  /** Called after each clause, with a function that creates the report so far. */
  readonly onClause?: (target: Pick<Target, 'requestCount'>, createReportSoFar: () => RunReport) => void;
  /** Called before each pause that keeps the suite within its pace, with its length in ms, and with 0 when it ends. */
  readonly onWait?: OnWait;
  /** Receives the text that the driver prints. */
  readonly onPrint?: (text: string) => void;
  /** List to which the caller adds uncaught errors during the run, such as a rejected promise of a driver. */
  readonly uncaughtErrors?: readonly unknown[];
  /** Ends the run without waiting for the current clause, and closes the session. */
  readonly signal?: AbortSignal;
  /** Report of the run that this one resumes; clauses with a final result in it are not checked again. */
  readonly resumedReport?: RunReport | undefined;
}

/**
 * Selects the clauses of a run: those in its options and, if it resumes another run, those that `checkRun` has added
 * to that run.
 */
function chosenClauses({ only }: FileDriverOptions, resumedReport: RunReport | undefined): readonly Clause[] {
  const selected = selectClauses(only);
  const reported = new Set(resumedReport?.clauses.map(({ id }) => id));
  return [
    ...selected,
    ...validRequestClauses.filter((clause) => reported.has(clause.id) && !selected.includes(clause)),
  ];
}

/**
 * Selects the clauses that a run must check: the chosen clauses without a final result in the resumed report.
 * @throws CannotRun if the report cannot be resumed
 */
export function remainingClauses(options: FileDriverOptions, resumedReport: RunReport | undefined): readonly Clause[] {
  const { baseUrl, mayWrite } = createTarget(options).options;
  const chosen = chosenClauses(options, resumedReport);
  if (!resumedReport) return chosen;
  const reason = whyNotResumable(resumedReport, {
    target: baseUrl,
    version,
    options: reportedOptions(options, mayWrite),
  });
  if (reason !== undefined) throw new CannotRun(`the report cannot be resumed: ${reason}`);
  const decided = decidedClauses(resumedReport);
  return chosen.filter(({ id }) => !decided.has(id));
}

/**
 * Checks the remaining clauses. If the target refuses a valid request that one of them needs, the clause about such
 * requests is added to both lists: without it, a run of a few clauses would pass although it had to skip some of them.
 * The clause is added before the result is yielded, so that a run that ends here is reported as incomplete.
 * @param lists the chosen clauses of a run, and those of them without a final result in the resumed report
 */
async function* checkRun(
  session: Session,
  { chosen, remaining }: { readonly chosen: Clause[]; readonly remaining: Clause[] },
  options: { readonly strict: boolean | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<Result, void> {
  // The loop also checks the clauses that it adds to its list.
  for await (const result of checkClauses(session, remaining, options)) {
    const added = clausesAboutRefusals(session).filter((clause) => !chosen.includes(clause));
    chosen.push(...added);
    remaining.push(...added);
    yield result;
  }
}

/**
 * Runs the suite against a target. The report of an aborted run is incomplete.
 * @throws CannotRun, also if aborted before the first clause was checked; any other error is a bug in
 * the suite
 */
export async function runContract(options: FileDriverOptions, run: RunOptions = {}): Promise<RunReport> {
  const { waivers = [], onOpen, onClause, onWait, onPrint, signal, resumedReport, uncaughtErrors = [] } = run;
  const startedAt = new Date();
  // Throws on invalid options before anything is started.
  const { baseUrl, mayWrite } = createTarget(options).options;
  const chosen = [...chosenClauses(options, resumedReport)];
  const remaining = [...remainingClauses(options, resumedReport)];
  const checked: ClauseReport[] = [];
  const redact = redactorFor(secretsOf(options));
  const reportOn = (
    { target, observedChoices, driverName }: Session,
    problems: readonly string[],
    { hasSuiteFailed = false } = {},
  ): RunReport =>
    runReport(
      { target: baseUrl, version, options: reportedOptions(options, mayWrite) },
      {
        target: baseUrl,
        driver: driverName,
        startedAt,
        durationMs: Date.now() - startedAt.getTime(),
        requests: target.requestCount,
        gaps: [...observedChoices].map(([id, observed]) => ({ id, observed: target.redactDeep(observed) })),
        problems: [...summarizeUnanswered(target.unanswered), ...problems],
        hasSuiteFailed,
      },
      { chosen, results: checked, waivers },
      resumedReport,
    );
  const interruptionMessage = (): string =>
    `the run was interrupted after ${chosen.length - remaining.length + checked.length} of ${chosen.length} clauses`;
  const failures: unknown[] = [];
  const restoreConsole = onPrint && captureConsole((text) => onPrint(redact(text)));
  let openedSession: Session | undefined;
  try {
    const session = await openSession(options, onWait, signal);
    openedSession = session;
    if (!signal?.aborted) {
      const includeRateLimit = options.include?.includes('rate-limit') === true;
      const { requestsPerMinute } = session.options;
      const hasDriver = session.driver !== noDriver;
      const requestsOfClauses = estimateRequests(remaining, { mayWrite, hasDriver, includeRateLimit });
      onOpen?.({ requests: requestsOfClauses + furtherTokenChecks(session.target).length, requestsPerMinute });
    }
    for await (const result of checkRun(session, { chosen, remaining }, { strict: options.strict, signal })) {
      checked.push(clauseReport(result, session.target.redact));
      onClause?.(session.target, () => reportOn(session, [interruptionMessage()]));
    }
  } catch (error) {
    failures.push(error);
  } finally {
    await openedSession?.close().catch((error: unknown) => failures.push(error));
    restoreConsole?.();
  }
  const classified = classifyFailures([...failures, ...uncaughtErrors], [options.driver], redact);
  const problems = classified.problems.map(({ line }) => line);
  const { crashes } = classified;
  if (openedSession && signal?.aborted && checked.length < remaining.length) {
    const allProblems = [...problems, ...crashes, interruptionMessage()];
    if (checked.length === 0) throw new CannotRun(allProblems.join('; '));
    return reportOn(openedSession, allProblems, { hasSuiteFailed: crashes.length > 0 });
  }
  if (!openedSession || checked.length === 0) {
    if (problems[0] !== undefined) throw new CannotRun(problems[0]);
    throw new Error(crashes[0] ?? 'no clause was checked');
  }
  return reportOn(openedSession, [...problems, ...crashes], { hasSuiteFailed: crashes.length > 0 });
}
