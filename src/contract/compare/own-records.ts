import type { Exchange } from '../engine/exchange.js';
import type { Session } from '../engine/session.js';

/** Identifies the records of a run. */
export type WithRunId = Pick<Session, 'runId'>;

/** Whether a response is about records that the suite created: it answers a write, or contains the id of the run. */
export function isAboutOwnRecords({ call, text }: Exchange, { runId }: WithRunId): boolean {
  return call.method !== 'GET' || text.includes(runId);
}
