import type { Exchange } from '../engine/exchange.js';
import { type Operation, operationOf } from '../engine/operations.js';
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

/**
 * Makes texts of two runs comparable: replaces the run id, sequences of at least eight hex digits, and numbers with
 * `#`, and whitespace with one space.
 */
export function comparableText(text: string, runId: string): string {
  return text
    .replaceAll(new RegExp(runId, 'gi'), '#')
    .replace(/[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ');
}

/**
 * Finds the operation that a response is from; undefined if there is none. If a request with a trailing slash succeeds,
 * the target evidently ignores the slash, so the operation is the one at the path without it.
 */
export function answeredOperation({ call, status }: Exchange): Operation | undefined {
  return operationOf(status < 300 ? { ...call, path: call.path.replace(/\/(?=\?|$)/, '') } : call);
}
