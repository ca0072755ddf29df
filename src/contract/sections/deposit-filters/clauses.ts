import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { anArray, expectField, expectSuccess, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { bookingMatch, hasStatus } from '../../predicates/filters.js';
import { isSameId } from '../../predicates/matchers.js';
import { statusAfter } from '../deposit-lifecycle/setups.js';
import {
  depositPair,
  depositPairPage,
  secondDepositAfterRelease,
  statusAfterTwoCaptures,
  statusAfterUsdCapture,
} from '../deposit-lifecycle/two-deposits.js';
import {
  depositsOfBooking,
  depositsOfBookingAfter,
  releasedDepositsOfBooking,
  requireListed,
  someDeposits,
  unfilteredDeposits,
} from '../deposit-list/setups.js';
import {
  type Deposit,
  type DepositStatus,
  type DepositsPage,
  depositRecordIn,
  depositRecordsIn,
  depositStatuses,
  depositsIn,
  digitReference,
  digitReferenceCreation,
  filteredDeposits,
  getDeposits,
  listEndpoint,
  mayHaveMorePages,
  mayInclude,
  newDeposit,
  newDepositDetails,
  type ObservedStatus,
  readStatus,
  waitForStatus,
} from '../deposits/setups.js';
import { pageQuotes } from '../field-quotes.js';
import { filteredTotalClause } from '../paging/filtered-total-clause.js';
import { queryOf } from '../paging/pages.js';
import { expectEachResponse, successesSoFar } from '../responses.js';

/** The deposits of bookings, searched for by their references while one of them has the status of the key. */
const bookingSearches = {
  partiallyCaptured: depositsOfBookingAfter(statusAfterTwoCaptures),
  captured: depositsOfBookingAfter(statusAfter.capturedInFull),
  released: releasedDepositsOfBooking,
  expired: depositsOfBookingAfter(statusAfter.expired),
  failed: depositsOfBookingAfter(statusAfter.declined),
} as const;

/** The authorized deposits of the pair's booking, searched for while the first of the pair is partially captured. */
const authorizedDepositsOfPair = setup('the authorized deposits of a booking', async (context) => {
  const { status } = await context.use(statusAfterTwoCaptures);
  if (status !== 'partially_captured') throw new Blocked('the deposit is not `partially_captured`');
  const [captured, untouched] = await context.use(depositPair);
  // The page has room for both deposits.
  const filters = { booking_reference: captured.reference, status: 'authorized', per_page: '2' };
  return eventually(
    context,
    () => filteredDeposits(context, filters),
    (found) =>
      !found.records.some((record) => isSameId(record['id'], captured.id)) &&
      found.records.every((record) => hasStatus(record, 'authorized')) &&
      mayInclude(found, untouched),
  );
});

/**
 * Runs the steps of all other deposits before the driver lets one expire: it may do so by advancing the target's clock,
 * which makes all of them expire.
 */
async function runStepsBeforeExpiry(context: ClauseContext): Promise<void> {
  // These searches come first, because one of the steps releases the deposit that they are about.
  await context.runIfPossible(searches.partiallyCaptured);
  await context.runIfPossible(bookingSearches.partiallyCaptured);
  await context.runIfPossible(authorizedDepositsOfPair);
  const { expired: _expired, capturedThenExpired: _alsoExpired, ...others } = statusAfter;
  for (const step of [...Object.values(others), secondDepositAfterRelease, statusAfterUsdCapture])
    await context.runIfPossible(step);
}

/**
 * Creates a setup that reads the deposits in a status. If the suite can, it first creates a new deposit, which is usually
 * pending, and brings another one into another status, so that there is one to leave out and one to find. Reads them until
 * all have the status, or the timeout has passed.
 * @param other tries to bring a deposit into the status or, if that is `pending`, out of it
 */
function depositsInStatus(status: DepositStatus, other?: Setup<ObservedStatus>): Setup<Exchange> {
  return setup(`deposits that are ${status}`, async (context) => {
    await context.runIfPossible(newDeposit);
    if (status === 'expired') await runStepsBeforeExpiry(context);
    if (other) await context.runIfPossible(other);
    // A search index may lag behind, and find deposits by the status that they had before.
    return eventually(
      context,
      () => getDeposits(context, { status }),
      (page) => (depositRecordsIn(page) ?? []).every((record) => hasStatus(record, status)),
    );
  });
}

const depositsByStatus: Readonly<Record<DepositStatus, Setup<Exchange>>> = {
  pending: depositsInStatus('pending', statusAfter.released),
  authorized: depositsInStatus('authorized'),
  partially_captured: depositsInStatus('partially_captured', statusAfterTwoCaptures),
  captured: depositsInStatus('captured', statusAfter.capturedInFull),
  released: depositsInStatus('released', statusAfter.released),
  expired: depositsInStatus('expired', statusAfter.expired),
  failed: depositsInStatus('failed', statusAfter.declined),
};

/** Finds the status of the new deposit in its record or, if the record shows none, with the status filter. */
const newDepositStatus = setup('the status of a new deposit', async (context) => {
  const shownStatus = depositRecordIn(requireSuccess(await context.use(newDepositDetails)))['status'];
  if (typeof shownStatus === 'string') return shownStatus;
  const { status } = await waitForStatus(context, await context.use(newDeposit), (shown) => shown !== undefined);
  if (typeof status !== 'string') throw new Blocked('the new deposit shows no status');
  return status;
});

/**
 * Checks every deposit on a page.
 * @param expected describes the deposits that match: `\`status\` is pending`
 * @throws Violation if a deposit does not match
 */
function expectEach({ page, records }: DepositsPage, expected: string, matches: (record: JsonObject) => boolean): void {
  const mismatch = records.find((record) => !matches(record));
  if (mismatch) throw new Violation(`only deposits whose ${expected}`, mismatch, page);
}

/**
 * Checks that the `status` filter finds a deposit. If the first page for the status lacks the deposit, also checks that
 * `status` and `booking_reference` together find it.
 * @param status status that the deposit had when it was last read; it may have changed since, because deposits expire
 * @throws Violation
 */
async function expectFoundByStatus(context: ClauseContext, deposit: Deposit, status: DepositStatus): Promise<void> {
  const firstPage = depositsIn(await context.use(depositsByStatus[status]));
  if (mayInclude(firstPage, deposit)) return;
  // The deposit may be on another page, or the list may be updated late.
  const currentStatus = await expectFoundByBookingAndStatus(context, deposit, status);
  const found = await eventually(
    context,
    () => filteredDeposits(context, { status: currentStatus }),
    (page) => mayInclude(page, deposit) || mayHaveMorePages(page),
  );
  if (!mayHaveMorePages(found)) expectFound(deposit, found);
}

/**
 * Checks that `booking_reference` and `status` together find a deposit.
 * @param status see `expectFoundByStatus`
 * @returns the status with which it was found
 * @throws Violation
 */
async function expectFoundByBookingAndStatus(
  context: ClauseContext,
  deposit: Deposit,
  status: string,
): Promise<string> {
  let currentStatus = status;
  const search = async (): Promise<DepositsPage> => {
    const found = await filteredDeposits(context, { booking_reference: deposit.reference, status: currentStatus });
    if (!mayInclude(found, deposit)) currentStatus = String((await readStatus(context, deposit)).status);
    return found;
  };
  expectFound(deposit, await eventually(context, search, (found) => mayInclude(found, deposit)));
  return currentStatus;
}

/** @throws Violation unless a deposit is among those that were found */
function expectFound(deposit: Deposit, found: DepositsPage): void {
  if (!mayInclude(found, deposit))
    throw new Violation(`the deposit ${deposit.id} to be found`, found.records, found.page);
}

/**
 * Creates a setup that checks that the `status` filter finds a deposit. The setup throws a Violation if it does not.
 * @param observedStatus reads the deposit and its status
 */
function searchByStatus(observedStatus: Setup<ObservedStatus>): Setup<Deposit> {
  return setup(`the search by ${observedStatus.name}`, async (context) => {
    const { deposit, status, exchange } = await context.use(observedStatus);
    const documentedStatus = depositStatuses.find((documented) => documented === status);
    if (documentedStatus === undefined) throw new Blocked('the deposit has no documented status', exchange);
    await expectFoundByStatus(context, deposit, documentedStatus);
    return deposit;
  });
}

/** Searches for deposits, each keyed by the status that its deposit is likely to have. */
const searches = {
  partiallyCaptured: searchByStatus(statusAfterTwoCaptures),
  captured: searchByStatus(statusAfter.capturedInFull),
  released: searchByStatus(statusAfter.released),
  expired: searchByStatus(statusAfter.expired),
  failed: searchByStatus(statusAfter.declined),
} as const;

/**
 * @param listed deposits that a faulty filter would find; a list may be updated late, so the caller waits for them
 * @throws Violation if a deposit is found for a booking that does not exist; Blocked if `listed` is empty
 */
async function expectNoDeposits(context: ClauseContext, nonexistentReference: string, listed: DepositsPage) {
  const { page, records } = await filteredDeposits(context, { booking_reference: nonexistentReference });
  if (records.length > 0) throw new Violation('no deposit for a nonexistent booking', records, page);
  requireListed(listed);
}

/** Filters of the list of deposits. */
export const depositFilterClauses: readonly Clause[] = [
  {
    ...listEndpoint,
    id: 'DEP-FILTER-02',
    title: '`booking_reference` leaves out the deposits of other bookings.',
    readsEarlierResponses: true,
    check: async (context) => {
      const listed = await context.use(depositsOfBooking);
      for (const page of successesSoFar(context, 'listDeposits')) {
        const reference = queryOf(page).get('booking_reference');
        // DEP-FILTER-18 is about references that consist of digits.
        if (reference === null || /^\d+$/.test(reference)) continue;
        expectEach(depositsIn(page), `\`booking_reference\` is ${reference}`, (record) =>
          ['whole', 'unknown'].includes(bookingMatch(record, reference)),
        );
      }
      await expectNoDeposits(context, context.withRunPrefix('nonexistent'), listed);
    },
  },
  ...depositStatuses.map(
    (status, index): Clause => ({
      ...listEndpoint,
      id: numberedId('DEP-FILTER', 3 + index),
      title: `\`status=${status}\` is accepted and leaves out deposits with another status.`,
      check: async (context) => {
        const page = await context.use(depositsByStatus[status]);
        expectSuccess(page);
        const found = depositsIn(page);
        expectEach(found, `\`status\` is ${status}`, (record) => hasStatus(record, status));
        if (found.records.length === 0) return context.use(someDeposits);
        await context.use(unfilteredDeposits);
        const listed = successesSoFar(context, 'listDeposits').flatMap((list) => depositRecordsIn(list) ?? []);
        if (listed.every((record) => hasStatus(record, status)))
          throw new Skip({ missing: `a deposit that is not ${status}`, reason: 'none is listed' });
      },
    }),
  ),
  {
    ...listEndpoint,
    id: 'DEP-FILTER-10',
    title: '`status` and `booking_reference` together find a deposit that matches both.',
    check: async (context) => {
      const deposit = await context.use(newDeposit);
      await expectFoundByBookingAndStatus(context, deposit, await context.use(newDepositStatus));
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-11',
    title: '`status` and `booking_reference` together leave out a deposit with another status.',
    check: async (context) => {
      const { reference } = await context.use(newDeposit);
      requireListed(await context.use(depositsOfBooking));
      const status = (await context.use(newDepositStatus)) === 'failed' ? 'captured' : 'failed';
      const { page, records } = await filteredDeposits(context, { booking_reference: reference, status });
      if (records.length > 0) throw new Violation(`no deposit of the booking that is ${status}`, records, page);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-12',
    title: 'A `%` in `booking_reference` is matched literally.',
    check: async (context) => {
      // As a wildcard, the `%` would find the new deposit, whose booking reference begins with the prefix.
      const listed = await context.use(depositsOfBooking);
      await expectNoDeposits(context, `${context.session.prefix}%`, listed);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-17',
    title: 'A `_` in `booking_reference` is matched literally.',
    check: async (context) => {
      const { reference } = await context.use(newDeposit);
      const listed = await context.use(depositsOfBooking);
      // As a wildcard, the `_` would match the space in the booking reference.
      await expectNoDeposits(context, reference.replace(' ', '_'), listed);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-18',
    level: 'inferred',
    title: '`booking_reference` is compared as a string, not as a number.',
    check: async (context) => {
      await context.use(digitReferenceCreation);
      const reference = digitReference(context);
      const listed = await eventually(
        context,
        () => filteredDeposits(context, { booking_reference: reference }),
        ({ records }) => records.length > 0,
      );
      await expectNoDeposits(context, `0${reference}`, listed);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-13',
    title: '`booking_reference` finds deposits by a reference in any script and with any punctuation.',
    check: async (context) => {
      const found = await context.use(depositPairPage);
      const missing = (await context.use(depositPair)).filter((deposit) => !mayInclude(found, deposit));
      const [first, second] = missing;
      if (!first) return;
      // A page may have room for only one of the two: the specification gives no default of `per_page`.
      if (second || !mayHaveMorePages(found))
        throw new Violation(`the deposit ${first.id} to be found`, found.records, found.page);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-14',
    title: '`status` finds deposits by their current status.',
    check: async (context) => {
      await runStepsBeforeExpiry(context);
      let hasSearched = false;
      for (const search of Object.values(searches)) {
        // After a step that failed or was skipped, there is no status to search for.
        if (await ifPossible(context.use(search))) hasSearched = true;
      }
      // Throws the Skip or Blocked of this search, as the reason for all of them.
      if (!hasSearched) await context.use(searches.released);
    },
  },
  {
    id: 'DEP-FILTER-15',
    // The specification does not show the response of this list.
    level: 'inferred',
    operation: listEndpoint.operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.data,
    title:
      'The list of deposits holds its records in an array, with and without filters, and even if it has no records.',
    readsEarlierResponses: true,
    check: async (context) => {
      await context.runIfPossible(depositsOfBooking);
      // No deposit has this reference, so the list is empty.
      await getDeposits(context, { booking_reference: context.withRunPrefix('nonexistent') });
      const pages = successesSoFar(context, 'listDeposits');
      if (pages.length === 0) throw new Blocked('no request for the list of deposits succeeded');
      expectEachResponse(context, pages, (page) => {
        const data = valueAt(page.json, 'data');
        if (!Array.isArray(data)) expectField(page, 'data.data', anArray);
      });
    },
  },
  filteredTotalClause('DEP-FILTER-19', 'listDeposits', 'deposits', depositsOfBooking),
  {
    ...listEndpoint,
    id: 'DEP-FILTER-16',
    title: '`status=authorized` finds an authorized deposit, and leaves out a partially captured one.',
    check: async (context) => {
      const found = await context.use(authorizedDepositsOfPair);
      const [captured, untouched] = await context.use(depositPair);
      if (found.records.some((record) => isSameId(record['id'], captured.id)))
        throw new Violation(`the deposit ${captured.id} to be left out`, found.records, found.page);
      expectEach(found, '`status` is authorized', (record) => hasStatus(record, 'authorized'));
      if (mayInclude(found, untouched)) return;
      const { status, exchange } = await readStatus(context, untouched);
      if (status !== 'authorized') throw new Blocked('the other deposit of the booking is not `authorized`', exchange);
      throw new Violation(`the deposit ${untouched.id} to be found`, found.records, found.page);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-FILTER-01',
    title: '`booking_reference` finds the deposit of a booking, whatever its status.',
    check: async (context) => {
      expectFound(await context.use(newDeposit), await context.use(depositsOfBooking));
      // Another step releases the deposit that is captured in part, and the driver may let all others expire.
      await runStepsBeforeExpiry(context);
      for (const search of Object.values(bookingSearches)) {
        const found = await ifPossible(context.use(search));
        if (found) expectFound(found.deposit, found);
      }
    },
  },
];
