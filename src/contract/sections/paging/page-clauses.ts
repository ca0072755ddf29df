import type { OperationId } from '../../../generated/billing-document.js';
import type { Exchange } from '../../engine/exchange.js';
import { recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import type { Heading } from '../../report/headings.js';

/** A list of the service, whose pages are enveloped like those of all others. */
export interface List {
  /** Clauses 01 to 20 of it are these: `INV-LIST-01`. */
  readonly prefix: string;
  readonly operation: OperationId;
  /** The heading of its endpoint. */
  readonly spec: Heading;
  /** What is quoted from under that heading: the sentence that says what is listed, and the one on `per_page`. */
  readonly quotes: { readonly list: string; readonly perPage: string };
  readonly path: string;
  /** What it lists: `invoices`. */
  readonly of: string;
  /** Of what all lists have in common: `inferred` where the answers of this one are not shown. */
  readonly level: 'documented' | 'inferred';
  /** The default and the maximum of `per_page`, where the specification gives them. */
  readonly sizes?: { readonly standard: number; readonly maximum: number };
  /** Whether the specification gives it `page` and `last_page`. */
  readonly hasPages?: boolean;
  /** It without parameters, where others rest on that, too. */
  readonly plain?: Setup<Exchange>;
  /** Its first page of `per_page=100`, where others rest on that, too. */
  readonly full?: Setup<Exchange>;
  /** Sees to three records at least, where the suite can make some. */
  readonly filled: Setup<unknown>;
}

/** How many records the pages have by which paging is looked at. */
export const small = 2;

/** The pages that most clauses of a list rest on. */
export interface Pages {
  /** The list without parameters. @param isFirst false asks anew */
  first(context: ClauseContext, isFirst?: boolean): Promise<Exchange>;
  /** Its first page in small. */
  small(context: ClauseContext, isFirst?: boolean): Promise<Exchange>;
}

export function pagesOf({ path, of, filled, plain }: List): Pages {
  const first =
    plain ??
    setup(`the list of ${of}`, async (context) => {
      // Where nothing can be made, the list is taken as it is.
      await ifPossible(context.use(filled));
      return context.get(path);
    });
  const inSmall = setup(`the list of ${of} in small`, async (context) => {
    await context.use(first);
    return context.get(`${path}?per_page=${small}`);
  });
  return {
    first: (context, isFirst = true) => (isFirst ? context.use(first) : context.get(path)),
    small: (context, isFirst = true) => (isFirst ? context.use(inSmall) : context.get(`${path}?per_page=${small}`)),
  };
}

/** What a page says of itself. @throws Blocked if it says it in no lawful way, which other clauses tell */
export function shapeOf(page: Exchange): { total: number; size: number; records: readonly unknown[] } {
  succeeded(page);
  const [total, size] = ['data.total', 'data.per_page'].map((path) => valueAt(page.json, path));
  const records = valueAt(page.json, 'data.data');
  if (typeof total !== 'number' || typeof size !== 'number' || !Array.isArray(records)) {
    throw new Blocked(`GET ${page.call.path} has returned no page with \`data\`, \`per_page\` and \`total\``, page);
  }
  return { total, size, records };
}

export function expectFull(page: Exchange): void {
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

export function idsOf(page: Exchange): string[] {
  return recordsAt(succeeded(page).json, 'data.data').map(({ id }) => String(id));
}

export function tooFew(of: string): Skip {
  return new Skip(`more than ${small} ${of}`, `the list is too short to be paged`);
}
