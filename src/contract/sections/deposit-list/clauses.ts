import type { Clause } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectClientError, expectSuccess, oneOf, succeeded, valueAt } from '../../engine/expect.js';
import { setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { bookingMatch, isInStatus } from '../../predicates/filters.js';
import { shown, steps } from '../deposit-lifecycle/setups.js';
import { allDeposits, depositGrowth, laterDeposits, pair, pairPage } from '../deposit-lifecycle/two-deposits.js';
import {
  authorizationUrl,
  type DepositsPage,
  depositStatuses,
  depositsIn,
  filteredDeposits,
  newDeposit,
  readNewDeposit,
  recordIn,
  requestDeposits,
  statusOf,
} from '../deposits/setups.js';
import { pageRows } from '../field-rows.js';
import { otherKey, threeDeposits } from '../idempotency/setups.js';
import type { Row } from '../invoice-creation/setups.js';
import { expectCounted } from '../overdue/setups.js';
import { listClauses } from '../paging/clauses.js';

const listing = {
  operation: 'listDeposits',
  spec: 'GET /deposits',
  quote:
    'Query parameters: `booking_reference` (string), `status` (one of the deposit statuses), `per_page` (integer).',
} as const;
const reading = {
  operation: 'getDeposit',
  spec: 'GET /deposits/{id}',
  quote: 'Path parameter `id`: deposit identifier.',
} as const;
const statusSentence =
  'Deposit statuses: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`.';

const byBooking = setup('deposits of a booking', async (context) => {
  const { reference } = await context.use(newDeposit);
  return filteredDeposits(context, { booking_reference: reference });
});

/** Deposits of each status, including the new one if the suite may write. */
const byStatus = Object.fromEntries(
  depositStatuses.map((status) => [
    status,
    setup(`deposits that are ${status}`, async (context) => {
      await context.after(newDeposit);
      return requestDeposits(context, { status });
    }),
  ]),
);

/** Status of the new deposit: as it shows, or as the filter finds it. */
const newStatus = setup('the status of a new deposit', async (context) => {
  const read = recordIn(succeeded(await context.use(readNewDeposit)))?.['status'];
  if (typeof read === 'string') return read;
  const { status } = await statusOf(context, await context.use(newDeposit), (one) => one !== undefined);
  if (typeof status !== 'string') throw new Blocked('the new deposit shows no status');
  return status;
});

/** @throws Violation if a record shows that it does not match; fields it does not show are open */
function expectEach({ page, rows }: DepositsPage, expected: string, matches: (row: Row) => boolean): void {
  const stray = rows.find((row) => !matches(row));
  if (stray) throw new Violation(`only deposits whose ${expected}`, stray, page);
}

function isMatch({ id }: { readonly id: unknown }): (row: Row) => boolean {
  return (row) => row['id'] === undefined || String(row['id']) === String(id);
}

const filters: readonly Clause[] = [
  {
    id: 'DEP-FILTER-01',
    level: 'documented',
    ...listing,
    title: '`booking_reference` finds the deposit of a booking.',
    check: async (context) => {
      const { page, rows } = await context.use(byBooking);
      const deposit = await context.use(newDeposit);
      if (!rows.some(isMatch(deposit))) throw new Violation(`the deposit ${deposit.id} to be found`, rows, page);
    },
  },
  {
    id: 'DEP-FILTER-02',
    level: 'documented',
    ...listing,
    title: '`booking_reference` leaves out the deposits of other bookings.',
    check: async (context) => {
      const { reference } = await context.use(newDeposit);
      expectEach(await context.use(byBooking), `\`booking_reference\` is ${reference}`, (row) =>
        ['whole', 'unknown'].includes(bookingMatch(row, reference)),
      );
      const { page, rows } = await filteredDeposits(context, { booking_reference: context.text('nobody has made') });
      if (rows.length > 0) throw new Violation('no deposit for a nonexistent booking', rows, page);
    },
  },
  ...depositStatuses.map(
    (status, index): Clause => ({
      id: `DEP-FILTER-0${3 + index}`,
      level: 'documented',
      ...listing,
      title: `\`status=${status}\` is accepted and leaves out deposits with another status.`,
      check: async (context) => {
        const found = byStatus[status];
        if (!found) return;
        const page = await context.use(found);
        expectSuccess(page);
        expectEach(depositsIn(page), `\`status\` is ${status}`, (row) => isInStatus(row, status));
      },
    }),
  ),
  {
    id: 'DEP-FILTER-10',
    level: 'documented',
    ...listing,
    title: '`status` and `booking_reference` together find a deposit that matches both.',
    check: async (context) => {
      const [deposit, status] = [await context.use(newDeposit), await context.use(newStatus)];
      const { page, rows } = await filteredDeposits(context, { booking_reference: deposit.reference, status });
      if (!rows.some(isMatch(deposit))) throw new Violation(`the deposit ${deposit.id} to be found`, rows, page);
    },
  },
  {
    id: 'DEP-FILTER-11',
    level: 'documented',
    ...listing,
    title: '`status` and `booking_reference` together leave out a deposit of another status.',
    check: async (context) => {
      const { reference } = await context.use(newDeposit);
      const status = (await context.use(newStatus)) === 'failed' ? 'captured' : 'failed';
      const { page, rows } = await filteredDeposits(context, { booking_reference: reference, status });
      if (rows.length > 0) throw new Violation(`no deposit of the booking that is ${status}`, rows, page);
    },
  },
];

const wildcards: readonly Clause[] = [
  {
    id: 'DEP-FILTER-12',
    level: 'documented',
    ...listing,
    title: 'A `%` in `booking_reference` is matched literally.',
    check: async (context) => {
      await context.use(newDeposit);
      const { page, rows } = await filteredDeposits(context, { booking_reference: `${context.session.prefix}%` });
      if (rows.length > 0) throw new Violation('no deposit for a nonexistent booking', rows, page);
    },
  },
  {
    id: 'DEP-FILTER-13',
    level: 'documented',
    ...listing,
    title: '`booking_reference` finds deposits by a reference in any script.',
    check: async (context) => {
      const { page, rows } = await context.use(pairPage);
      for (const deposit of await context.use(pair)) {
        if (!rows.some(isMatch(deposit))) throw new Violation(`the deposit ${deposit.id} to be found`, rows, page);
      }
    },
  },
  {
    id: 'DEP-FILTER-14',
    level: 'documented',
    ...listing,
    title: '`status` finds a deposit by its current status.',
    check: async (context) => {
      const { deposit } = await context.use(steps.released);
      const { status } = await context.use(shown.released);
      const filter = depositStatuses.find((one) => one === status);
      const found = filter && byStatus[filter];
      if (!found) throw new Blocked('the released deposit has no known status');
      const all = depositsIn(await context.use(found));
      if (all.rows.some(isMatch(deposit))) return;
      // It may be on another page.
      const own = await filteredDeposits(context, { booking_reference: deposit.reference, status: filter });
      if (!own.rows.some(isMatch(deposit)) || !isPart(all)) {
        throw new Violation(`the deposit ${deposit.id} to be found`, all.rows, all.page);
      }
    },
  },
];

/** Whether a list says that it has more records than its page. */
function isPart({ page, rows }: DepositsPage): boolean {
  return Number(valueAt(page.json, 'data.total') ?? 0) > rows.length;
}

const aStatus = oneOf(...depositStatuses);

function expectStatusIfShown(status: unknown, page: Exchange): void {
  if (status === undefined || status === null || aStatus.matches(status)) return;
  throw new Violation(`\`status\` to be ${aStatus.description}`, status, page);
}

const reads: readonly Clause[] = [
  {
    id: 'DEP-READ-01',
    level: 'documented',
    ...reading,
    title: 'A deposit can be read by its identifier.',
    check: async (context) => expectSuccess(await context.use(readNewDeposit)),
  },
  {
    id: 'DEP-READ-02',
    level: 'documented',
    ...reading,
    title: 'The returned deposit is the requested one.',
    check: async (context) => {
      const deposit = await context.use(newDeposit);
      // By then a later deposit exists, which might be mistaken for it.
      await context.after(otherKey);
      const page = succeeded(await context.get(`/deposits/${encodeURIComponent(String(deposit.id))}`));
      const seen = recordIn(page) ?? {};
      const own: Row = {
        id: deposit.record['id'],
        booking_reference: deposit.reference,
        authorization_url: authorizationUrl(deposit.exchange),
      };
      const telling = Object.keys(own).filter((name) => seen[name] !== undefined && own[name] !== undefined);
      if (telling.length === 0) throw new Blocked('the record shows nothing that identifies it', page);
      if (telling.every((name) => String(seen[name]) !== String(own[name]))) {
        throw new Violation(`the deposit ${deposit.id}`, seen, page);
      }
    },
  },
  {
    id: 'DEP-READ-03',
    level: 'documented',
    operation: reading.operation,
    spec: 'Security deposit',
    quote: statusSentence,
    title: `Where a deposit shows a \`status\`, it is ${aStatus.description}.`,
    check: async (context) => {
      const listed = depositsIn(await context.use(allDeposits));
      for (const { status } of listed.rows) expectStatusIfShown(status, listed.page);
      const page = succeeded(await context.use(readNewDeposit));
      expectStatusIfShown(recordIn(page)?.['status'], page);
      for (const setup of Object.values(shown)) {
        const seen = await context.use(setup).catch(() => undefined);
        if (seen) expectStatusIfShown(seen.status, seen.page);
      }
    },
  },
  {
    id: 'DEP-READ-04',
    level: 'inferred',
    operation: reading.operation,
    spec: 'Security deposit',
    quote: statusSentence,
    title: 'A deposit shows its `status`.',
    check: async (context) => {
      const page = succeeded(await context.use(readNewDeposit));
      const { status } = recordIn(page) ?? {};
      if (typeof status !== 'string') throw new Violation('a `status`', status, page);
    },
  },
  {
    id: 'DEP-READ-05',
    level: 'inferred',
    ...reading,
    title: 'A deposit that does not exist cannot be read.',
    check: async (context) => expectClientError(await context.get(`/deposits/${context.session.prefix}`)),
  },
];

/** Deposits: detail, list and filters. */
export const depositListClauses: readonly Clause[] = [
  ...reads,
  ...listClauses({
    prefix: 'DEP-LIST',
    operation: listing.operation,
    spec: listing.spec,
    quotes: { list: listing.quote, perPage: listing.quote },
    path: '/deposits',
    of: 'deposits',
    level: 'inferred',
    plain: laterDeposits,
    filled: threeDeposits,
  }),
  {
    id: 'DEP-LIST-21',
    level: 'documented',
    ...listing,
    title: 'With `per_page=1`, a page of deposits has at most one.',
    check: async (context) => {
      await context.after(threeDeposits);
      const page = await requestDeposits(context, { per_page: '1' });
      expectSuccess(page);
      const { rows } = depositsIn(page);
      if (rows.length > 1) throw new Violation('at most 1 deposit', `${rows.length}`, page);
    },
  },
  {
    id: 'DEP-LIST-22',
    level: 'inferred',
    operation: listing.operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageRows.total,
    title: '`total` of deposits includes newly created ones.',
    check: async (context) => expectCounted(await context.use(depositGrowth)),
  },
  ...filters,
  ...wildcards,
];
