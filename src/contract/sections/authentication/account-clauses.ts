import type { OperationId } from '../../../generated/billing-document.js';
import { Blocked, Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { depositsIn, newDeposit } from '../deposits/setups.js';
import { createdInvoice } from '../invoice-creation/setups.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import { countedSecondPayment } from '../link-list/setups.js';
import { toListPage } from '../paging/setups.js';
import { newLink } from '../payment-links/setups.js';
import { linkPaymentLocation } from '../payments/setups.js';
import { successesSoFar } from '../responses.js';
import { acceptedRequestMarker, operationRequests, sendValidRequest } from './setups.js';

/** A read that shows what the account has. */
interface AccountRead {
  /** Name of the response in titles. */
  readonly name: string;
  /** Gives the account a record that the read shows. Uses the token with both scopes. */
  readonly recordSetup: Setup<unknown>;
  /**
   * Returns a function that is true if a response shows what the account has, as far as it is known from earlier responses
   * to the token with both scopes: a target may keep other responses for other tokens, and not update them.
   */
  readonly expectation: (context: ClauseContext) => Promise<(response: Exchange) => boolean>;
}

/** Expects at least one record. The clauses about lists compare the `total` of the list with that of other responses. */
const recordsIn = (path: string) => async () => (response: Exchange) => recordsAt(response.json, path).length > 0;

/** Expects that all invoices are counted that any earlier response counted. */
async function expectAllInvoicesCounted(context: ClauseContext) {
  const countIn = ({ json }: Exchange): number => decimalOf(valueAt(json, 'data.total_invoices')) ?? 1;
  const minimum = Math.max(1, ...successesSoFar(context, 'getInvoiceStats').map(countIn));
  return (response: Exchange): boolean => countIn(response) >= minimum;
}

/** Expects the overdue invoices of the suite that the token with both scopes can see. */
async function expectOverdueInvoices(context: ClauseContext) {
  const { page, recentInvoice, longOverdueInvoice } = await context.use(overdueListWithNewInvoices);
  const idsIn = ({ json }: Exchange): unknown[] => recordsAt(json, 'data').map(({ id }) => id);
  const ids = [recentInvoice, longOverdueInvoice].map(({ record }) => record['id']);
  const listedIds = ids.filter((id) => idsIn(page).includes(id));
  return (response: Exchange): boolean => listedIds.every((id) => idsIn(response).includes(id));
}

/** Expects both payments of a link that was paid twice, unless the list has more payments than a page. */
async function expectBothPayments(context: ClauseContext) {
  const paidTwice = await ifPossible(context.use(countedSecondPayment));
  return (response: Exchange): boolean => {
    const { records, isWholeList } = toListPage(response);
    if (!paidTwice || !isWholeList) return records.length > 0;
    return records.filter(({ payment_link_id: id }) => id === paidTwice.record['id']).length >= 2;
  };
}

const reads: Partial<Record<OperationId, AccountRead>> = {
  listInvoices: {
    name: 'The list of invoices',
    recordSetup: createdInvoice,
    expectation: recordsIn('data.data'),
  },
  getInvoiceStats: {
    name: 'The response with the statistics',
    recordSetup: createdInvoice,
    expectation: expectAllInvoicesCounted,
  },
  listOverdueInvoices: {
    name: 'The overdue list',
    recordSetup: overdueListWithNewInvoices,
    expectation: expectOverdueInvoices,
  },
  listPaymentLinks: {
    name: 'The list of payment links',
    recordSetup: newLink,
    expectation: recordsIn('data.data'),
  },
  listPayments: {
    name: 'The list of payments',
    recordSetup: linkPaymentLocation,
    expectation: expectBothPayments,
  },
  listDeposits: {
    name: 'The list of deposits',
    recordSetup: newDeposit,
    expectation: async () => (response) => depositsIn(response).records.length > 0,
  },
};

/** Clauses which require that a read shows all records of the account, even with a token that created none of them. */
export const accountClauses: readonly Clause[] = operationRequests
  .flatMap((operation) => {
    const read = reads[operation.id];
    return read ? [{ ...read, operation }] : [];
  })
  .map(
    ({ name, recordSetup, expectation, operation }, index): Clause => ({
      id: numberedId('AUTH-ACCOUNT', index + 1),
      level: 'documented',
      operation: operation.id,
      spec: 'What the service does',
      quote: 'The service is a JSON REST interface to a billing account.',
      title: `${name} shows what the account has, even if the token created none of it.`,
      check: async (context) => {
        const first = requireSuccess(await context.use(operation.requestWithToken.read));
        await context.use(recordSetup);
        const showsRecords = await expectation(context);
        if (showsRecords(first)) return;
        // The first request may have been sent before the account had records. The response may be updated late.
        const marker = acceptedRequestMarker(context);
        const response = await eventually(
          context,
          async () => requireSuccess(await sendValidRequest(context, operation, { token: 'read' }, marker)),
          showsRecords,
        );
        if (showsRecords(response)) return;
        // The list may lack them for every token: a payment may be pending for days, and other clients may delete records.
        const withBothScopes = requireSuccess(await sendValidRequest(context, operation, {}, marker));
        if (!showsRecords(withBothScopes))
          throw new Blocked('the token with both scopes does not get these records either', withBothScopes);
        throw new Violation('all records of the account', response.text, response);
      },
    }),
  );
