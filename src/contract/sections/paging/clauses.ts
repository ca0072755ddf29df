import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  anArray,
  anObject,
  aPositiveInteger,
  decimalOf,
  expectField,
  expectSuccess,
  expectValue,
  isClientError,
  isSuccess,
  type Matcher,
  requireSuccess,
  valueAt,
} from '../../engine/expect.js';
import { retryClause } from '../../engine/retry-clause.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { defaultPerPage, maxPerPage } from '../../predicates/statements.js';
import { pageQuotes } from '../field-quotes.js';
import { countCreatedSince } from './list-growth.js';
import { pageParameterClauses } from './page-parameter-clauses.js';
import {
  expectAtMostPageSize,
  expectDistinctIds,
  expectRecordCount,
  hasKnownCount,
  isFiltered,
  type List,
  type PageReaders,
  pageReaders,
  parsePage,
  queryOf,
  shortListSkip,
  smallPageSize,
} from './pages.js';

/**
 * Creates the clauses about the pages of a list. Their numbers are 01 to 20, 49 and 52, because other clauses already
 * had the numbers from 21 when the last two were added.
 */
export function listClauses(list: List): Clause[] {
  const { prefix, operation, level, path: listPath, plural, quotes, largestPage, hasPageParameter = false } = list;
  const pages = pageReaders(list);
  const common = { level, operation, spec: 'Pagination envelope (list endpoints)' } as const;
  const fieldClause = (number: string, quote: string, path: string, matcher: Matcher): Clause => ({
    ...common,
    id: `${prefix}-${number}`,
    quote,
    title: `\`${path}\` of the list of ${plural} is ${matcher.description}.`,
    readsEarlierResponses: true,
    check: async (context) => {
      for (const page of await pages.soFar(context)) expectField(page, path, matcher);
    },
  });
  return [
    {
      ...common,
      id: `${prefix}-01`,
      spec: list.spec,
      level: 'documented',
      quote: quotes.list,
      title: `The ${plural} can be listed.`,
      check: async (context) => expectSuccess(await pages.readDefault(context)),
    },
    fieldClause('02', 'The list payload in `data` is an object:', 'data', anObject),
    fieldClause('03', pageQuotes.data, 'data.data', anArray),
    fieldClause('04', pageQuotes.current_page, 'data.current_page', aPositiveInteger),
    fieldClause('05', pageQuotes.per_page, 'data.per_page', aPositiveInteger),
    fieldClause('06', pageQuotes.total, 'data.total', aCount),
    {
      ...common,
      id: `${prefix}-07`,
      quote: pageQuotes.per_page,
      title: `A page of ${plural} holds as many records as \`per_page\` and \`total\` say.`,
      readsEarlierResponses: true,
      check: async (context) => {
        for (const page of await pages.soFar(context)) {
          await retryClause(async (isFirstAttempt) => {
            const current = isFirstAttempt ? page : await context.send(page.call);
            // If the number of records cannot be computed, for example for a filtered page, only its maximum is known.
            if (!hasKnownCount(current, list)) return expectAtMostPageSize(current);
            const pageNumber = Number(queryOf(page).get('page') ?? 1);
            expectRecordCount(current, pageNumber);
            // A list that has become longer than this page no longer shows whether its `total` is too high or too low.
            if (!isFirstAttempt && pageNumber === 1) await expectCountOfLongestPage(context, current, listPath);
          });
        }
      },
    },
    {
      ...common,
      id: `${prefix}-08`,
      quote: pageQuotes.current_page,
      title: `Without \`page\`, the list of ${plural} starts with page 1.`,
      readsEarlierResponses: true,
      check: async (context) => {
        for (const page of await pages.soFar(context))
          if (!queryOf(page).has('page')) expectValue(page, 'data.current_page', 1);
      },
    },
    {
      ...common,
      id: `${prefix}-09`,
      spec: list.spec,
      quote: quotes.perPage,
      title: `\`per_page\` takes effect in the list of ${plural}.`,
      readsEarlierResponses: true,
      check: async (context) => {
        const page = requireSuccess(await pages.readSmall(context));
        if (!largestPage && decimalOf(valueAt(page.json, 'data.per_page')) === 1) {
          throw new Skip({
            missing: `pages of ${smallPageSize} or more records`,
            reason: 'pages have one record, and the specification does not say what the maximum is for this list',
          });
        }
        expectValue(page, 'data.per_page', smallPageSize);
        if (!largestPage) return;
        for (const otherPage of await pages.soFar(context)) {
          const size = Number(queryOf(otherPage).get('per_page'));
          if (Number.isInteger(size) && size >= 1 && size <= maxPerPage) expectValue(otherPage, 'data.per_page', size);
        }
      },
    },
    {
      ...common,
      id: `${prefix}-10`,
      spec: list.spec,
      quote: quotes.perPage,
      title: `With \`per_page=${smallPageSize}\`, a page of ${plural} holds ${smallPageSize} records.`,
      check: (context) =>
        retryClause(async (isFirstAttempt) => {
          const page = await pages.readSmall(context, isFirstAttempt);
          if (parsePage(page).total <= smallPageSize) throw shortListSkip(plural);
          requirePageSize(page, smallPageSize);
          expectRecordCount(page);
        }),
    },
    {
      ...common,
      id: `${prefix}-11`,
      quote: pageQuotes.total,
      title: `\`total\` of ${plural} does not depend on the size of the page.`,
      readsEarlierResponses: true,
      check: async (context) => {
        await pages.readSmall(context);
        const expectTotalOf = async (page: Exchange, minimum: number): Promise<void> => {
          if (parsePage(page).total >= minimum) return;
          // Lists may be updated late, each URL at another time, and other clients may change them.
          const { expected, compared } = await eventually(
            context,
            async () => ({
              expected: parsePage(await pages.readDefault(context, false)).total,
              compared: await context.send(page.call),
            }),
            (read) => parsePage(read.compared).total >= read.expected,
          );
          const { total } = parsePage(compared);
          // A larger total is allowed, because other clients may add records.
          if (total < expected)
            throw new Violation(`\`data.total\` to be at least ${expected}, as on other pages`, total, compared);
        };
        let previous: Exchange | undefined;
        for (const page of (await pages.soFar(context)).filter((other) => !isFiltered(other))) {
          await expectTotalOf(page, expectedTotal(context, listPath, previous, page));
          previous = page;
        }
      },
    },
    {
      ...common,
      id: `${prefix}-52`,
      quote: pageQuotes.data,
      title: `No record is repeated on a page of ${plural}.`,
      readsEarlierResponses: true,
      check: async (context) => expectDistinctIds(await pages.soFar(context), 'data.data', plural),
    },
    ...(largestPage ? pageSizeClauses(list, largestPage, pages) : []),
    ...(hasPageParameter ? pageParameterClauses(list, pages) : []),
  ];
}

