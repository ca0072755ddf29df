import type { Exchange } from '../engine/exchange.js';
import type { Session } from '../engine/session.js';

/** A run, whose id is in the texts of the records that it creates. */
export type WithRunId = Pick<Session, 'runId'>;

/**
 * True if a response is about records that the suite created in this run: it is the response to a write, or it contains
 * the run id.
 */
export function isAboutOwnRecords({ call, text }: Exchange, { runId }: WithRunId): boolean {
  return call.method !== 'GET' || text.includes(runId);
}
