import { isFrom } from '../drivers/file.js';
import { type Redact, redacting } from '../report/redact.js';
import { type Report, reportOf, unansweredIn } from '../report/report.js';
import type { PlainOptions } from '../vitest/context.js';
import { type Failure, runByVitest } from '../vitest/run.js';
import { CannotRun } from './cannot-run.js';
import { estimateRequests } from './estimate.js';
import { targetOf } from './open-session.js';
import type { OnWait } from './pace.js';
import { selected } from './select.js';
import type { Progress } from './suite.js';
import type { Waiver } from './waivers.js';

export type { PlainOptions } from '../vitest/context.js';

/** Estimates a run before it begins. */
export interface Estimate {
  readonly requests: number;
  /** Undefined where the run waits for nothing. */
  readonly requestsPerMinute: number | undefined;
}

/** How a run is watched, and ended. */
export interface RunOptions {
  /** Breaches that are put up with. */
  readonly waivers?: readonly Waiver[];
  /** The target has answered, and the clauses follow. */
  readonly onOpen?: (estimate: Estimate) => void;
  /** A clause has been checked. */
  readonly onClause?: (progress: Progress) => void;
  /** The suite waits for the target's rate window; 0 once that is over. */
  readonly onWait?: OnWait;
  /** What the driver prints. */
  readonly onPrint?: (text: string) => void;
  /** Ends the run: the clause at hand is left, and what was opened is closed. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the suite against a target, by vitest.
 * @throws CannotRun; any other error tells of a fault of the suite's own
 */
export async function runContract(options: PlainOptions, run: RunOptions = {}): Promise<Report> {
  const { waivers = [], onOpen, onClause, onWait, onPrint, signal } = run;
  const startedAt = new Date();
  // What is wrong with the options is told before anything is started.
  const target = targetOf(options);
  const chosen = selected(options.only);
  const seen: Progress[] = [];
  const redact = redacting(secretsOf(options));
  const failures = await runByVitest(options, {
    signal,
    onWait,
    onPrint: (text) => onPrint?.(redact(text)),
    onOpen: (requestsPerMinute) => {
      if (signal?.aborted) return;
      const { mayWrite } = target.options;
      const exceedsLimit = options.include?.includes('rate-limit') === true;
      onOpen?.({ requests: estimateRequests(chosen, { mayWrite, exceedsLimit }), requestsPerMinute });
    },
    onClause: (progress) => {
      seen.push(progress);
      onClause?.(progress);
    },
  });
  if (signal?.aborted) throw new CannotRun(`the run was interrupted after ${seen.length} of ${chosen.length} clauses`);

  const { problems, crashes } = sorted(failures, options.driver, redact);
  const last = seen.at(-1);
  if (!last) {
    if (problems[0] !== undefined) throw new CannotRun(problems[0]);
    throw new Error(crashes[0] ?? 'no clause was checked');
  }
  if (seen.length < chosen.length && crashes.length === 0) {
    crashes.push(`the suite ended after ${seen.length} of ${chosen.length} clauses`);
  }
  return reportOf(
    {
      target: target.options.baseUrl,
      driver: last.driver,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      requests: last.requests,
      gaps: last.gaps,
      problems: [...unansweredIn(last.unanswered), ...problems, ...crashes],
      hasCrashed: crashes.length > 0,
    },
    seen.map(({ clause }) => clause),
    waivers,
    startedAt.toISOString().slice(0, 10),
  );
}

function secretsOf(options: PlainOptions): (string | undefined)[] {
  const { token, readToken, writeToken, scopelessToken, webhookSecret, controlToken } = options;
  return [token, readToken, writeToken, scopelessToken, webhookSecret, controlToken];
}

/** What went wrong beside the clauses: that which a tester can do something about, and faults of the suite's own. */
function sorted(
  failures: readonly Failure[],
  driver: string | undefined,
  redact: Redact,
): { problems: string[]; crashes: string[] } {
  const problems: string[] = [];
  const crashes: string[] = [];
  for (const { name, message, stack } of failures) {
    const line = redact(message).replace(/\s+/g, ' ');
    if (name === 'CannotRun' || name === 'DriverError') problems.push(line);
    else if (isFrom(driver, stack)) problems.push(`the driver ${driver} failed: ${line}`);
    else crashes.push(`${name}: ${line}`);
  }
  return { problems, crashes };
}
