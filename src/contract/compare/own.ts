import type { Exchange } from '../exchange.js';
import type { Session } from '../session.js';

/** What tells a run's own records. */
export type Marked = Pick<Session, 'mark'>;

/** Whether an answer is about what the suite has made. */
export function isOwn({ call, text }: Exchange, { mark }: Marked): boolean {
  return call.method !== 'GET' || text.includes(mark);
}
