import type { Check, Clause } from '../../engine/clause.js';
import {
  aCount,
  anArray,
  anObject,
  aPositive,
  expectField,
  expectSuccess,
  expectValue,
  isRefusal,
  type Kind,
  succeeded,
} from '../../engine/expect.js';
import { lookAgain } from '../../engine/retry-clause.js';
import { Violation } from '../../engine/verdict.js';
import { pageRows } from '../field-rows.js';
import { pagingClauses } from './clauses.js';
import { expectFull, type List, type Pages, pagesOf, shapeOf, small, tooFew } from './page-clauses.js';

/** Clauses 01 to 18 of a list, on its pages. */
export function listClauses(list: List): Clause[] {
  const { prefix, operation, level, of, quotes, sizes, hasPages = false } = list;
  const pages = pagesOf(list);
  const clause = (number: string, quote: string, title: string, check: Check, more: Partial<Clause> = {}): Clause => ({
    id: `${prefix}-${number}`,
    level,
    operation,
    spec: 'Pagination envelope (list endpoints)',
    quote,
    title,
    check,
    ...more,
  });
  const field = (number: string, quote: string, path: string, kind: Kind): Clause =>
    clause(number, quote, `\`${path}\` of the list of ${of} is ${kind.words}.`, async (context) =>
      expectField(succeeded(await pages.first(context)), path, kind),
    );
  const endpoint = { spec: list.spec, level: 'documented' } as const;

  return [
    clause(
      '01',
      quotes.list,
      `The ${of} can be listed.`,
      async (context) => expectSuccess(await pages.first(context)),
      endpoint,
    ),
    field('02', 'The list payload in `data` is an object:', 'data', anObject),
    field('03', pageRows.data, 'data.data', anArray),
    field('04', pageRows.current_page, 'data.current_page', aPositive),
    field('05', pageRows.per_page, 'data.per_page', aPositive),
    field('06', pageRows.total, 'data.total', aCount),
    clause(
      '07',
      pageRows.per_page,
      `A page of ${of} holds as many records as \`per_page\` and \`total\` say.`,
      (context) => lookAgain(async (isFirst) => expectFull(await pages.first(context, isFirst))),
    ),
    clause('08', pageRows.current_page, `Without \`page\`, the list of ${of} begins with page 1.`, async (context) =>
      expectValue(succeeded(await pages.first(context)), 'data.current_page', 1),
    ),
    clause(
      '09',
      quotes.perPage,
      `\`per_page=${small}\` is in effect in the list of ${of}.`,
      async (context) => expectValue(succeeded(await pages.small(context)), 'data.per_page', small),
      { spec: list.spec },
    ),
    clause(
      '10',
      quotes.perPage,
      `With \`per_page=${small}\`, a page of ${of} holds ${small} records.`,
      (context) =>
        lookAgain(async (isFirst) => {
          const page = await pages.small(context, isFirst);
          if (shapeOf(page).total <= small) throw tooFew(of);
          expectFull(page);
        }),
      { spec: list.spec },
    ),
    clause('11', pageRows.total, `\`total\` of ${of} does not depend on the size of the page.`, (context) =>
      lookAgain(async (isFirst) => {
        const all = shapeOf(await pages.first(context, isFirst)).total;
        const page = await pages.small(context, isFirst);
        const { total } = shapeOf(page);
        // More is lawful: others add to the list.
        if (total < all) throw new Violation(`\`data.total\` to be ${all}, as without \`per_page\``, total, page);
      }),
    ),
    ...(sizes === undefined ? [] : sizeClauses(list, sizes, pages)),
    ...(hasPages ? pagingClauses(list, pages) : []),
  ];
}

/** Clauses 12 to 14: the default of `per_page`, and both sides of its maximum. */
function sizeClauses(
  { prefix, operation, spec, path, of, quotes, full }: List,
  { standard, maximum }: NonNullable<List['sizes']>,
  pages: Pages,
): Clause[] {
  const common = { operation, spec, quote: quotes.perPage, level: 'documented' } as const;
  return [
    {
      ...common,
      id: `${prefix}-12`,
      title: `\`per_page\` of ${of} is ${standard} when left out.`,
      check: async (context) => expectValue(succeeded(await pages.first(context)), 'data.per_page', standard),
    },
    {
      ...common,
      id: `${prefix}-13`,
      title: `\`per_page=${maximum}\` is in effect in the list of ${of}.`,
      check: async (context) => {
        const page = full ? await context.use(full) : await context.get(`${path}?per_page=${maximum}`);
        expectSuccess(page);
        expectValue(page, 'data.per_page', maximum);
      },
    },
    {
      ...common,
      id: `${prefix}-14`,
      title: `A page of ${of} is never larger than ${maximum}: \`per_page=${maximum + 1}\` is refused, or not in effect.`,
      check: async (context) => {
        const page = await context.get(`${path}?per_page=${maximum + 1}`);
        if (isRefusal(page)) return;
        expectSuccess(page);
        const { size, records } = shapeOf(page);
        const largest = Math.max(size, records.length);
        if (largest > maximum) throw new Violation(`a page of at most ${maximum} ${of}`, `one of ${largest}`, page);
      },
    },
  ];
}
