import type { OperationId } from '../../../generated/billing-document.js';
import type { Check, Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import {
  aCount,
  anArray,
  anObject,
  aPositive,
  expectField,
  expectSuccess,
  expectValue,
  isClientError,
  type Kind,
  recordsAt,
  succeeded,
  valueAt,
} from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { retryClause } from '../../engine/retry-clause.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import type { Heading } from '../../report/headings.js';
import { pageRows } from '../field-rows.js';

/** A list with the pagination envelope. */
export interface List {
  /** Prefix of its clauses 01 to 20: `INV-LIST-01`. */
  readonly prefix: string;
  readonly operation: OperationId;
  /** Heading of its endpoint. */
  readonly spec: Heading;
  /** Quotes from that section: the sentence about what is listed, and the one about `per_page`. */
  readonly quotes: { readonly list: string; readonly perPage: string };
  readonly path: string;
  /** Plural name of its records: `invoices`. */
  readonly of: string;
  /** Level of the clauses about the common envelope: `inferred` if the specification shows no response of this list. */
  readonly level: 'documented' | 'inferred';
  /** Default and maximum of `per_page`, if the specification states them. */
  readonly sizes?: { readonly standard: number; readonly maximum: number };
  /** Whether the specification gives it `page` and `last_page`. */
  readonly hasPages?: boolean;
  /** The list without parameters, if other clauses use it, too. */
  readonly plain?: Setup<Exchange>;
  /** Its first page with `per_page=100`, if other clauses use it, too. */
  readonly full?: Setup<Exchange>;
  /** Ensures that there are at least three records, if the suite can create some. */
  readonly filled: Setup<unknown>;
}

/** Page size for tests of paging. */
const small = 2;

/** Pages that most clauses of a list use. */
interface Pages {
  /** The list without parameters. @param isFirst false sends a new request */
  first(context: ClauseContext, isFirst?: boolean): Promise<Exchange>;
  /** Its first page, with the small page size. */
  small(context: ClauseContext, isFirst?: boolean): Promise<Exchange>;
}

function pagesOf({ path, of, filled, plain }: List): Pages {
  const first =
    plain ??
    setup(`the list of ${of}`, async (context) => {
      // If nothing can be created, the list is used as it is.
      await ifPossible(context.use(filled));
      return context.get(path);
    });
  const smallPage = setup(`the list of ${of} in small`, async (context) => {
    await context.use(first);
    return context.get(`${path}?per_page=${small}`);
  });
  return {
    first: (context, isFirst = true) => (isFirst ? context.use(first) : context.get(path)),
    small: (context, isFirst = true) => (isFirst ? context.use(smallPage) : context.get(`${path}?per_page=${small}`)),
  };
}

/**
 * Reads `total`, `per_page` and the records of a page.
 * @throws Blocked if one is missing or malformed, which other clauses report
 */
function shapeOf(page: Exchange): { total: number; size: number; records: readonly unknown[] } {
  succeeded(page);
  const [total, size] = ['data.total', 'data.per_page'].map((path) => valueAt(page.json, path));
  const records = valueAt(page.json, 'data.data');
  if (typeof total !== 'number' || typeof size !== 'number' || !Array.isArray(records)) {
    throw new Blocked(`GET ${page.call.path} has returned no page with \`data\`, \`per_page\` and \`total\``, page);
  }
  return { total, size, records };
}

function expectFull(page: Exchange): void {
  const { total, size, records } = shapeOf(page);
  const wanted = Math.min(total, size);
  if (records.length !== wanted) {
    throw new Violation(
      `\`data.data\` to hold ${wanted} records, by \`total\` ${total} and \`per_page\` ${size}`,
      `${records.length}`,
      page,
    );
  }
}

function idsOf(page: Exchange): string[] {
  return recordsAt(succeeded(page).json, 'data.data').map(({ id }) => String(id));
}

function listTooShort(of: string): Skip {
  return new Skip(`more than ${small} ${of}`, `the list is too short to be paged`);
}

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
    clause(number, quote, `\`${path}\` of the list of ${of} is ${kind.description}.`, async (context) =>
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
      (context) => retryClause(async (isFirst) => expectFull(await pages.first(context, isFirst))),
    ),
    clause('08', pageRows.current_page, `Without \`page\`, the list of ${of} starts with page 1.`, async (context) =>
      expectValue(succeeded(await pages.first(context)), 'data.current_page', 1),
    ),
    clause(
      '09',
      quotes.perPage,
      `\`per_page=${small}\` takes effect in the list of ${of}.`,
      async (context) => expectValue(succeeded(await pages.small(context)), 'data.per_page', small),
      { spec: list.spec },
    ),
    clause(
      '10',
      quotes.perPage,
      `With \`per_page=${small}\`, a page of ${of} holds ${small} records.`,
      (context) =>
        retryClause(async (isFirst) => {
          const page = await pages.small(context, isFirst);
          if (shapeOf(page).total <= small) throw listTooShort(of);
          expectFull(page);
        }),
      { spec: list.spec },
    ),
    clause('11', pageRows.total, `\`total\` of ${of} does not depend on the size of the page.`, (context) =>
      retryClause(async (isFirst) => {
        const all = shapeOf(await pages.first(context, isFirst)).total;
        const page = await pages.small(context, isFirst);
        const { total } = shapeOf(page);
        // More is allowed: other clients may add records.
        if (total < all) throw new Violation(`\`data.total\` to be ${all}, as without \`per_page\``, total, page);
      }),
    ),
    ...(sizes === undefined ? [] : sizeClauses(list, sizes, pages)),
    ...(hasPages ? pagingClauses(list, pages) : []),
  ];
}

