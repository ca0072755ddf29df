import type { Exchange } from '../engine/exchange.js';
import type { Session } from '../engine/session.js';

/** Identifies the records that a run has created. */
export type Marked = Pick<Session, 'mark'>;

/** Whether an answer is about what the suite has made. */
export function isOwn({ call, text }: Exchange, { mark }: Marked): boolean {
  return call.method !== 'GET' || text.includes(mark);
}
