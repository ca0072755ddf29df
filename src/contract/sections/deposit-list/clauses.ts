import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectClientError, expectSuccess, oneOf, requireSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { statusAfter } from '../deposit-lifecycle/setups.js';
import { depositListAfterPair, depositListGrowth, oneOfDepositPair } from '../deposit-lifecycle/two-deposits.js';
import {
  authorizationUrl,
  type DepositsPage,
  depositPath,
  depositRecordIn,
  depositStatuses,
  depositsIn,
  filteredDeposits,
  getDeposits,
  listEndpoint,
  newDeposit,
  newDepositDetails,
  nonexistentDeposit,
  readDeposit,
} from '../deposits/setups.js';
import { depositStatusSentence, pageQuotes } from '../field-quotes.js';
import { otherKeyCreation, threeDeposits } from '../idempotency/setups.js';
import { listClauses } from '../paging/clauses.js';
import { expectTotalGrew } from '../paging/list-growth.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { releasedDepositsOfBooking, shownStatus } from './setups.js';

const detailEndpoint = {
  operation: 'getDeposit',
  spec: 'GET /deposits/{id}',
  quote: 'Path parameter `id`: deposit identifier.',
} as const;

const aDepositStatus = oneOf(...depositStatuses);

function expectStatusIfShown(status: unknown, page: Exchange): void {
  if (status === undefined || status === null || aDepositStatus.matches(status)) return;
  throw new Violation(`\`status\` to be ${aDepositStatus.description}`, status, page);
}

/** Statuses that a deposit of the suite keeps, because no clause acts on it afterwards. */
const finalStatuses: readonly unknown[] = ['captured', 'released', 'expired', 'failed'];

/**
 * Checks the lists so far that show a deposit after a read has shown it with a final status. A list with another status
 * is read again until it is updated, or the timeout has passed.
 * @throws Violation
 */
async function expectFinalStatusesInLists(context: ClauseContext): Promise<void> {
  /** The status in the latest read of each deposit, by its id as text. */
  const latestStatuses = new Map<string, unknown>();
  const [reads, lists] = [successesSoFar(context, 'getDeposit'), successesSoFar(context, 'listDeposits')];
  for (const exchange of context.session.target.exchanges) {
    if (reads.includes(exchange)) {
      const { id, status } = depositRecordIn(exchange);
      latestStatuses.set(String(id), status);
    }
    if (!lists.includes(exchange)) continue;
    const listed = depositsIn(exchange);
    for (const id of listed.records.map((record) => String(record['id']))) {
      const status = latestStatuses.get(id);
      if (!finalStatuses.includes(status)) continue;
      const isCurrent = (list: DepositsPage): boolean => (shownStatus(list, id) ?? status) === status;
      const list = isCurrent(listed)
        ? listed
        : await eventually(context, async () => depositsIn(await context.send(exchange.call)), isCurrent);
      if (!isCurrent(list))
        throw new Violation(`the deposit ${id} to be ${String(status)}`, shownStatus(list, id), list.page);
    }
  }
}

