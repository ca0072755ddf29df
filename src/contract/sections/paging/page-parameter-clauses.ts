import { Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { aCount, expectField, expectSuccess, expectValue, requireSuccess, valueAt } from '../../engine/expect.js';
import { retryClause } from '../../engine/retry-clause.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { maxPerPage } from '../../predicates/statements.js';
import { pageQuotes } from '../field-quotes.js';
import {
  areInSameOrder,
  expectRecordCount,
  haveSameIds,
  idsOf,
  type List,
  type PageReaders,
  parsePage,
  queryOf,
  shortListSkip,
  smallPageSize,
} from './pages.js';

/** Clauses 15 to 18, 20 and 49: `page` and `last_page`. */
export function pageParameterClauses(list: List, pages: PageReaders): Clause[] {
  const { prefix, operation, spec, path, plural } = list;
  const common = {
    operation,
    spec,
    quote: '| page | integer | 1 | page number |',
    level: 'documented',
  } as const;
  const readSmallPage = (context: ClauseContext, number: number): Promise<Exchange> =>
    context.get(`${path}?per_page=${smallPageSize}&page=${number}`);
  const secondPage = setup(`the second page of ${plural}`, async (context) => {
    if (parsePage(await pages.readSmall(context)).total <= smallPageSize) throw shortListSkip(plural);
    return readSmallPage(context, 2);
  });
  const readFirstRecords = (context: ClauseContext, count: number): Promise<Exchange> =>
    context.get(`${path}?per_page=${count}&page=1`);
  /** Page 2 without `per_page`; undefined if the first page has the whole list. */
  const secondPageOfDefaultSize = setup(`the second page of ${plural} of the default size`, async (context) => {
    const { total, size } = parsePage(await pages.readDefault(context));
    return total > size ? context.get(`${path}?page=2`) : undefined;
  });
  const threePagesAsOne = setup(`the first three pages of ${plural} as one page`, (context) =>
    readFirstRecords(context, smallPageSize * 3),
  );
  /**
   * Compares the first pages of the list with one page that has their records. The order of the records on a page does
   * not matter, since the specification does not mention it.
   * @param readFurther reads the pages after the second
   */
  const expectSameRecords = async (
    context: ClauseContext,
    isFirstAttempt: boolean,
    readFurther: (context: ClauseContext) => Promise<readonly Exchange[]>,
  ): Promise<void> => {
    const page1 = await pages.readSmall(context, isFirstAttempt);
    const page2 = isFirstAttempt ? await context.use(secondPage) : await readSmallPage(context, 2);
    const firstPages = [page1, page2, ...(await readFurther(context))];
    const ids = firstPages.flatMap(idsOf);
    const maximumCount = firstPages.length * smallPageSize;
    const threePageIds = idsOf(
      isFirstAttempt ? await context.use(threePagesAsOne) : await readFirstRecords(context, smallPageSize * 3),
    );
    // Most targets list records in the same order whatever the page size, so this one page is enough for both clauses.
    if (areInSameOrder(ids, threePageIds.slice(0, maximumCount))) return;
    const expectedIds =
      threePageIds.length > maximumCount ? idsOf(await readFirstRecords(context, maximumCount)) : threePageIds;
    if (haveSameIds(ids, expectedIds)) return;
    const violation = new Violation(
      `pages 1–${firstPages.length} to have the ${plural} ${expectedIds.join(', ')}`,
      ids.join(', '),
      firstPages.at(-1),
    );
    // If another client adds a record between these requests, the pages differ, which is not a violation. So they are all
    // read again, and if they differ once more, page 1 shows whether the list keeps changing.
    if (isFirstAttempt) throw violation;
    const readPage1 = () => context.get(`${path}?per_page=${smallPageSize}`);
    const page1Again = await readPage1();
    const isSamePage = (one: Exchange, other: Exchange): boolean =>
      parsePage(one).total === parsePage(other).total && haveSameIds(idsOf(one), idsOf(other));
    if (!isSamePage(page1, page1Again)) {
      const immediately = await readPage1();
      if (isSamePage(page1Again, immediately) || parsePage(page1Again).total !== parsePage(immediately).total) {
        throw new Skip({
          missing: 'an account that nobody else changes',
          reason: `the list of ${plural} keeps changing`,
        });
      }
      throw new Violation(
        `page 1 to have the ${plural} ${idsOf(page1Again).join(', ')} again, immediately after the previous request`,
        idsOf(immediately).join(', '),
        immediately,
      );
    }
    throw violation;
  };
  return [
    {
      ...common,
      id: `${prefix}-15`,
      title: `\`page=2\` returns page 2 of the ${plural}, and other pages have their own numbers.`,
      readsEarlierResponses: true,
      check: async (context) => {
        const page = await context.use(secondPage);
        expectSuccess(page);
        expectValue(page, 'data.current_page', 2);
        await retryClause(async (isFirstAttempt) => {
          const first = await pages.readDefault(context, isFirstAttempt);
          const second = isFirstAttempt
            ? await context.use(secondPageOfDefaultSize)
            : await context.get(`${path}?page=2`);
          if (!second) return;
          expectValue(second, 'data.current_page', 2);
          expectRecordCount(second, 2);
          if (haveSameIds(idsOf(first), idsOf(second)))
            throw new Violation(`other ${plural} than on page 1`, idsOf(second).join(', '), second);
        });
        for (const read of await pages.soFar(context)) {
          const number = Number(queryOf(read).get('page') ?? 1);
          const { total, size } = parsePage(read);
          // The specification does not say what a target returns for a page beyond the last.
          if (number <= Math.ceil(total / size)) expectValue(read, 'data.current_page', number);
        }
      },
    },
    {
      ...common,
      id: `${prefix}-16`,
      title: `No record is missing or repeated between two pages of ${plural}.`,
      check: (context) => retryClause((isFirstAttempt) => expectSameRecords(context, isFirstAttempt, async () => [])),
    },
    {
      ...common,
      id: `${prefix}-49`,
      title: `No record is missing or repeated on the third page of ${plural}.`,
      check: (context) =>
        retryClause(async (isFirstAttempt) => {
          if (parsePage(await pages.readSmall(context)).total <= smallPageSize * 2) throw shortListSkip(plural, 3);
          await expectSameRecords(context, isFirstAttempt, async () => [await readSmallPage(context, 3)]);
        }),
    },
    {
      ...common,
      id: `${prefix}-20`,
      title: `The last page of ${plural} has exactly the remaining records.`,
      check: async (context) => {
        // Reads this page now, because later clauses check all pages that were read so far.
        await context.runIfPossible(secondPageOfDefaultSize);
        await retryClause(async (isFirstAttempt) => {
          const firstPage = await pages.readSmall(context, isFirstAttempt);
          const { total, size } = parsePage(firstPage);
          const last = Math.ceil(total / size);
          // NaN if `total` and `per_page` are both 0.
          if (!(last > 1)) throw shortListSkip(plural);
          const lastPage = await readSmallPage(context, last);
          expectRecordCount(lastPage, last);
          const firstIds = idsOf(firstPage);
          const repeated = idsOf(lastPage).find((id) => firstIds.includes(id));
          if (repeated !== undefined)
            throw new Violation(`page ${last} to have no record of page 1`, repeated, lastPage);
        });
      },
    },
    {
      ...common,
      id: `${prefix}-17`,
      spec: 'Pagination envelope (list endpoints)',
      quote: pageQuotes.last_page,
      title: `\`data.last_page\` of the list of ${plural} is ${aCount.description}.`,
      readsEarlierResponses: true,
      check: async (context) => {
        for (const page of await pages.soFar(context)) expectField(page, 'data.last_page', aCount);
      },
    },
    {
      ...common,
      id: `${prefix}-18`,
      level: 'inferred',
      spec: 'Pagination envelope (list endpoints)',
      quote: pageQuotes.last_page,
      title: `\`last_page\` of ${plural} is \`total\` divided by \`per_page\`, rounded up.`,
      readsEarlierResponses: true,
      check: async (context) => {
        await pages.readSmall(context);
        const largestTotal = Math.max(...(await pages.soFar(context)).map((page) => parsePage(page).total));
        const requestedSize = sizeWithShortLastPage(largestTotal);
        if (requestedSize !== undefined) requireSuccess(await context.get(`${path}?per_page=${requestedSize}`));
        for (const page of await pages.soFar(context)) {
          const { total, size } = parsePage(page);
          const expectedLast = Math.ceil(total / size);
          const last = valueAt(page.json, 'data.last_page');
          // The specification does not say whether an empty list has one page or none.
          if (last !== expectedLast && !(expectedLast === 0 && last === 1)) {
            throw new Violation(`\`data.last_page\` to be ${expectedLast}`, last, page);
          }
        }
      },
    },
  ];
}

/**
 * Page size with which the last page of a list is less than half full: it shows whether a target rounds `last_page` up,
 * and not down or to the nearest integer. Usually `total - 1`; undefined if the list is too short.
 */
function sizeWithShortLastPage(total: number): number | undefined {
  for (let size = Math.min(total - 1, maxPerPage); size > smallPageSize; size--) {
    const rest = total % size;
    if (rest > 0 && rest < size / 2) return size;
  }
  return undefined;
}
