import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../generated/billing-document.js';
import type { Exchange } from '../../engine/exchange.js';
import { aString, expectField, expectValue, isClientError } from '../../engine/expect.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { steps } from '../deposit-lifecycle/setups.js';
import { depositBody, newDeposit, nonexistentDeposit, postAction, postDeposit } from '../deposits/setups.js';
import { usedKeyCreation } from '../idempotency/setups.js';
import { responsesSoFar } from '../responses.js';

const invalid = { isInvalid: true } as const;

/**
 * Operations that the clauses ENV-DATA require to return `data`. Other clauses check the `data` of lists, and the
 * specification does not say whether reminders, captures and releases return it.
 */
export const operationsWithData: readonly OperationId[] = [
  'createInvoice',
  'getInvoice',
  'getInvoiceStats',
  'createPaymentLink',
  'createDeposit',
  'getDeposit',
];

/**
 * Invalid requests by operation. The specification does not say that they must be refused, so no clause expects it.
 * They only show which errors the target returns. For the other operations, the requests of other clauses show this, and if
 * the run has already sent such a capture or release, its response is used.
 */
const invalidRequests: Readonly<Partial<Record<OperationId, readonly Setup<Exchange>[]>>> = {
  listInvoices: [setup('page 0 of the invoices', (context) => context.get('/invoices?per_page=0&page=0', invalid))],
  listPaymentLinks: [
    setup('a page of payment links without records', (context) => context.get('/payment-links?per_page=0', invalid)),
  ],
  listPayments: [
    setup('a page of payments without records', (context) => context.get('/payments?per_page=0', invalid)),
  ],
  createDeposit: [
    setup(usedKeyCreation.name, async (context) => (await context.use(usedKeyCreation)).exchange),
    setup('a deposit whose amount is a word', (context) =>
      postDeposit(
        context,
        randomUUID(),
        { ...depositBody(context.withRunPrefix('amount in words')), amount: 'ten' },
        invalid,
      ),
    ),
  ],
  listDeposits: [
    setup('the deposits with an undocumented status', (context) =>
      context.get('/deposits?status=contract-suite', invalid),
    ),
  ],
  captureDeposit: [
    setup(
      'a capture with an invalid amount',
      async (context) =>
        responsesSoFar(context, 'captureDeposit').find(({ call }) => call.isInvalid) ??
        postAction(context, await context.use(newDeposit), 'capture', { amount: 'ten' }, invalid),
    ),
    setup('a capture of a nonexistent deposit', async (context) =>
      postAction(context, await context.use(nonexistentDeposit), 'capture', {}),
    ),
  ],
  releaseDeposit: [
    setup('a refused release', async (context) => {
      // Requests with other tokens may be refused for another reason.
      const refused = responsesSoFar(context, 'releaseDeposit').find(
        (exchange) => isClientError(exchange) && exchange.call.token === undefined,
      );
      return refused ?? postAction(context, (await context.use(steps.released)).deposit, 'release');
    }),
    setup('a release of a nonexistent deposit', async (context) =>
      postAction(context, await context.use(nonexistentDeposit), 'release'),
    ),
  ],
};

/** Sends the invalid requests of an operation, unless they have been sent. @param id default: all operations */
export async function sendInvalidRequests(context: ClauseContext, id?: OperationId): Promise<void> {
  const requests = id === undefined ? Object.values(invalidRequests).flat() : (invalidRequests[id] ?? []);
  for (const request of requests) await context.runIfPossible(request);
}

/** Expects the error envelope (specification, Errors). @throws Violation */
export function expectErrorEnvelope(exchange: Exchange): void {
  expectValue(exchange, 'success', false);
  expectField(exchange, 'error', aString);
}
