import type { Exchange } from '../engine/exchange.js';
import type { Session } from '../engine/session.js';

/** Identifies the records of a run. */
export type Marked = Pick<Session, 'mark'>;

/** Whether a response is about records that the suite created. */
export function isOwn({ call, text }: Exchange, { mark }: Marked): boolean {
  return call.method !== 'GET' || text.includes(mark);
}
