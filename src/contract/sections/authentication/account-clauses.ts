import type { OperationId } from '../../../generated/billing-document.js';
import { Violation } from '../../engine/check-errors.js';
import { type Clause, numberedId } from '../../engine/clause.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, recordsAt, requireSuccess, valueAt } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { depositsIn, newDeposit } from '../deposits/setups.js';
import { createdInvoice } from '../invoice-creation/setups.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import { newLink } from '../payment-links/setups.js';
import { linkPaymentLocation } from '../payments/setups.js';
import { acceptedRequestMarker, operationRequests, sendValidRequest } from './setups.js';

/** A read that shows what the account has. */
interface AccountRead {
  /** Name of the response in titles. */
  readonly name: string;
  /** Gives the account a record that the read shows. Uses the token with both scopes. */
  readonly recordSetup: Setup<unknown>;
  /** True if a response shows that the account has records. */
  readonly showsRecords: (response: Exchange) => boolean;
}

const hasRecordsAt =
  (path: string) =>
  ({ json }: Exchange): boolean =>
    recordsAt(json, path).length > 0;

const reads: Partial<Record<OperationId, AccountRead>> = {
  listInvoices: {
    name: 'The list of invoices',
    recordSetup: createdInvoice,
    showsRecords: hasRecordsAt('data.data'),
  },
  getInvoiceStats: {
    name: 'The response with the statistics',
    recordSetup: createdInvoice,
    showsRecords: ({ json }) => decimalOf(valueAt(json, 'data.total_invoices')) !== 0,
  },
  listOverdueInvoices: {
    name: 'The overdue list',
    recordSetup: overdueListWithNewInvoices,
    showsRecords: hasRecordsAt('data'),
  },
  listPaymentLinks: {
    name: 'The list of payment links',
    recordSetup: newLink,
    showsRecords: hasRecordsAt('data.data'),
  },
  listPayments: {
    name: 'The list of payments',
    recordSetup: linkPaymentLocation,
    showsRecords: hasRecordsAt('data.data'),
  },
  listDeposits: {
    name: 'The list of deposits',
    recordSetup: newDeposit,
    showsRecords: (response) => depositsIn(response).records.length > 0,
  },
};

/** Clauses which require that a read shows all records of the account, even with a token that created none of them. */
export const accountClauses: readonly Clause[] = operationRequests
  .flatMap((operation) => {
    const read = reads[operation.id];
    return read ? [{ ...read, operation }] : [];
  })
  .map(
    ({ name, recordSetup, showsRecords, operation }, index): Clause => ({
      id: numberedId('AUTH-ACCOUNT', index + 1),
      level: 'documented',
      operation: operation.id,
      spec: 'What the service does',
      quote: 'The service is a JSON REST interface to a billing account.',
      title: `${name} shows what the account has, even if the token created none of it.`,
      check: async (context) => {
        const first = requireSuccess(await context.use(operation.requestBy.read));
        await context.use(recordSetup);
        if (showsRecords(first)) return;
        // The first request may have been sent before the account had records.
        const marker = acceptedRequestMarker(context);
        const response = await eventually(
          context,
          async () => requireSuccess(await sendValidRequest(context, operation, { token: 'read' }, marker)),
          showsRecords,
        );
        if (!showsRecords(response)) throw new Violation('records of the account', response.text, response);
      },
    }),
  );