/** Deposits: detail and list. */
export const depositListClauses: readonly Clause[] = [
  {
    id: 'DEP-READ-01',
    level: 'documented',
    ...detailEndpoint,
    title: 'A deposit can be read by its identifier.',
    check: async (context) => expectSuccess(await context.use(newDepositDetails)),
  },
  {
    id: 'DEP-READ-02',
    level: 'documented',
    ...detailEndpoint,
    title: 'The returned deposit is the requested one.',
    check: async (context) => {
      const deposit = await context.use(newDeposit);
      // Another, newer deposit must exist, so that a target that always returns the newest one fails this clause.
      await context.runIfPossible(otherKeyCreation);
      const page = requireSuccess(await readDeposit(context, deposit));
      const shown = depositRecordIn(page);
      const identifyingFields: JsonObject = {
        id: deposit.record['id'],
        booking_reference: deposit.reference,
        authorization_url: authorizationUrl(deposit.exchange),
      };
      const comparableFields = Object.keys(identifyingFields).filter(
        (name) => shown[name] !== undefined && identifyingFields[name] !== undefined,
      );
      if (comparableFields.length === 0) throw new Blocked('the record shows nothing that identifies it', page);
      if (comparableFields.every((name) => String(shown[name]) !== String(identifyingFields[name]))) {
        throw new Violation(`the deposit ${deposit.id}`, shown, page);
      }
    },
  },
  {
    id: 'DEP-READ-03',
    level: 'documented',
    operation: detailEndpoint.operation,
    spec: 'Security deposit',
    quote: depositStatusSentence,
    title: `Where a deposit shows a \`status\`, it is ${aDepositStatus.description}.`,
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(newDepositDetails));
      for (const statusSetup of Object.values(statusAfter)) await context.runIfPossible(statusSetup);
      for (const operation of ['createDeposit', 'getDeposit'] as const) {
        for (const page of successesSoFar(context, operation)) {
          expectStatusIfShown(depositRecordIn(page)['status'], page);
        }
      }
      for (const operation of ['captureDeposit', 'releaseDeposit'] as const) {
        for (const page of successesSoFar(context, operation)) {
          const { status, booking_reference: reference } = depositRecordIn(page);
          // The specification does not say what these operations return. A record without a `booking_reference` may be
          // a capture, which has its own `status`.
          if (reference !== undefined) expectStatusIfShown(status, page);
        }
      }
      for (const page of successesSoFar(context, 'listDeposits')) {
        for (const { status } of depositsIn(page).records) expectStatusIfShown(status, page);
      }
    },
  },
  {
    id: 'DEP-READ-04',
    level: 'inferred',
    operation: detailEndpoint.operation,
    spec: 'Security deposit',
    quote: depositStatusSentence,
    title: 'A deposit shows its `status` whenever it is read.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(newDepositDetails));
      expectEachResponse(context, successesSoFar(context, 'getDeposit'), (page) => {
        const { status } = depositRecordIn(page);
        if (typeof status !== 'string') throw new Violation('a `status`', status, page);
      });
    },
  },
  {
    id: 'DEP-READ-05',
    level: 'inferred',
    ...detailEndpoint,
    title: 'A deposit that does not exist cannot be read.',
    check: async (context) => expectClientError(await context.get(depositPath(await context.use(nonexistentDeposit)))),
  },
  ...listClauses({
    prefix: 'DEP-LIST',
    operation: listEndpoint.operation,
    spec: listEndpoint.spec,
    quotes: { list: listEndpoint.quote, perPage: listEndpoint.quote },
    path: '/deposits',
    plural: 'deposits',
    level: 'inferred',
    defaultPage: depositListAfterPair,
    threeRecords: threeDeposits,
  }),
  {
    ...listEndpoint,
    id: 'DEP-LIST-21',
    title: 'With `per_page=1`, a page has at most one deposit.',
    check: async (context) => {
      await context.runIfPossible(threeDeposits);
      const page = await getDeposits(context, { per_page: '1' });
      expectSuccess(page);
      const { records } = depositsIn(page);
      if (records.length > 1) throw new Violation('at most 1 deposit', `${records.length}`, page);
    },
  },
  {
    id: 'DEP-LIST-22',
    level: 'inferred',
    operation: listEndpoint.operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of deposits includes new ones.',
    check: async (context) => expectTotalGrew(await context.use(depositListGrowth)),
  },
  {
    id: 'DEP-LIST-24',
    level: 'inferred',
    operation: listEndpoint.operation,
    spec: 'Security deposit',
    quote: depositStatusSentence,
    title: 'Where the list shows the `status` of a deposit, it is the current one, with and without a filter.',
    readsEarlierResponses: true,
    check: async (context) => {
      const ofBooking = await context.use(releasedDepositsOfBooking);
      const { deposit, status } = ofBooking;
      // A list without the deposit, or without its status, passes. The list may be updated late.
      const isCurrent = (page: DepositsPage): boolean => (shownStatus(page, deposit.id) ?? status) === status;
      const unfiltered = await eventually(context, () => filteredDeposits(context, {}), isCurrent);
      for (const page of [ofBooking, unfiltered]) {
        if (!isCurrent(page))
          throw new Violation(
            `the deposit ${deposit.id} to be ${String(status)}`,
            shownStatus(page, deposit.id),
            page.page,
          );
      }
      await expectFinalStatusesInLists(context);
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-LIST-23',
    title: 'With `per_page=1` and filters, a page has at most one deposit.',
    check: async (context) => {
      const { page, records } = await context.use(oneOfDepositPair);
      if (records.length === 0) throw new Blocked('the filters find no deposit', page);
      if (records.length > 1) throw new Violation('at most 1 deposit', `${records.length}`, page);
    },
  },
];
