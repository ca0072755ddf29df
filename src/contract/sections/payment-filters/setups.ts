import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import { expectSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, setup } from '../../engine/session.js';
import { swapCase } from '../../engine/token-styles.js';
import { matchesPaymentFilters } from '../../predicates/filters.js';
import { isFiltered, queryOf } from '../paging/pages.js';
import { coversWholeList, type ListPage, readLastPage, toListPage } from '../paging/setups.js';
import { paymentStatuses, paymentsPage, type SamplePayment, samplePayment } from '../payments/setups.js';
import { successesSoFar } from '../responses.js';

/** Query parameters. */
export type Query = Readonly<Record<string, string>>;

export async function getPayments(context: ClauseContext, query: Query): Promise<ListPage> {
  const page = await context.get(`/payments?${new URLSearchParams({ per_page: '100', ...query })}`);
  expectSuccess(page);
  return toListPage(page);
}

/**
 * Creates a setup that filters payments by a part of the sample's description.
 * @param changeCase swaps the case of the letters in the part, or returns it unchanged
 */
function filterByPart(name: string, changeCase: (text: string) => string) {
  return setup(name, async (context) => {
    const sample = await context.use(samplePayment);
    const { descriptionPart } = sample;
    // Without its first and last character, the part is neither a prefix nor a suffix of the description.
    const part = changeCase(descriptionPart.slice(1, -1)).trim();
    return { part, ...(await getExpectedPayments(context, { description: part }, expectSampleFound, sample)) };
  });
}

export const paymentsByPart = filterByPart('payments with a part of a description', (text) => text);
export const paymentsByOtherLetterCase = filterByPart(
  'payments with a part of a description in swapped case',
  swapCase,
);

/** The result of `from` with a day after the sample payment, which it must leave out. */
export const paymentsFromLaterDay = setup('payments from a day after the sample payment', async (context) =>
  getPayments(context, { from: (await context.use(samplePayment)).laterDay }),
);
/** The result of `to` with a day before the sample payment, which it must leave out. */
export const paymentsToEarlierDay = setup('payments up to a day before the sample payment', async (context) =>
  getPayments(context, { to: (await context.use(samplePayment)).earlierDay }),
);

/** Reads filtered payments until the result matches, or the timeout has passed: a search index may lag behind. */
export function getPaymentsUntil(
  context: ClauseContext,
  query: Query,
  isMatch: (found: ListPage) => boolean,
): Promise<ListPage> {
  return eventually(context, () => getPayments(context, query), isMatch);
}

/** Checks that filters find the sample payment, or leave it out. */
export type SampleExpectation = (
  found: ListPage,
  sample: SamplePayment,
  context: ClauseContext,
) => void | Promise<void>;

/**
 * Reads filtered payments until the expectation about the sample holds, and all payments match the filters.
 * @param expectation `expectSampleFound`, `expectSampleOnFirstPage` or `expectSampleLeftOut`
 */
function getExpectedPayments(
  context: ClauseContext,
  query: Query,
  expectation: SampleExpectation,
  sample: SamplePayment,
): Promise<ListPage> {
  const mustBeFound = expectation !== expectSampleLeftOut;
  return getPaymentsUntil(context, query, (found) => {
    const isExpected =
      includesId(found, sample.id) === mustBeFound ||
      // The sample may be on another page, so further waiting would show nothing.
      (mustBeFound && !found.isWholeList);
    return isExpected && allMatch(found, query);
  });
}

/** @throws Violation unless the filters find the sample, or leave it out, and find no payment that does not match */
export async function checkFilters(
  context: ClauseContext,
  query: Query,
  expectation: SampleExpectation,
  sample: SamplePayment,
): Promise<void> {
  const found = await getExpectedPayments(context, query, expectation, sample);
  // Comes first, because the expectation throws Blocked or Skip if the list is long.
  expectEach(found, 'that match all filters', (record) => matchesPaymentFilters(record, query));
  await expectation(found, sample, context);
}

/**
 * Checks all lists of payments that the suite has read. A list with a payment that does not match is read again until all
 * match, or the timeout has passed: a search index may lag behind.
 * @param names filters that the payments must match; lists without them are not checked
 * @param isSelected selects lists by the values of these filters
 * @throws Violation
 */
export async function checkFilteredLists(
  context: ClauseContext,
  names: readonly string[],
  isSelected: (filters: Query) => boolean = () => true,
): Promise<void> {
  for (const response of successesSoFar(context, 'listPayments')) {
    const filters = Object.fromEntries([...queryOf(response)].filter(([name]) => names.includes(name)));
    if (Object.keys(filters).length === 0 || !isSelected(filters)) continue;
    const list = toListPage(response);
    const checked = allMatch(list, filters)
      ? list
      : await eventually(
          context,
          async () => toListPage(await context.send(response.call)),
          (reread) => allMatch(reread, filters),
        );
    const expected = `that match ${new URLSearchParams(filters)}`;
    expectEach(checked, expected, (record) => matchesPaymentFilters(record, filters));
  }
}

function allMatch({ records }: ListPage, query: Query): boolean {
  return records.every((record) => matchesPaymentFilters(record, query));
}