/** @throws Blocked unless the requested `per_page` is in effect; other clauses report that */
function requirePageSize(page: Exchange, requestedSize: number): void {
  const { size } = parsePage(page);
  if (size !== requestedSize)
    throw new Blocked(`\`per_page=${requestedSize}\` is not in effect: \`data.per_page\` is ${size}`, page);
}

/**
 * Checks the number of records on the longest page of a list, unless a first page already shows the whole list.
 * @throws Violation
 */
async function expectCountOfLongestPage(context: ClauseContext, firstPage: Exchange, path: string): Promise<void> {
  const { total, records } = parsePage(firstPage);
  if (total <= records.length) return;
  const longestPage = await context.send({ ...firstPage.call, path: `${path}?per_page=${maxPerPage}` });
  // The specification states no maximum for the list of deposits, so the target may refuse this one.
  if (isSuccess(longestPage)) expectRecordCount(longestPage);
}

/** The total on an earlier page of a list, plus the number of records that the suite has created before a later one. */
function expectedTotal(context: ClauseContext, path: string, earlier: Exchange | undefined, later: Exchange): number {
  return earlier ? parsePage(earlier).total + countCreatedSince(context, earlier, path, later) : 0;
}

/** Clauses 12 to 14 and 19: the default of `per_page`, and values up to and beyond its maximum. */
function pageSizeClauses(list: List, largestPage: Setup<Exchange>, pages: PageReaders): Clause[] {
  const { prefix, operation, spec, path, plural, quotes } = list;
  const common = { operation, spec, quote: quotes.perPage, level: 'documented' } as const;
  const readLargest = (context: ClauseContext, isFirstAttempt = true): Promise<Exchange> =>
    isFirstAttempt ? context.use(largestPage) : context.get(`${path}?per_page=${maxPerPage}`);
  /** @throws Violation unless a page was refused or has at most the maximum number of records */
  const expectLimitedPage = (page: Exchange): void => {
    if (isClientError(page)) return;
    expectSuccess(page);
    const { size, records } = parsePage(page);
    const largest = Math.max(size, records.length);
    if (largest > maxPerPage)
      throw new Violation(`a page of at most ${maxPerPage} ${plural}`, `a page of ${largest}`, page);
  };
  return [
    {
      ...common,
      id: `${prefix}-12`,
      title: `\`per_page\` of ${plural} is ${defaultPerPage} if it is omitted.`,
      readsEarlierResponses: true,
      check: async (context) => {
        for (const page of await pages.soFar(context)) {
          if (!queryOf(page).has('per_page')) expectValue(page, 'data.per_page', defaultPerPage);
        }
      },
    },
    {
      ...common,
      id: `${prefix}-13`,
      title: `\`per_page=${maxPerPage}\` takes effect in the list of ${plural}.`,
      check: async (context) => {
        const page = await readLargest(context);
        expectSuccess(page);
        expectValue(page, 'data.per_page', maxPerPage);
      },
    },
    {
      ...common,
      id: `${prefix}-14`,
      title: `A page of ${plural} is never larger than ${maxPerPage}: \`per_page=${maxPerPage + 1}\` is refused or lowered.`,
      check: async (context) => {
        expectLimitedPage(await context.get(`${path}?per_page=${maxPerPage + 1}`));
        // Only a longer list shows whether other values are limited, too.
        if (parsePage(await readLargest(context)).total <= maxPerPage) return;
        for (const size of [-1, maxPerPage * 10])
          expectLimitedPage(await context.get(`${path}?per_page=${size}`, { isInvalid: true }));
      },
    },
    {
      ...common,
      id: `${prefix}-19`,
      title: `With \`per_page=${maxPerPage}\`, a page of ${plural} holds ${maxPerPage} records, or all if there are fewer.`,
      check: (context) =>
        retryClause(async (isFirstAttempt) => {
          const page = await readLargest(context, isFirstAttempt);
          requirePageSize(page, maxPerPage);
          expectRecordCount(page);
        }),
    },
  ];
}
