import { eventually } from '../engine/eventually.js';
import type { Exchange } from '../engine/exchange.js';
import type { ClauseContext, Session } from '../engine/session.js';

/** The sessions whose target has not shown a created record in time. */
const sessionsWithMissingRecord = new WeakSet<Session>();

/**
 * Reads a record that the suite has created. A target may show it only after a delay, for example if it reads from a
 * replica of its database, so the read is repeated while the response is 404. Once a record has stayed missing until
 * the timeout has passed, other records are read only once.
 */
export async function readCreatedRecord(context: ClauseContext, path: string): Promise<Exchange> {
  const { session } = context;
  const isFound = ({ status }: Exchange): boolean => status !== 404;
  const exchange = await eventually(
    context,
    () => context.get(path),
    (read) => isFound(read) || sessionsWithMissingRecord.has(session),
  );
  if (!isFound(exchange)) sessionsWithMissingRecord.add(session);
  return exchange;
}
