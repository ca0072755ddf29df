import { isRecord } from '../../../lib/json.js';
import type { Exchange } from '../../engine/exchange.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { successesSoFar } from '../responses.js';
import { depositRecordIn, depositRowsIn, idOf } from './setups.js';

/** A record in a response that shows a deposit of the suite. */
export interface ShownDeposit {
  readonly record: JsonObject;
  readonly page: Exchange;
  /** Body of the request that created the deposit. */
  readonly body: JsonObject;
}

/** Finds all records of the suite's deposits in the responses so far. Records without an id are left out. */
export function shownDeposits(context: ClauseContext): ShownDeposit[] {
  const bodies = new Map<string, JsonObject>();
  for (const page of successesSoFar(context, 'createDeposit')) {
    const id = String(idOf(depositRecordIn(page) ?? {}));
    const { body } = page.call;
    if (isRecord(body) && !bodies.has(id)) bodies.set(id, body);
  }
  return pagesWithDeposits(context).flatMap(({ page, records }) =>
    records.flatMap((record) => {
      const id = idOf(record);
      const body = id === undefined ? undefined : bodies.get(String(id));
      return body ? [{ record, page, body }] : [];
    }),
  );
}

/** A response, and the records in it that are, or may be, deposits. */
interface PageWithDeposits {
  readonly page: Exchange;
  readonly records: readonly JsonObject[];
}

function pagesWithDeposits(context: ClauseContext): PageWithDeposits[] {
  const pagesOf = (
    operation: Parameters<typeof successesSoFar>[1],
    recordsIn: (page: Exchange) => readonly JsonObject[],
  ): PageWithDeposits[] => successesSoFar(context, operation).map((page) => ({ page, records: recordsIn(page) }));
  const recordIn = (page: Exchange): JsonObject[] => [depositRecordIn(page) ?? {}];
  // The specification does not say what captures and releases return. A record without a `booking_reference` may be a
  // capture, which has an amount of its own.
  const recordIfBooking = (page: Exchange): JsonObject[] =>
    recordIn(page).filter((record) => 'booking_reference' in record);
  return [
    ...pagesOf('createDeposit', recordIn),
    ...pagesOf('getDeposit', recordIn),
    ...pagesOf('listDeposits', (page) => depositRowsIn(page) ?? []),
    ...pagesOf('captureDeposit', recordIfBooking),
    ...pagesOf('releaseDeposit', recordIfBooking),
  ];
}
