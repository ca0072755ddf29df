import { isRecord } from '../../../lib/json.js';
import type { Exchange } from '../../engine/exchange.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { successesSoFar } from '../responses.js';
import { isSameText, isSameValue } from '../same-values.js';
import { depositRecordIn, depositRecordsIn, idOf } from './setups.js';

/** Paths of fields of a create request, in the order of the clause ids `DEP-FIELD-01` to `DEP-FIELD-08`. */
export const sentFieldPaths = [
  'booking_reference',
  'amount',
  'currency',
  'customer.name',
  'customer.email',
  'check_in_date',
  'check_out_date',
  'metadata.run',
] as const;

/** True if a deposit shows a field of its create request with the value that was sent. */
export function isShownAsSent(field: string, sentValue: unknown, shown: unknown): boolean {
  if (isSameValue(sentValue, shown) || isSameText(sentValue, shown)) return true;
  // A date may be shown as a timestamp on that day: `2026-03-01T00:00:00Z`.
  return typeof shown === 'string' && field.endsWith('_date') && shown.startsWith(String(sentValue));
}

/** A record, found in a response, of a deposit that the suite created. */
export interface ShownDeposit {
  readonly record: JsonObject;
  readonly exchange: Exchange;
  /** Body of the request that created the deposit. */
  readonly sentBody: JsonObject;
}

/** Finds all records of the suite's deposits in the responses so far. Records without an id are left out. */
export function shownDeposits(context: ClauseContext): ShownDeposit[] {
  const sentBodies = new Map<string, JsonObject>();
  for (const exchange of successesSoFar(context, 'createDeposit')) {
    const id = String(idOf(depositRecordIn(exchange)));
    const { body } = exchange.call;
    if (isRecord(body) && !sentBodies.has(id)) sentBodies.set(id, body);
  }
  return responsesWithDeposits(context).flatMap(({ exchange, records }) =>
    records.flatMap((record) => {
      const id = idOf(record);
      const sentBody = id === undefined ? undefined : sentBodies.get(String(id));
      return sentBody ? [{ record, exchange, sentBody }] : [];
    }),
  );
}

/** An exchange, and the records in its response that are, or may be, deposits. */
interface ResponseWithDeposits {
  readonly exchange: Exchange;
  readonly records: readonly JsonObject[];
}

/**
 * Returns the responses with deposits: first those to create requests, then the others in the order in which they arrived.
 * The response to a repeated create request may show the deposit as it was at first, so it must come before every read.
 */
function responsesWithDeposits(context: ClauseContext): ResponseWithDeposits[] {
  const responsesTo = (
    operation: Parameters<typeof successesSoFar>[1],
    recordsIn: (exchange: Exchange) => readonly JsonObject[],
  ): ResponseWithDeposits[] =>
    successesSoFar(context, operation).map((exchange) => ({ exchange, records: recordsIn(exchange) }));
  const recordIn = (exchange: Exchange): JsonObject[] => [depositRecordIn(exchange)];
  // The specification does not say what captures and releases return. A record without a `booking_reference` may be a
  // capture, which has its own amount.
  const recordIfDeposit = (exchange: Exchange): JsonObject[] =>
    recordIn(exchange).filter((record) => 'booking_reference' in record);
  const { exchanges } = context.session.target;
  const later = [
    ...responsesTo('getDeposit', recordIn),
    ...responsesTo('listDeposits', (exchange) => depositRecordsIn(exchange) ?? []),
    ...responsesTo('captureDeposit', recordIfDeposit),
    ...responsesTo('releaseDeposit', recordIfDeposit),
  ].sort((a, b) => exchanges.indexOf(a.exchange) - exchanges.indexOf(b.exchange));
  return [...responsesTo('createDeposit', recordIn), ...later];
}
