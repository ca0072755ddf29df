import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import {
  decimalOf,
  expectField,
  expectStatus,
  expectSuccess,
  isClientError,
  requireSuccess,
} from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { setup } from '../../engine/session.js';
import { isSameAmount } from '../../predicates/amounts.js';
import { invoiceNotFoundError, invoicePaidError, reminderSentMessage } from '../../predicates/statements.js';
import { requireRecord } from '../created-records.js';
import { statisticsQuotes } from '../field-quotes.js';
import {
  createdInvoice,
  idOfInvoice,
  invoicePath,
  sameDayCreation,
  secondPastDueInvoice,
} from '../invoice-creation/setups.js';
import { overdueListWithNewInvoices } from '../invoice-detail/setups.js';
import { indexInOverdueList } from '../invoice-list/setups.js';
import { nonexistentInteger } from '../nonexistent-id.js';
import { requireOperationWorks } from '../refusals.js';
import { expectEachResponse, successesSoFar } from '../responses.js';
import { expectFieldEquals } from '../same-values.js';
import {
  changedByOthersSkip,
  fieldDifference,
  paidInvoice,
  paymentBeforeDueDate,
  requirePaid,
  statisticIn,
} from '../statistics/setups.js';

const common = { level: 'documented', operation: 'sendInvoiceReminder' } as const;
const endpoint = {
  ...common,
  spec: 'POST /invoices/{invoice}/reminder',
  quote: 'Sends a reminder e-mail for an unpaid invoice.',
} as const;
const paidError = {
  ...common,
  spec: 'Errors',
  quote: '| POST /invoices/{invoice}/reminder | invoice is already paid | 400 | `Invoice is already paid` |',
} as const;
const notFoundError = {
  ...common,
  spec: 'Errors',
  quote: '| POST /invoices/{invoice}/reminder | invoice does not exist | 404 | `Invoice not found` |',
} as const;

/** The statistics just before the first reminder. */
const statisticsBeforeReminder = setup('the statistics before a reminder', (context) => context.get('/invoices/stats'));

export const reminderForUnpaidInvoice = setup('a reminder for an unpaid invoice', async (context) => {
  const { record } = await context.use(createdInvoice);
  await context.runIfPossible(statisticsBeforeReminder);
  return context.post(`${invoicePath(record)}/reminder`);
});

const reminderForPaidInvoice = setup('a reminder for a paid invoice', async (context) => {
  const { detail, record } = await context.use(paidInvoice);
  requirePaid(detail);
  return context.post(`${invoicePath(record)}/reminder`);
});

const reminderForOverdueInvoice = setup('a reminder for an invoice that was due long ago', async (context) => {
  const { record } = await context.use(secondPastDueInvoice);
  return context.post(`${invoicePath(record)}/reminder`);
});

const reminderForNonexistentInvoice = setup('a reminder for a nonexistent invoice', (context) =>
  context.post(`/invoices/${nonexistentInteger}/reminder`),
);

const reminderOnDueDate = setup('a reminder for an invoice that is due today', async (context) => {
  const record = requireRecord((await context.use(sameDayCreation)).exchange);
  return context.post(`${invoicePath(record)}/reminder`);
});

const secondReminder = setup('a second reminder for an unpaid invoice', async (context) => {
  requireSuccess(await context.use(reminderForUnpaidInvoice));
  const { record } = await context.use(createdInvoice);
  return context.post(`${invoicePath(record)}/reminder`);
});

const reminderAfterEarlyPayment = setup(
  'a reminder for an invoice that was paid before its due date',
  async (context) => {
    const { invoicePaidEarly, page } = await context.use(paymentBeforeDueDate);
    requirePaid(requireRecord(page));
    return context.post(`${invoicePath(invoicePaidEarly)}/reminder`);
  },
);