/** Returns a status that a payment does not have. */
export function otherStatus({ status }: SamplePayment): string {
  return status === 'failed' ? 'open' : 'failed';
}

/** For each status, the payments that the filter finds. */
export const paymentsByStatus = paymentStatuses.map((status) => ({
  status,
  payments: setup(`payments that are ${status}`, async (context) => {
    // Makes a payment if possible, which the filters for the three other statuses must leave out.
    await context.runIfPossible(samplePayment);
    return getPaymentsUntil(context, { status }, (found) => allMatch(found, { status }));
  }),
}));

/**
 * @param isFirstAttempt true to compare earlier responses; false to send new requests, since a payment may have changed
 *   its status between the earlier ones
 * @throws Violation if the filter by a status does not find a payment that the list shows with that status
 */
export async function expectAllOfStatus(
  context: ClauseContext,
  { status, payments }: (typeof paymentsByStatus)[number],
  isFirstAttempt: boolean,
): Promise<void> {
  const list = isFirstAttempt ? await context.use(paymentsPage) : await getPayments(context, {});
  const listed = list.records.filter((record) => record['status'] === status);
  const findMissing = (found: ListPage): JsonObject | undefined =>
    found.isWholeList ? listed.find(({ id }) => !includesId(found, id)) : undefined;
  const found = isFirstAttempt
    ? await context.use(payments)
    : await getPaymentsUntil(context, { status }, (result) => findMissing(result) === undefined);
  const missing = findMissing(found);
  if (missing)
    throw new Violation(
      `the payment ${missing['id']}, which the list shows as \`${status}\`, to be found`,
      formatIds(found.records),
      found.page,
    );
}

/**
 * @throws Violation if the list without filters lacks a payment that was found; Skip if the list is longer than a page
 */
export async function expectInUnfilteredList(context: ClauseContext, found: readonly JsonObject[]): Promise<void> {
  const earlier = successesSoFar(context, 'listPayments').filter((response) => !isFiltered(response));
  const unlisted = found.filter(({ id }) => !earlier.some((response) => includesId(toListPage(response), id)));
  if (unlisted.length === 0) return;
  const missingIn = (list: ListPage): JsonObject[] => unlisted.filter(({ id }) => !includesId(list, id));
  const list = await eventually(
    context,
    () => getPayments(context, {}),
    (result) => !result.isWholeList || missingIn(result).length === 0,
  );
  const missing = missingIn(list);
  if (missing.length === 0) return;
  if (!list.isWholeList)
    throw new Skip({ missing: 'a shorter list of payments', reason: 'more payments exist than a page holds' });
  throw new Violation(`the list to have the ${formatIds(missing)}`, formatIds(list.records), list.page);
}

function includesId({ records }: ListPage, id: unknown): boolean {
  return records.some((record) => record['id'] === id);
}

/** @throws Violation if the payment is missing; Blocked if it may be on another page */
export function expectSampleFound(found: ListPage, sample: SamplePayment): void {
  if (includesId(found, sample.id)) return;
  if (!found.isWholeList) throw new Blocked('more payments match than a page holds', found.page);
  throw new Violation(`the payment ${sample.id} to be found`, formatIds(found.records), found.page);
}

/** Like `expectSampleFound`, but an empty page is a Violation even if `total` says that there are further pages. */
export function expectSampleOnFirstPage(found: ListPage, sample: SamplePayment): void {
  if (found.records.length === 0)
    throw new Violation(`the payment ${sample.id} on the first page`, 'no payments', found.page);
  expectSampleFound(found, sample);
}

/** @throws Violation if the payment is on the first or the last page; Skip if it may be on a page in between */
export async function expectSampleLeftOut(
  found: ListPage,
  sample: SamplePayment,
  context: ClauseContext,
): Promise<void> {
  const lastPage = found.isWholeList ? undefined : await readLastPage(context, found.page.call.path, found);
  for (const list of [found, ...(lastPage ? [lastPage] : [])]) {
    if (includesId(list, sample.id))
      throw new Violation(`the payment ${sample.id} to be left out`, formatIds(list.records), list.page);
  }
  if (!found.isWholeList && !(lastPage && coversWholeList(found, lastPage)))
    throw new Skip({ missing: 'a list of one page', reason: 'more payments match than two pages hold' });
}

function formatIds(records: readonly JsonObject[]): string {
  return records.length === 0 ? 'no payments' : `payments ${records.map((record) => record['id']).join(', ')}`;
}

/** @throws Violation if a payment in the result does not match */
export function expectEach(
  { records, page }: ListPage,
  expected: string,
  matches: (record: JsonObject) => boolean,
): void {
  const mismatch = records.find((record) => !matches(record));
  if (mismatch) throw new Violation(`only payments ${expected}`, mismatch, page);
}

/**
 * The response to a search for a text that no description contains: the words of the paid link's description, in another
 * order.
 */
export const paymentsWithoutMatch = setup('payments with a text that none has', (context) =>
  context.get(`/payments?${new URLSearchParams({ description: `Stay Paid ${context.session.prefix}` })}`),
);
