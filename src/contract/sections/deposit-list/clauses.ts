import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { expectSuccess, isSuccess, oneOf, requireSuccess } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { ClauseContext } from '../../engine/session.js';
import { isPresent } from '../../predicates/matchers.js';
import { maxPerPage } from '../../predicates/statements.js';
import { statusAfter } from '../deposit-lifecycle/setups.js';
import { depositListGrowth, firstPageOfDepositPair, listAfterDepositPair } from '../deposit-lifecycle/two-deposits.js';
import { authorizationUrl } from '../deposits/authorization-url.js';
import {
  type DepositsPage,
  depositPath,
  depositRecordIn,
  depositStatuses,
  depositsIn,
  filteredDeposits,
  getDeposits,
  listEndpoint,
  mayHaveMorePages,
  newDeposit,
  newDepositDetails,
  nonexistentDeposit,
  readDeposit,
} from '../deposits/setups.js';
import { depositStatusSentence, pageQuotes } from '../field-quotes.js';
import { otherKeyCreation, threeDeposits } from '../idempotency/setups.js';
import { listClauses } from '../paging/clauses.js';
import { expectTotalGrew, measureListGrowth } from '../paging/list-growth.js';
import { isFiltered } from '../paging/pages.js';
import { toListPage } from '../paging/setups.js';
import { expectRefused } from '../refusals.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { expectCurrentStatuses } from './current-statuses.js';
import { releasedDepositsOfBooking, shownStatus } from './setups.js';

const detailEndpoint = {
  operation: 'getDeposit',
  spec: 'GET /deposits/{id}',
  quote: 'Path parameter `id`: deposit identifier.',
} as const;

const aDepositStatus = oneOf(...depositStatuses);

/** Reads as many deposits as a page may hold. The specification states no maximum, so the target may refuse 100. */
async function longestDepositsPage(context: ClauseContext): Promise<DepositsPage> {
  const page = await getDeposits(context, { per_page: String(maxPerPage) });
  return isSuccess(page) ? depositsIn(page) : filteredDeposits(context, {});
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
        (name) => isPresent(shown[name]) && isPresent(identifyingFields[name]),
      );
      if (comparableFields.length === 0) throw new Blocked('the record shows nothing that identifies it', page);
      // A single field that differs is another clause's violation.
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
      const shown: { readonly status: unknown; readonly page: Exchange }[] = [];
      for (const operation of ['createDeposit', 'getDeposit'] as const) {
        for (const page of successesSoFar(context, operation))
          shown.push({ status: depositRecordIn(page)['status'], page });
      }
      for (const operation of ['captureDeposit', 'releaseDeposit'] as const) {
        for (const page of successesSoFar(context, operation)) {
          const { status, booking_reference: reference } = depositRecordIn(page);
          // The specification does not say what these operations return. A record without a `booking_reference` may be
          // a capture, which has its own `status`.
          if (isPresent(reference)) shown.push({ status, page });
        }
      }
      for (const page of successesSoFar(context, 'listDeposits'))
        shown.push(...depositsIn(page).records.map(({ status }) => ({ status, page })));
      const statuses = shown.filter(({ status }) => isPresent(status));
      if (statuses.length === 0) throw new Blocked('no response shows the `status` of a deposit');
      for (const { status, page } of statuses) {
        if (!aDepositStatus.matches(status))
          throw new Violation(`\`status\` to be ${aDepositStatus.description}`, status, page);
      }
    },
  },
  {
    id: 'DEP-READ-04',
    level: 'inferred',
    operation: detailEndpoint.operation,
    spec: 'Security deposit',
    quote: depositStatusSentence,
    title: 'A deposit shows its current `status` when it is created and whenever it is read, whichever token is used.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(newDepositDetails));
      expectEachResponse(context, successesSoFar(context, 'getDeposit'), (page) => {
        const { status } = depositRecordIn(page);
        if (typeof status !== 'string') throw new Violation('a `status`', status, page);
      });
      await expectCurrentStatuses(context, 'createDeposit');
      await expectCurrentStatuses(context, 'getDeposit');
    },
  },
  {
    id: 'DEP-READ-05',
    level: 'inferred',
    ...detailEndpoint,
    title: 'A deposit that does not exist cannot be read.',
    check: async (context) =>
      expectRefused(context, await context.get(depositPath(await context.use(nonexistentDeposit))), newDepositDetails),
  },
  ...listClauses({
    prefix: 'DEP-LIST',
    operation: listEndpoint.operation,
    spec: listEndpoint.spec,
    quotes: { list: listEndpoint.quote, perPage: listEndpoint.quote },
    path: '/deposits',
    plural: 'deposits',
    level: 'inferred',
    defaultPage: listAfterDepositPair,
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
      if (!mayHaveMorePages({ page, records }))
        throw new Skip({ missing: 'two deposits', reason: 'the list has fewer' });
    },
  },
  {
    id: 'DEP-LIST-22',
    level: 'inferred',
    operation: listEndpoint.operation,
    spec: 'Pagination envelope (list endpoints)',
    quote: pageQuotes.total,
    title: 'The `total` of the list of deposits includes new ones.',
    readsEarlierResponses: true,
    check: async (context) => {
      const growth = await context.use(depositListGrowth);
      expectTotalGrew(growth);
      const latest = successesSoFar(context, 'listDeposits').findLast((page) => !isFiltered(page)) ?? growth.after.page;
      const laterGrowth = await measureListGrowth(context, growth.after, { laterPage: toListPage(latest) });
      if (laterGrowth.createdCount > 0) expectTotalGrew(laterGrowth);
    },
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
      const filteredByBooking = await context.use(releasedDepositsOfBooking);
      const { deposit, status } = filteredByBooking;
      // A list without the deposit, or without its status, passes. The list may be updated late.
      const isCurrent = (page: DepositsPage): boolean => (shownStatus(page, deposit.id) ?? status) === status;
      const unfiltered = await eventually(context, () => longestDepositsPage(context), isCurrent);
      for (const page of [filteredByBooking, unfiltered]) {
        if (!isCurrent(page))
          throw new Violation(
            `the deposit ${deposit.id} to be ${String(status)}`,
            shownStatus(page, deposit.id),
            page.page,
          );
      }
      await expectCurrentStatuses(context, 'listDeposits');
      const listed = successesSoFar(context, 'listDeposits').flatMap((page) => depositsIn(page).records);
      if (!listed.some(({ status }) => isPresent(status)))
        throw new Skip({ missing: 'a `status` in the list of deposits', reason: 'no record shows one' });
    },
  },
  {
    ...listEndpoint,
    id: 'DEP-LIST-23',
    title: 'With `per_page=1` and filters, a page has at most one deposit.',
    check: async (context) => {
      const { page, records } = await context.use(firstPageOfDepositPair);
      if (records.length === 0) throw new Blocked('the filters find no deposit', page);
      if (records.length > 1) throw new Violation('at most 1 deposit', `${records.length}`, page);
    },
  },
];
