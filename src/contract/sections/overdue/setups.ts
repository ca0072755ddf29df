import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { type ClauseContext, type Setup, type Step, setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import type { Place } from '../fields.js';
import type { Row } from '../invoice-creation/setups.js';
import { findRow, lastPage, type RowsPage, rowsPage } from '../paging/setups.js';

/** A page of a list, before and after records were created. */
export interface Growth {
  readonly before: RowsPage;
  readonly after: RowsPage;
  /** Number of records created in between. */
  readonly made: number;
}

/**
 * Reads a page again until it counts the records created since, or the timeout has passed.
 * @param made number of records created otherwise than by POST to the list's path
 * @param first a later response, if there is one already
 */
export async function growthOf(context: ClauseContext, before: RowsPage, made = 0, first?: RowsPage): Promise<Growth> {
  const { path } = before.page.call;
  const [list = path] = path.split('?', 1);
  const all = made + createdSince(context, before.page, list);
  const isCounted = ({ total = 0 }: RowsPage): boolean => total >= (before.total ?? 0) + all;
  const after =
    first && isCounted(first)
      ? first
      : await eventually(context, async () => rowsPage(await context.get(path)), isCounted);
  return { before, after, made: all };
}

/** Finds records on the first or last page of the current list; reads both again only while a record is missing. */
export function laterRows(
  growth: Setup<Growth>,
): (context: ClauseContext, isMatch: (row: Row) => boolean) => Promise<Place> {
  const end = setup(`${growth.name}, the last page`, async (context) => {
    const { after } = await context.use(growth);
    return lastPage(context, after.page.call.path, after);
  });
  return async (context, isMatch) => {
    const { after } = await context.use(growth);
    const [list = ''] = after.page.call.path.split('?', 1);
    const known = await findRow(context, list, isMatch, after, () => context.use(end));
    // A list that lags may have counted an earlier record instead.
    const found =
      known === 'absent'
        ? await eventually(
            context,
            () => findRow(context, list, isMatch),
            (place) => place !== 'absent',
          )
        : known;
    if (typeof found !== 'object') throw new Blocked('the record is not on the pages of the list that were looked at');
    return found;
  };
}

/** Number of records created in a list since a response, as far as ids distinguish them. */
function createdSince({ session }: ClauseContext, answer: Exchange, list: string): number {
  const since = session.steps.findIndex(({ exchange }) => exchange === answer);
  const idsIn = (steps: readonly Step[]): Set<string> =>
    new Set(
      steps
        .filter(({ call, exchange }) => call.method === 'POST' && call.path === list && exchange && isSuccess(exchange))
        .flatMap(({ exchange }) => valueAt(exchange?.json, 'data.id') ?? [])
        .map(String),
    );
  const known = idsIn(session.steps.slice(0, since));
  return [...idsIn(session.steps.slice(since + 1))].filter((id) => !known.has(id)).length;
}

/** @throws Violation unless `total` grew by the created records at least; other clients may create more */
export function expectCounted({ before, after, made }: Growth): void {
  if (made === 0) throw new Blocked('nothing was made since the list was asked for', before.page);
  if (before.total === undefined) throw new Blocked('the list has shown no `total`', before.page);
  const least = before.total + made;
  if (!(Number(after.total) >= least)) {
    throw new Violation(
      `\`data.total\` to be ${least} at least, after ${made} more were made`,
      after.total,
      after.page,
    );
  }
}
