import { Blocked, Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type SentRequest, type Setup, setup } from '../../engine/session.js';
import type { RecordLocation } from '../fields.js';
import {
  findInList,
  findUntilListed,
  isFound,
  type ListPage,
  readLastPage,
  requireFound,
  toListPage,
} from './setups.js';

/** The first page of a list, before and after the list grew because records were created. */
export interface ListGrowth {
  readonly before: ListPage;
  readonly after: ListPage;
  /** Number of records that the suite created between the two reads. */
  readonly createdCount: number;
}

/**
 * Reads a page again until its `total` includes the records that were created since `before` was read, or the timeout
 * has passed.
 * @param options.createdByDriver number of records that the driver created; those that a POST to the list's path
 *   created are counted anyway
 * @param options.laterPage a page that was read after `before`; it is used if its `total` includes the records that
 *   were created before it was read
 */
export async function measureListGrowth(
  context: ClauseContext,
  before: ListPage,
  { createdByDriver = 0, laterPage }: { readonly createdByDriver?: number; readonly laterPage?: ListPage } = {},
): Promise<ListGrowth> {
  const { path } = before.page.call;
  const [listPath = path] = path.split('?', 1);
  const countUntil = (page?: Exchange): number =>
    createdByDriver + countCreatedSince(context, before.page, listPath, page);
  const includes = ({ total = 0 }: ListPage, createdCount: number): boolean =>
    total >= (before.total ?? 0) + createdCount;
  if (laterPage && includes(laterPage, countUntil(laterPage.page)))
    return { before, after: laterPage, createdCount: countUntil(laterPage.page) };
  const createdCount = countUntil();
  const after = await eventually(
    context,
    async () => toListPage(await context.get(path)),
    (page) => includes(page, createdCount),
  );
  return { before, after, createdCount };
}

/**
 * Finds a record in a list that has grown. Searches the first and the last page, and reads them again only if the
 * record is missing, or not updated yet.
 * @param isUpdated returns true once the list shows a change to the record; default: no change is awaited. After the
 *   timeout, the record is returned as the list shows it
 * @throws Blocked if the record is not found
 */
type RecordFinder = (
  context: ClauseContext,
  isMatch: (record: JsonObject) => boolean,
  isUpdated?: (location: RecordLocation) => boolean,
) => Promise<RecordLocation>;

/** Creates a function that finds records in a list that has grown, including records from before. */
export function createRecordFinder(listGrowth: Setup<ListGrowth>): RecordFinder {
  const lastPage = setup(`the last page of ${listGrowth.name}`, async (context) => {
    const { after } = await context.use(listGrowth);
    return readLastPage(context, after.page.call.path, after);
  });
  return async (context, isMatch, isUpdated = () => true) => {
    const { after } = await context.use(listGrowth);
    const [listPath = ''] = after.page.call.path.split('?', 1);
    // A list that is updated late may not contain the record yet, although its `total` has grown: because of a record
    // of another client.
    const found = await findUntilListed(context, listPath, isMatch, after, () => context.use(lastPage));
    const location = requireFound(found, 'the record');
    if (isUpdated(location)) return location;
    const reread = await eventually(
      context,
      () => findInList(context, listPath, isMatch),
      (result) => isFound(result) && isUpdated(result),
    );
    return isFound(reread) ? reread : location;
  };
}

/**
 * Counts the records, by distinct id, that requests to a list's path have created since a response of the session. A
 * repeated create request may return an earlier record, which does not count.
 * @param until counts only requests that were sent before that of this response
 */
export function countCreatedSince(
  { session }: ClauseContext,
  response: Exchange,
  listPath: string,
  until?: Exchange,
): number {
  const indexOf = (sought: Exchange): number => session.sentRequests.findIndex(({ exchange }) => exchange === sought);
  const responseIndex = indexOf(response);
  const idsIn = (requests: readonly SentRequest[]): Set<string> =>
    new Set(
      requests
        .filter(
          ({ call, exchange }) => call.method === 'POST' && call.path === listPath && exchange && isSuccess(exchange),
        )
        .flatMap(({ exchange }) => valueAt(exchange?.json, 'data.id') ?? [])
        .map(String),
    );
  const earlierIds = idsIn(session.sentRequests.slice(0, responseIndex));
  const laterIds = idsIn(session.sentRequests.slice(responseIndex + 1, until && indexOf(until)));
  return [...laterIds].filter((id) => !earlierIds.has(id)).length;
}

/**
 * Other clients may create records, too, so `total` may grow by more than the number of created records.
 * @throws Violation if `total` grew by less; Blocked if no record was created, or the list showed no `total`
 */
export function expectTotalGrew({ before, after, createdCount }: ListGrowth): void {
  if (createdCount === 0) throw new Blocked('no record was created since the list was read', before.page);
  if (before.total === undefined) throw new Blocked('the list did not show a `total`', before.page);
  const minimum = before.total + createdCount;
  if (!(Number(after.total) >= minimum)) {
    throw new Violation(
      `\`data.total\` to be at least ${minimum}, after ${createdCount} more records were created`,
      after.total,
      after.page,
    );
  }
}
