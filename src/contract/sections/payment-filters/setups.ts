import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectSuccess } from '../../engine/expect.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import type { Row } from '../invoice-creation/setups.js';
import { type RowsPage, rowsPage } from '../paging/setups.js';
import { type SamplePayment, samplePayment } from '../payments/setups.js';

/** Query parameters. */
export type Query = Readonly<Record<string, string>>;

export async function getPayments(context: ClauseContext, query: Query): Promise<RowsPage> {
  const page = await context.get(`/payments?${new URLSearchParams({ per_page: '100', ...query })}`);
  expectSuccess(page);
  return rowsPage(page);
}

/**
 * Creates a setup that filters payments by a part of the sample's description.
 * @param changeCase changes the case of the letters in the part, or returns it unchanged
 */
function filterByPart(name: string, changeCase: (text: string) => string) {
  return setup(name, async (context) => {
    const sample = await context.use(samplePayment);
    const { descriptionPart } = sample;
    // Without its first and last character, the part is neither a prefix nor a suffix of the description.
    const part = changeCase(descriptionPart.slice(1, -1)).trim();
    return { part, ...(await getPaymentsUntil(context, { description: part }, canStopWaiting(expectFound, sample))) };
  });
}

export const paymentsByPart = filterByPart('payments with a part of a description', (text) => text);
export const paymentsByOtherCase = filterByPart('payments with a part of a description in the other case', (text) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())),
);

/** Payments that are found by `from` with a day after the sample payment. */
export const paymentsFromLaterDay = setup('payments after a day', async (context) =>
  getPayments(context, { from: (await context.use(samplePayment)).laterDay }),
);
/** Payments that are found by `to` with a day before the sample payment. */
export const paymentsToEarlierDay = setup('payments before a day', async (context) =>
  getPayments(context, { to: (await context.use(samplePayment)).earlierDay }),
);

/** Reads filtered payments until the result matches, or the timeout has passed: a search index may lag behind. */
export function getPaymentsUntil(
  context: ClauseContext,
  query: Query,
  isMatch: (found: RowsPage) => boolean,
): Promise<RowsPage> {
  return eventually(context, () => getPayments(context, query), isMatch);
}

/**
 * Creates a predicate for `getPaymentsUntil`: true if the expectation about the sample holds, or if the sample may be
 * on another page, so that further waiting would show nothing.
 */
export function canStopWaiting(expectation: typeof expectFound, sample: SamplePayment): (found: RowsPage) => boolean {
  return (found) =>
    includesSample(found, sample) === (expectation === expectFound) ||
    (expectation === expectFound && !found.isWholeList);
}

function includesSample({ rows }: RowsPage, { id }: SamplePayment): boolean {
  return rows.some((row) => row['id'] === id);
}

/** @throws Violation if the payment is missing; Blocked if it may be on another page */
export function expectFound(found: RowsPage, sample: SamplePayment): void {
  if (includesSample(found, sample)) return;
  if (!found.isWholeList) throw new Blocked('more payments match than a page holds', found.page);
  throw new Violation(`the payment ${sample.id} to be found`, formatIds(found.rows), found.page);
}

/** @throws Violation if the payment is in the result */
export function expectLeftOut(found: RowsPage, sample: SamplePayment): void {
  if (includesSample(found, sample))
    throw new Violation(`the payment ${sample.id} to be left out`, formatIds(found.rows), found.page);
}

function formatIds(rows: readonly Row[]): string {
  return rows.length === 0 ? 'no payments' : `payments ${rows.map((row) => row['id']).join(', ')}`;
}

/** @throws Violation if a payment in the result does not match */
export function expectEach({ rows, page }: RowsPage, expected: string, matches: (row: Row) => boolean): void {
  const mismatch = rows.find((row) => !matches(row));
  if (mismatch) throw new Violation(`only payments ${expected}`, mismatch, page);
}

/** The response to a search for a text that no payment has. */
export const paymentsWithoutMatch = setup('payments with a text that none has', (context) =>
  context.get(`/payments?${new URLSearchParams({ description: context.withRunPrefix('no match'), per_page: '100' })}`),
);

/** True if a request for payments has a filter. */
export function isFiltered({ call }: Exchange): boolean {
  const [, query] = call.path.split('?');
  return [...new URLSearchParams(query).keys()].some((name) => ['description', 'status', 'from', 'to'].includes(name));
}