/** Clauses 12 to 14: the default of `per_page`, and values up to and beyond its maximum. */
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
      title: `\`per_page=${maximum}\` takes effect in the list of ${of}.`,
      check: async (context) => {
        const page = full ? await context.use(full) : await context.get(`${path}?per_page=${maximum}`);
        expectSuccess(page);
        expectValue(page, 'data.per_page', maximum);
      },
    },
    {
      ...common,
      id: `${prefix}-14`,
      title: `A page of ${of} is never larger than ${maximum}: \`per_page=${maximum + 1}\` is refused or has no effect.`,
      check: async (context) => {
        const page = await context.get(`${path}?per_page=${maximum + 1}`);
        if (isClientError(page)) return;
        expectSuccess(page);
        const { size, records } = shapeOf(page);
        const largest = Math.max(size, records.length);
        if (largest > maximum) throw new Violation(`a page of at most ${maximum} ${of}`, `one of ${largest}`, page);
      },
    },
  ];
}

/** Clauses 15 to 18: `page` and `last_page`. */
function pagingClauses({ prefix, operation, spec, path, of }: List, pages: Pages): Clause[] {
  const common = {
    operation,
    spec,
    quote: '| page | integer | 1 | page number |',
    level: 'documented',
  } as const;
  const second = setup(`the second page of ${of}`, async (context) => {
    if (shapeOf(await pages.small(context)).total <= small) throw listTooShort(of);
    return context.get(`${path}?per_page=${small}&page=2`);
  });
  return [
    {
      ...common,
      id: `${prefix}-15`,
      title: `\`page=2\` gives page 2 of ${of}.`,
      check: async (context) => {
        const page = await context.use(second);
        expectSuccess(page);
        expectValue(page, 'data.current_page', 2);
      },
    },
    {
      ...common,
      id: `${prefix}-16`,
      title: `No record is missing or repeated between two pages of ${of}.`,
      check: (context) =>
        retryClause(async (isFirst) => {
          const one = await pages.small(context, isFirst);
          const two = isFirst ? await context.use(second) : await context.get(`${path}?per_page=${small}&page=2`);
          const both = await context.get(`${path}?per_page=${small * 2}`);
          const parts = [...idsOf(one), ...idsOf(two)];
          const whole = idsOf(both);
          if (isEqual(parts, whole)) return;
          // A record that was added in between shifts all others, which is not a violation.
          const later = await context.get(`${path}?per_page=${small}`);
          if (!isEqual(idsOf(one), idsOf(later)) || shapeOf(one).total !== shapeOf(later).total) {
            throw new Skip('an account that nobody else changes', `the list of ${of} keeps changing`);
          }
          throw new Violation(`pages 1 and 2 to hold the ${of} ${whole.join(', ')}`, parts.join(', '), two);
        }),
    },
    {
      ...common,
      id: `${prefix}-17`,
      spec: 'Pagination envelope (list endpoints)',
      quote: pageRows.last_page,
      title: `\`data.last_page\` of the list of ${of} is ${aCount.description}.`,
      check: async (context) => expectField(succeeded(await pages.first(context)), 'data.last_page', aCount),
    },
    {
      ...common,
      id: `${prefix}-18`,
      level: 'inferred',
      spec: 'Pagination envelope (list endpoints)',
      quote: pageRows.last_page,
      title: `\`last_page\` of ${of} is \`total\` divided by \`per_page\`, rounded up.`,
      check: async (context) => {
        const page = succeeded(await pages.small(context));
        const { total, size } = shapeOf(page);
        const count = Math.ceil(total / size);
        const last = valueAt(page.json, 'data.last_page');
        // An empty list has one page or none.
        if (last !== count && !(count === 0 && last === 1)) {
          throw new Violation(`\`data.last_page\` to be ${count}`, last, page);
        }
      },
    },
  ];
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, index) => id === others[index]);
}
