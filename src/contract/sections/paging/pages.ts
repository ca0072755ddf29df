import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import type { Heading } from '../../report/headings.js';
import { successesSoFar } from '../responses.js';

/** A list with the pagination envelope. */
export interface List {
  /** Prefix of the ids of its clauses: `INV-LIST`. */
  readonly prefix: string;
  readonly operation: OperationId;
  /** Heading of the specification under which its endpoint is described. */
  readonly spec: Heading;
  /** Quotes about the endpoint: the sentence that says what is listed, and the one about `per_page`. */
  readonly quotes: { readonly list: string; readonly perPage: string };
  readonly path: string;
  /** Plural name of its records: `invoices`. */
  readonly plural: string;
  /** Level of the clauses about the common envelope: `inferred` if the specification shows no response of this list. */
  readonly level: 'documented' | 'inferred';
  /** True if the specification documents `page` and `last_page` for this list. */
  readonly hasPageParameter?: boolean;
  /** Reads the list without parameters; given if other clauses use that response, too. */
  readonly defaultPage?: Setup<Exchange>;
  /** Reads the first page with the maximum `per_page`; missing if the specification states no default and maximum. */
  readonly largestPage?: Setup<Exchange>;
  /** Creates records until the list has at least three, if the suite can create some. */
  readonly threeRecords: Setup<unknown>;
}

/** Page size for clauses about paging. It is small, since an account may have few records. */
export const smallPageSize = 2;

/**
 * Readers of the pages that most clauses of a list use. The first attempt of a clause may reuse a response of the run;
 * if `isFirstAttempt` is false, the list may have changed, so the readers send a new request.
 */
export interface PageReaders {
  /** Reads the list without parameters. */
  readDefault(context: ClauseContext, isFirstAttempt?: boolean): Promise<Exchange>;
  /** Reads the first page with the small page size. */
  readSmall(context: ClauseContext, isFirstAttempt?: boolean): Promise<Exchange>;
  /**
   * Returns all pages that the suite has read so far, in the order in which they were read. If the specification shows
   * no response of the list, this leaves out filtered pages, which might have another form.
   * @throws Blocked if the page that is requested without parameters is not a success
   */
  soFar(context: ClauseContext): Promise<readonly Exchange[]>;
}

export function pageReaders(list: List): PageReaders {
  const { operation, level, path, plural, threeRecords, defaultPage: sharedPage } = list;
  const defaultPage =
    sharedPage ??
    setup(`the list of ${plural}`, async (context) => {
      // If nothing can be created, the list is used as it is.
      await ifPossible(context.use(threeRecords));
      return context.get(path);
    });
  const smallPage = setup(`the list of ${plural} with small pages`, async (context) => {
    await context.use(defaultPage);
    return context.get(`${path}?per_page=${smallPageSize}`);
  });
  return {
    readDefault: (context, isFirstAttempt = true) => (isFirstAttempt ? context.use(defaultPage) : context.get(path)),
    readSmall: (context, isFirstAttempt = true) =>
      isFirstAttempt ? context.use(smallPage) : context.get(`${path}?per_page=${smallPageSize}`),
    soFar: async (context) => {
      const firstPage = requireSuccess(await context.use(defaultPage));
      const pages = successesSoFar(context, operation).filter((page) => level === 'documented' || !isFiltered(page));
      return [...new Set([...pages, firstPage])];
    },
  };
}

/**
 * Reads `total`, `per_page` and the records of a page.
 * @throws Blocked if one of them is missing or malformed (other clauses report that)
 */
export function parsePage(page: Exchange): { total: number; size: number; records: readonly unknown[] } {
  requireSuccess(page);
  const [total, size, records] = ['total', 'per_page', 'data'].map((field) => valueAt(page.json, `data.${field}`));
  if (typeof total !== 'number' || typeof size !== 'number' || !Array.isArray(records)) {
    throw new Blocked(`GET ${page.call.path} returned no page with \`data\`, \`per_page\` and \`total\``, page);
  }
  return { total, size, records };
}

/**
 * @param pageNumber number of the page, counted from 1
 * @throws Violation unless the page has as many records as its `total` and `per_page` require
 */
export function expectRecordCount(page: Exchange, pageNumber = 1): void {
  const { total, size, records } = parsePage(page);
  const expectedCount = Math.max(0, Math.min(total - (pageNumber - 1) * size, size));
  if (records.length !== expectedCount) {
    throw new Violation(
      `\`data.data\` to have ${expectedCount} records, since \`total\` is ${total} and \`per_page\` is ${size}`,
      `${records.length}`,
      page,
    );
  }
}

export function idsOf(page: Exchange): string[] {
  return recordsAt(requireSuccess(page).json, 'data.data').map(({ id }) => String(id));
}

/** True if two lists have the same ids, each the same number of times, in any order. */
export function haveSameIds(ids: readonly string[], otherIds: readonly string[]): boolean {
  return areInSameOrder(ids.toSorted(), otherIds.toSorted());
}

/** True if two lists have the same ids in the same order. */
export function areInSameOrder(ids: readonly string[], otherIds: readonly string[]): boolean {
  return ids.length === otherIds.length && ids.every((id, index) => id === otherIds[index]);
}

/**
 * @param path place of the records in the body of a page
 * @param plural plural name of the records: `invoices`
 * @throws Violation if two records of a page have the same id; Skip if no page has records with ids
 */
export function expectDistinctIds(pages: readonly Exchange[], path: string, plural: string): void {
  let hasIds = false;
  for (const page of pages) {
    const ids = recordsAt(page.json, path).flatMap(({ id }) => (id === undefined || id === null ? [] : String(id)));
    // A set, since the list of overdue invoices is not paged: it may be very long.
    const seen = new Set<string>();
    for (const id of ids) {
      if (seen.has(id)) throw new Violation(`\`${path}\` to have each record once`, `${id} twice`, page);
      seen.add(id);
    }
    hasIds ||= ids.length > 0;
  }
  if (!hasIds) throw new Skip({ missing: plural, reason: 'no page that was read has any' });
}

/** Creates a Skip for a list that has fewer pages than a clause needs. */
export function shortListSkip(plural: string, missingPage = 2): Skip {
  return new Skip({
    missing: `more than ${smallPageSize * (missingPage - 1)} ${plural}`,
    reason: `the list is too short to have a ${missingPage === 2 ? 'second' : 'third'} page`,
  });
}

/** Query parameters of the request for a page. */
export function queryOf({ call }: Exchange): URLSearchParams {
  return new URLSearchParams(call.path.split('?')[1]);
}

/** Query parameters that select a page, and not which records are listed. */
const pageParameters = ['page', 'per_page'];

/** True if a request for a page has a filter. */
export function isFiltered(page: Exchange): boolean {
  return [...queryOf(page).keys()].some((name) => !pageParameters.includes(name));
}

/**
 * True if the number of records on a page is known from its `total`, `per_page` and `page`. It is not known for a
 * filtered page, whose `total` another clause checks, nor if the list might not support `page`.
 */
export function hasKnownCount(page: Exchange, { hasPageParameter = false }: List): boolean {
  return !isFiltered(page) && (hasPageParameter || !queryOf(page).has('page'));
}

/** @throws Violation if a page has more records than its `per_page` allows */
export function expectAtMostPageSize(page: Exchange): void {
  const { size, records } = parsePage(page);
  if (records.length > size) {
    throw new Violation(
      `\`data.data\` to have at most ${size} records, as \`per_page\` says`,
      `${records.length}`,
      page,
    );
  }
}
