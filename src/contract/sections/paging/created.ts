import type { OperationId } from '../../../generated/billing-document.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import type { CreatedRecord } from '../created-records.js';
import { createdSoFar } from '../created-records.js';
import { successesSoFar } from '../responses.js';
import { type RowsPage, rowsPage } from './setups.js';

/** Returns the exchanges of the requests that were sent before the request of a response. */
function sentBefore({ session }: ClauseContext, response: Exchange): readonly Exchange[] {
  const index = session.sentRequests.findIndex(({ exchange }) => exchange === response);
  return session.sentRequests.slice(0, index).flatMap(({ exchange }) => exchange ?? []);
}

/**
 * Checks that a list has all records that were created before it was read. Reads it again as long as one is missing: a
 * list may be updated late.
 * @param known a page of the list, which is enough if it has all records
 * @throws Violation if a record is missing; Skip if the list is longer than a page
 */
export async function expectAllListed(
  context: ClauseContext,
  known: RowsPage,
  { path, creation }: { readonly path: string; readonly creation: OperationId },
): Promise<void> {
  const earlier = sentBefore(context, known.page);
  const created = createdSoFar(context, creation).filter(({ exchange }) => earlier.includes(exchange));
  if (created.length === 0) throw new Blocked('no record was created before the list was read', known.page);
  const missingFrom = ({ rows }: RowsPage): CreatedRecord | undefined =>
    created.find(({ record: { id } }) => id !== undefined && !rows.some((row) => String(row['id']) === String(id)));
  if (!missingFrom(known)) return;
  const isDecided = (list: RowsPage): boolean => !list.isWholeList || !missingFrom(list);
  const list = isDecided(known)
    ? known
    : await eventually(context, async () => rowsPage(await context.get(`${path}?per_page=100`)), isDecided);
  if (!list.isWholeList)
    throw new Skip({ missing: 'a list of one page', reason: 'the list has more records than a page holds' });
  const missing = missingFrom(list);
  if (missing)
    throw new Violation(`${formatExactJson(missing.record['id'])} in the list`, 'a list without it', list.page);
}

/**
 * Checks that the pages of a list so far have no record of the run that no response to a creation has returned: a target
 * may store a record twice, or one that it has refused.
 * @param isOfRun true for a record with a text of the run
 * @throws Violation; Skip if the target may have created a record without a response that shows its id
 */
export function expectNoUnknownRecords(
  context: ClauseContext,
  options: {
    readonly creation: OperationId;
    readonly list: OperationId;
    readonly isOfRun: (row: JsonObject) => boolean;
  },
): void {
  const { creation, list, isOfRun } = options;
  const attempts = context.session.sentRequests.filter(({ call }) => operationOf(call)?.id === creation);
  const idOf = (exchange: Exchange): unknown => valueAt(exchange.json, 'data.id');
  const mayHaveCreatedUnknown = ({ exchange }: (typeof attempts)[number]): boolean =>
    exchange === undefined || exchange.status >= 500 || (isSuccess(exchange) && idOf(exchange) === undefined);
  if (attempts.some(mayHaveCreatedUnknown))
    throw new Skip({ missing: 'the ids of all records', reason: 'the response to a creation shows none' });
  const ids = new Set(
    attempts.flatMap(({ exchange }) => (exchange && isSuccess(exchange) ? String(idOf(exchange)) : [])),
  );
  for (const page of successesSoFar(context, list)) {
    const unknown = rowsPage(page).rows.find((row) => isOfRun(row) && !ids.has(String(row['id'])));
    if (unknown) throw new Violation('only records of the run that a response to a creation has shown', unknown, page);
  }
}
