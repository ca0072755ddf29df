import { DriverError } from '../drivers/driver.js';
import { CannotRun } from '../engine/cannot-run.js';
import { checkClauses, type Result, suiteFailurePrefix } from '../engine/check-clauses.js';
import { classifyFailures } from '../engine/classify-failures.js';
import { type ContractOptions, openSession, secretsOf } from '../engine/open-session.js';
import type { OnWait } from '../engine/pace.js';
import type { GapId, Session } from '../engine/session.js';
import { evidenceLines } from '../report/evidence-lines.js';
import { redactorFor } from '../report/redact.js';
import { summarizeUnanswered } from '../report/report.js';
import { probes } from '../sections/probes.js';
import type { Probe } from './probe.js';

/** Observation about one gap, which is a question that the specification does not answer. Secrets are redacted. */
export interface Finding {
  readonly gap: GapId;
  readonly question: string;
  /** The target's choice, as a profile would contain it; undefined if it is unknown. */
  readonly choice: unknown;
  /** Reason why the choice is unknown, or observed behavior that a known choice does not cover; otherwise empty. */
  readonly why: string;
  /** Exchanges and webhooks, one line each. */
  readonly evidence: readonly string[];
}

/** Findings about a target, which `calibrate --json` prints. */
export interface Calibration {
  readonly target: string;
  readonly driver: string;
  /** Number of requests sent. */
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Problems, such as requests without a response or a failed driver. */
  readonly problems: readonly string[];
  /** Errors of the suite itself. */
  readonly suiteErrors: readonly string[];
}

/** Callbacks and abort signal of a calibration. */
export interface CalibrateOptions {
  /** Called after each probe, with the number of requests so far. */
  readonly onProbe?: (progress: { readonly requestCount: number }) => void;
  readonly onWait?: OnWait;
  /** List to which the caller adds uncaught errors during the calibration, such as a rejected promise of a driver. */
  readonly uncaughtErrors?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** Runs the probes one after the other, to find out the target's choice for each gap. @throws CannotRun, DriverError */
export async function calibrate(
  options: ContractOptions,
  { onProbe, onWait, uncaughtErrors = [], signal }: CalibrateOptions = {},
): Promise<Calibration> {
  const session = await openSession(options, onWait, signal);
  const results: Result[] = [];
  const findings: Finding[] = [];
  const problems: string[] = [];
  try {
    for await (const result of checkClauses(session, probes, { signal })) {
      results.push(result);
      const probe = probes.find((candidate) => candidate === result.clause);
      if (probe) findings.push(findingOf(session, probe, result));
      onProbe?.({ requestCount: session.target.requestCount });
    }
    if (results.length < probes.length) {
      throw new CannotRun(`the run was interrupted after ${results.length} of ${probes.length} gaps`);
    }
  } finally {
    // A driver that fails to close is reported along with the findings.
    await session.close().catch((error: unknown) => {
      if (!(error instanceof DriverError)) throw error;
      problems.push(session.target.redact(error.message));
    });
  }
  // Errors of the driver and of the suite, each once: the same error often occurs in many probes.
  const errors = [...new Set(results.filter(({ status }) => status === 'broken').map(({ detail }) => detail))];
  const uncaught = classifyFailures(uncaughtErrors, [options.driver], redactorFor(secretsOf(options)));
  const isSuiteError = (detail: string): boolean => detail.startsWith(suiteFailurePrefix);
  const { target, driverName } = session;
  return {
    target: target.options.baseUrl,
    driver: driverName,
    requests: target.requestCount,
    findings,
    problems: [
      ...summarizeUnanswered(target.unanswered),
      ...errors.filter((detail) => !isSuiteError(detail)),
      ...problems,
      ...uncaught.problems.map(({ line }) => line),
    ],
    suiteErrors: [...errors.filter(isSuiteError), ...uncaught.crashes],
  };
}

/** Turns the result of a probe into a finding. */
function findingOf(session: Session, probe: Probe, result: Result): Finding {
  const { target, observedChoices } = session;
  const { gap, title, evidenceFields } = probe;
  const choice = observedChoices.has(gap) ? target.redactDeep(observedChoices.get(gap)) : undefined;
  return {
    gap,
    question: title,
    choice,
    why: choice === undefined ? result.detail : target.redact(session.remarkOn(gap) ?? ''),
    evidence: evidenceLines(result, evidenceFields).map(target.redact),
  };
}
