import type { OperationId } from '../../../generated/billing-document.js';
import { checkEach } from '../../engine/check-each.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, valueAt } from '../../engine/expect.js';
import { operationOf, operations } from '../../engine/operations.js';
import type { ClauseContext, Session } from '../../engine/session.js';
import { sendValidRequest } from '../authentication/setups.js';
import { expectAccepted } from '../expect-accepted.js';
import { successesSoFar } from '../responses.js';

/**
 * Rows of the specification's table of endpoints. Reminders, captures and releases are missing: the specification does
 * not state all conditions under which they are accepted.
 */
const endpointRows: Partial<Record<OperationId, string>> = {
  listInvoices: '| GET | /invoices | billing.read | paginated invoice list |',
  getInvoice: '| GET | /invoices/{invoice} | billing.read | one invoice |',
  getInvoiceStats: '| GET | /invoices/stats | billing.read | statistics |',
  listOverdueInvoices: '| GET | /invoices/overdue | billing.read | overdue invoices |',
  createInvoice: '| POST | /invoices | billing.write | create invoice |',
  createPaymentLink: '| POST | /payment-links | billing.write | create payment link |',
  listPaymentLinks: '| GET | /payment-links | billing.read | list payment links |',
  listPayments: '| GET | /payments | billing.read | list and filter payments |',
  createDeposit: '| POST | /deposits | billing.write | create deposit link |',
  listDeposits: '| GET | /deposits | billing.read | list deposits |',
  getDeposit: '| GET | /deposits/{id} | billing.read | one deposit |',
};

/**
 * True if a request would create a second deposit for a booking, because another request of the run has created one. A
 * target may refuse it: the specification does not say whether a booking can have several deposits.
 */
function isForBookingWithDeposit({ call }: Exchange, { session }: ClauseContext): boolean {
  const booking = valueAt(call.body, 'booking_reference');
  return (
    booking !== undefined &&
    session.sentRequests.some(
      ({ call: other, exchange }) =>
        exchange && isSuccess(exchange) && valueAt(other.body, 'booking_reference') === booking,
    )
  );
}

/**
 * Clauses stating that valid requests succeed. Another clause that needs a valid request is only skipped if the request
 * fails, so these clauses report the failure.
 */
export const validRequestClauses: readonly Clause[] = operations.flatMap((operation, index): Clause[] => {
  const { id, method, path } = operation;
  const quote = endpointRows[id];
  if (quote === undefined) return [];
  return [
    {
      id: numberedId('ENV-VALID', index + 1),
      level: 'documented',
      operation: id,
      spec: 'Endpoints',
      quote,
      title: `No valid request to ${method} ${path} is refused.`,
      readsEarlierResponses: true,
      check: async (context) => {
        // Requests of this operation that failed, so that clauses or setups which need them were skipped.
        const blocking = [...context.session.blockingExchanges].filter(
          (exchange) =>
            operationOf(exchange.call)?.id === id &&
            !isSuccess(exchange) &&
            !isForBookingWithDeposit(exchange, context),
        );
        // `expectAccepted` repeats a refused request with smaller values, and throws Skip if only those are accepted.
        await checkEach(blocking, (exchange) => expectAccepted(context, exchange));
        if (successesSoFar(context, id).length > 0) return;
        await expectAccepted(context, await sendValidRequest(context, operation, {}, context.withRunPrefix('valid')));
      },
    },
  ];
});

/** Clauses about the operations that refused a valid request, so that clauses or setups which need it were skipped. */
export function clausesAboutRefusals({ blockingExchanges }: Session): readonly Clause[] {
  const refused = [...blockingExchanges].filter((exchange) => !isSuccess(exchange));
  const ids = new Set(refused.map(({ call }) => operationOf(call)?.id));
  return validRequestClauses.filter(({ operation }) => operation !== null && ids.has(operation));
}
