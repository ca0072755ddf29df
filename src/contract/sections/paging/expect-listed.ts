import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, formatValue, Skip, Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { formatExactJson, type JsonObject } from '../../engine/json.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext } from '../../engine/session.js';
import { isPresent, isSameId } from '../../predicates/matchers.js';
import type { CreatedRecord } from '../created-records.js';
import { createdSoFar } from '../created-records.js';
import { successesSoFar } from '../responses.js';
import { type ListPage, toListPage } from './setups.js';

/** Returns the exchanges whose requests were sent before that of `exchange`. */
function sentBefore({ session }: ClauseContext, exchange: Exchange): readonly Exchange[] {
  const index = session.sentRequests.findIndex((sent) => sent.exchange === exchange);
  return session.sentRequests.slice(0, index).flatMap((sent) => sent.exchange ?? []);
}

/**
 * Checks that a list has all records that were created before it was last read as a whole. Reads it again as long as one
 * is missing: a list may lag behind.
 * @param firstRead a page of the list that has already been read. If responses to the same request show the whole list,
 *   the last of these is checked first; the list is read again only if a record is missing from it
 * @throws Violation if a record is missing; Skip if a record is missing from the page and the list has more pages;
 *   Blocked if no record was created before the page was read
 */
export async function expectAllListed(
  context: ClauseContext,
  firstRead: ListPage,
  options: { readonly path: string; readonly creation: OperationId; readonly list: OperationId },
): Promise<void> {
  const reads = successesSoFar(context, options.list).filter(({ call }) => call.path === firstRead.page.call.path);
  const lastRead = reads.map(toListPage).findLast(({ isWholeList }) => isWholeList) ?? firstRead;
  const earlier = sentBefore(context, lastRead.page);
  const created = createdSoFar(context, options.creation).filter(
    ({ exchange, record }) => isPresent(record['id']) && earlier.includes(exchange),
  );
  if (created.length === 0) throw new Blocked('no record was created before the list was read', lastRead.page);
  const missingFrom = ({ records }: ListPage): CreatedRecord | undefined =>
    created.find(({ record: { id } }) => !records.some((record) => isSameId(record['id'], id)));
  if (!missingFrom(lastRead)) return;
  // True if no record is missing, or if a single page cannot show whether one is missing.
  const isDecided = (list: ListPage): boolean => !list.isWholeList || !missingFrom(list);
  const list = isDecided(lastRead)
    ? lastRead
    : await eventually(context, async () => toListPage(await context.get(`${options.path}?per_page=100`)), isDecided);
  if (!list.isWholeList)
    throw new Skip({ missing: 'a list of one page', reason: 'the list has more records than a page holds' });
  const missing = missingFrom(list);
  if (missing)
    throw new Violation(`${formatExactJson(missing.record['id'])} in the list`, 'a list without it', list.page);
}

/**
 * Checks, on the pages of a list that were read so far, that every record of this run was returned by a create response.
 * If one was not, the target stored a record twice, or stored one that it refused.
 * @param belongsToRun true for a record whose text, such as its description, contains the prefix or the id of the run
 * @throws Violation; Skip if the target may have created a record without a response that shows its id; Blocked if no page
 *   shows a record of this run
 */
export function expectNoUnknownRecords(
  context: ClauseContext,
  options: {
    readonly creation: OperationId;
    readonly list: OperationId;
    readonly belongsToRun: (record: JsonObject) => boolean;
  },
): void {
  const { creation, list, belongsToRun } = options;
  const attempts = context.session.sentRequests.filter(({ call }) => operationOf(call)?.id === creation);
  const idOf = (exchange: Exchange): unknown => valueAt(exchange.json, 'data.id');
  const mayHaveCreatedUnseenRecord = ({ exchange }: (typeof attempts)[number]): boolean =>
    exchange === undefined || exchange.status >= 500 || (isSuccess(exchange) && !isPresent(idOf(exchange)));
  const unseen = attempts.find(mayHaveCreatedUnseenRecord);
  if (unseen) {
    const { call, exchange } = unseen;
    if (exchange) context.recordEvidence(exchange);
    const response = exchange ? `status ${exchange.status} and no usable id` : 'no response';
    throw new Skip({
      missing: 'the ids of all records',
      reason: `${call.method} ${call.path} with the body ${formatValue(call.body)} got ${response}`,
    });
  }
  const ids = new Set(
    attempts.flatMap(({ exchange }) => (exchange && isSuccess(exchange) ? String(idOf(exchange)) : [])),
  );
  let isAnyShown = false;
  for (const page of successesSoFar(context, list)) {
    const ofRun = toListPage(page).records.filter(belongsToRun);
    const unexpected = ofRun.find((record) => !ids.has(String(record['id'])));
    if (unexpected)
      throw new Violation('no records of this run other than those returned by create responses', unexpected, page);
    isAnyShown ||= ofRun.length > 0;
  }
  if (!isAnyShown) throw new Blocked('no page of the list that was read shows a record of this run');
}
