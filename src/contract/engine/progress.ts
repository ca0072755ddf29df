import { type ClauseReport, clauseReport } from '../report/clause-report.js';
import type { Observation } from '../report/report.js';
import type { Result } from './run.js';
import type { Session } from './session.js';

/** How far a run has come, once a clause was checked. Nothing in it is secret. */
export interface Progress {
  readonly clause: ClauseReport;
  /** Of the run so far, as all that follows. */
  readonly requests: number;
  readonly unanswered: readonly string[];
  readonly gaps: readonly Observation[];
  readonly driver: string;
}

export function progressOf({ target, gaps, driverName }: Session, result: Result): Progress {
  return {
    clause: clauseReport(result, (text) => target.redact(text)),
    requests: target.requests,
    unanswered: [...target.unanswered],
    gaps: [...gaps].map(([id, observed]) => ({ id, observed: target.redactDeep(observed) })),
    driver: driverName,
  };
}