/** Reminders for unpaid, paid and nonexistent invoices. */
export const reminderClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-REMIND-01',
    title: 'A reminder for an unpaid invoice is accepted.',
    check: async (context) => expectSuccess(await context.use(reminderForUnpaidInvoice)),
  },
  {
    ...common,
    id: 'INV-REMIND-13',
    spec: 'Invoice statistics',
    quote: statisticsQuotes.total_outstanding,
    title: '`total_outstanding` still includes an unpaid invoice after a reminder.',
    check: async (context) => {
      requireSuccess(await context.use(reminderForUnpaidInvoice));
      const before = await context.use(statisticsBeforeReminder);
      const after = await context.get('/invoices/stats');
      const totalBefore = statisticIn(before, 'total_outstanding');
      const totalAfter = statisticIn(after, 'total_outstanding');
      const { record, exchange } = await context.use(createdInvoice);
      const amount = decimalOf(record['amount']);
      if (amount === undefined)
        throw new Blocked('the response to the creation of the invoice has no `amount`', exchange);
      if (fieldDifference({ before, after }, 'paid_invoices') !== 0) throw changedByOthersSkip('the invoices');
      // Only a difference of this amount shows that the invoice is missing: other clients may change other invoices.
      if (isSameAmount(totalBefore - totalAfter, amount))
        throw new Violation(
          `\`data.total_outstanding\`, which was ${totalBefore}, to still include the unpaid invoice ${record['id']}`,
          totalAfter,
          after,
        );
    },
  },
  {
    ...endpoint,
    id: 'INV-REMIND-02',
    quote: 'Success body: `success` true and `message` `Invoice reminder sent successfully`.',
    title: 'The response to a reminder has the message `Invoice reminder sent successfully`.',
    readsEarlierResponses: true,
    check: async (context) => {
      requireSuccess(await context.use(reminderForUnpaidInvoice));
      for (const reminder of [reminderForOverdueInvoice, reminderOnDueDate, secondReminder])
        await context.runIfPossible(reminder);
      expectEachResponse(context, successesSoFar(context, common.operation), (exchange) =>
        expectField(exchange, 'message', reminderSentMessage),
      );
    },
  },
  {
    ...endpoint,
    id: 'INV-REMIND-03',
    title: 'A reminder is sent to the customer by email.',
    check: { untestable: 'the email goes to the customer, not to the suite' },
  },
  {
    ...endpoint,
    id: 'INV-REMIND-08',
    title: 'A reminder for an invoice that has been overdue for a long time is accepted.',
    check: async (context) => expectSuccess(await context.use(reminderForOverdueInvoice)),
  },
  {
    ...endpoint,
    id: 'INV-REMIND-10',
    title: 'A reminder for an invoice that is due today is accepted.',
    check: async (context) => expectSuccess(await context.use(reminderOnDueDate)),
  },
  {
    ...endpoint,
    // The specification does not say how often a reminder may be sent.
    level: 'inferred',
    id: 'INV-REMIND-11',
    title: 'A second reminder for an unpaid invoice is accepted.',
    check: async (context) => expectSuccess(await context.use(secondReminder)),
  },
  {
    ...paidError,
    id: 'INV-REMIND-12',
    title: 'A reminder for an invoice that was paid before its due date is refused with 400.',
    check: async (context) => expectStatus(await context.use(reminderAfterEarlyPayment), 400),
  },
  {
    ...paidError,
    id: 'INV-REMIND-04',
    title: 'A reminder for a paid invoice is refused with 400.',
    check: async (context) => expectStatus(await context.use(reminderForPaidInvoice), 400),
  },
  {
    ...paidError,
    id: 'INV-REMIND-05',
    title: 'The error for a paid invoice is `Invoice is already paid`.',
    check: async (context) => {
      expectField(await context.use(reminderForPaidInvoice), 'error', invoicePaidError);
      const afterEarlyPayment = await ifPossible(context.use(reminderAfterEarlyPayment));
      if (afterEarlyPayment && isClientError(afterEarlyPayment))
        expectField(afterEarlyPayment, 'error', invoicePaidError);
    },
  },
  {
    ...notFoundError,
    id: 'INV-REMIND-06',
    title: 'A reminder for a nonexistent invoice is refused with 404.',
    check: async (context) => {
      expectStatus(await context.use(reminderForNonexistentInvoice), 404);
      // Otherwise, any path could be refused with 404.
      await requireOperationWorks(context, 'sendInvoiceReminder', reminderForUnpaidInvoice);
    },
  },
  {
    ...notFoundError,
    id: 'INV-REMIND-07',
    title: 'The error for a nonexistent invoice is `Invoice not found`.',
    check: async (context) =>
      expectField(await context.use(reminderForNonexistentInvoice), 'error', invoiceNotFoundError),
  },
  {
    ...endpoint,
    level: 'inferred',
    id: 'INV-REMIND-09',
    title: 'After a reminder, an overdue invoice is still listed as overdue, with the same due date.',
    check: async (context) => {
      // `reminderForOverdueInvoice` is about the same invoice.
      const { longOverdueInvoice, isLongOverdueInvoiceListed } = await context.use(overdueListWithNewInvoices);
      if (!isLongOverdueInvoiceListed)
        throw new Skip({
          missing: 'an overdue invoice',
          reason: 'the invoice to send a reminder for is not listed as overdue',
        });
      requireSuccess(await context.use(reminderForOverdueInvoice));
      const exchange = requireSuccess(await context.get('/invoices/overdue'));
      const index = indexInOverdueList(exchange, longOverdueInvoice.record);
      if (index === -1)
        throw new Violation(
          `invoice ${idOfInvoice(longOverdueInvoice.record)} in the overdue list`,
          'a list without it',
          exchange,
        );
      expectFieldEquals({ exchange, path: `data.${index}` }, 'due_date', longOverdueInvoice.body['due_date']);
    },
  },
];
