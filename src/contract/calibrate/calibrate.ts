import { DriverError } from '../drivers/driver.js';
import { CannotRun } from '../engine/cannot-run.js';
import { checkClauses } from '../engine/check-clauses.js';
import { type ContractOptions, openSession } from '../engine/open-session.js';
import type { OnWait } from '../engine/pace.js';
import { type Result, suiteFault } from '../engine/run.js';
import type { GapId, Session } from '../engine/session.js';
import { evidenceLines } from '../report/evidence-lines.js';
import { probes } from '../sections/probes.js';
import type { Probe } from './probe.js';

/** The finding about one gap. It contains no secrets. */
export interface Finding {
  readonly gap: GapId;
  readonly question: string;
  /** As a profile writes it; undefined where it stayed unknown. */
  readonly choice: unknown;
  /** Why it stayed unknown, or what was seen that is not a choice; empty if there is a choice. */
  readonly why: string;
  /** Exchanges and webhooks, a line each. */
  readonly evidence: readonly string[];
}

/** The findings about a target. */
export interface Calibration {
  readonly target: string;
  readonly driver: string;
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Problems: requests without a response, a driver that failed. */
  readonly problems: readonly string[];
  /** Faults of the suite's own. */
  readonly faults: readonly string[];
}

/** How a calibration is watched, and ended. */
export interface CalibrateOptions {
  readonly onProbe?: (progress: { readonly requests: number }) => void;
  readonly onWait?: OnWait;
  readonly signal?: AbortSignal;
}

/**
 * Probes every gap on a target, one after the other.
 * @throws CannotRun, DriverError
 */
export async function calibrate(options: ContractOptions, watch: CalibrateOptions = {}): Promise<Calibration> {
  const { onProbe, onWait, signal } = watch;
  const session = await openSession(options, onWait);
  const results: Result[] = [];
  const findings: Finding[] = [];
  const problems: string[] = [];
  try {
    for await (const result of checkClauses(session, probes, { signal })) {
      results.push(result);
      findings.push(
        ...probes.filter((probe) => probe === result.clause).map((probe) => findingOf(session, probe, result)),
      );
      onProbe?.(session.target);
    }
    if (results.length < probes.length) {
      throw new CannotRun(`the run was interrupted after ${results.length} of ${probes.length} gaps`);
    }
  } finally {
    // What was found out is not lost by a driver that fails at its end.
    await session.close().catch((error: unknown) => {
      if (!(error instanceof DriverError)) throw error;
      problems.push(error.message);
    });
  }
  // What breaks one probe may break others just so.
  const broken = [...new Set(results.filter(({ status }) => status === 'broken').map(({ detail }) => detail))];
  const isFault = (detail: string): boolean => detail.startsWith(suiteFault);
  const { target, driverName } = session;
  return {
    target: target.options.baseUrl,
    driver: driverName,
    requests: target.requests,
    findings,
    problems: [...target.unanswered, ...broken.filter((detail) => !isFault(detail)), ...problems],
    faults: broken.filter(isFault),
  };
}

/** The finding of a probe. */
function findingOf({ target, gaps }: Session, probe: Probe, result: Result): Finding {
  const { gap, title, telling } = probe;
  const choice = gaps.has(gap) ? target.redactDeep(gaps.get(gap)) : undefined;
  return {
    gap,
    question: title,
    choice,
    why: choice === undefined ? result.detail : '',
    evidence: evidenceLines(result, telling).map((line) => target.redact(line)),
  };
}
