import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { type ClauseContext, type Setup, type Step, setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import type { RecordLocation } from '../fields.js';
import type { Row } from '../invoice-creation/setups.js';
import { findRow, lastPage, type RowsPage, rowsPage } from './setups.js';

/** First page of a list, read before and after records were created. */
export interface Growth {
  readonly before: RowsPage;
  readonly after: RowsPage;
  /** Number of records that the suite created in between. */
  readonly createdCount: number;
}

/**
 * Reads a page again until its `total` includes the records created since, or the timeout has passed.
 * @param otherCreations number of records created by other means than a POST to the list's path
 * @param knownPage a page read after the creations, used if it includes them
 */
export async function readGrowth(
  context: ClauseContext,
  before: RowsPage,
  otherCreations = 0,
  knownPage?: RowsPage,
): Promise<Growth> {
  const { path } = before.page.call;
  const [list = path] = path.split('?', 1);
  const createdCount = otherCreations + createdSince(context, before.page, list);
  const includesCreations = ({ total = 0 }: RowsPage): boolean => total >= (before.total ?? 0) + createdCount;
  const after =
    knownPage && includesCreations(knownPage)
      ? knownPage
      : await eventually(context, async () => rowsPage(await context.get(path)), includesCreations);
  return { before, after, createdCount };
}

/**
 * Creates a function that finds records on the first or last page of a list that has grown. It reads both pages again
 * only if a record is missing.
 * @throws Blocked if the record is not found
 */
export function laterRows(
  growth: Setup<Growth>,
): (context: ClauseContext, isMatch: (row: Row) => boolean) => Promise<RecordLocation> {
  const end = setup(`${growth.name}, the last page`, async (context) => {
    const { after } = await context.use(growth);
    return lastPage(context, after.page.call.path, after);
  });
  return async (context, isMatch) => {
    const { after } = await context.use(growth);
    const [list = ''] = after.page.call.path.split('?', 1);
    const foundAtFirst = await findRow(context, list, isMatch, after, () => context.use(end));
    // The `total` of a list that lags behind may have grown by a record that another client created.
    const found =
      foundAtFirst === 'absent'
        ? await eventually(
            context,
            () => findRow(context, list, isMatch),
            (location) => location !== 'absent',
          )
        : foundAtFirst;
    if (typeof found !== 'object') throw new Blocked('the record is not on the pages of the list that were searched');
    return found;
  };
}

/** Number of records created in a list since a response, by their distinct ids. */
function createdSince({ session }: ClauseContext, response: Exchange, list: string): number {
  const since = session.steps.findIndex(({ exchange }) => exchange === response);
  const idsIn = (steps: readonly Step[]): Set<string> =>
    new Set(
      steps
        .filter(({ call, exchange }) => call.method === 'POST' && call.path === list && exchange && isSuccess(exchange))
        .flatMap(({ exchange }) => valueAt(exchange?.json, 'data.id') ?? [])
        .map(String),
    );
  const earlierIds = idsIn(session.steps.slice(0, since));
  return [...idsIn(session.steps.slice(since + 1))].filter((id) => !earlierIds.has(id)).length;
}

/** @throws Violation unless `total` grew by at least the created records; other clients may create more */
export function expectTotalGrew({ before, after, createdCount }: Growth): void {
  if (createdCount === 0) throw new Blocked('no record was created since the list was read', before.page);
  if (before.total === undefined) throw new Blocked('the list has shown no `total`', before.page);
  const minimum = before.total + createdCount;
  if (!(Number(after.total) >= minimum)) {
    throw new Violation(
      `\`data.total\` to be at least ${minimum}, after ${createdCount} more were created`,
      after.total,
      after.page,
    );
  }
}
