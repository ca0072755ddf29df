import type { Clause } from '../../engine/clause.js';
import { expectField, expectStatus, expectSuccess, succeeded } from '../../engine/expect.js';
import { setup } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { invoiceNotFoundError, invoicePaidError, reminderSentMessage } from '../../predicates/statements.js';
import { createdInvoice, laterInvoice } from '../invoice-creation/setups.js';
import { unknownId } from '../paging/setups.js';
import { paidInvoice } from '../statistics/setups.js';

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
const unknownError = {
  ...common,
  spec: 'Errors',
  quote: '| POST /invoices/{invoice}/reminder | invoice does not exist | 404 | `Invoice not found` |',
} as const;

export const reminder = setup('a reminder of an unpaid invoice', async (context) => {
  const { record } = await context.use(createdInvoice);
  return context.post(`/invoices/${record['id']}/reminder`);
});

const lateReminder = setup('a reminder of a paid invoice', async (context) => {
  const { detail, record } = await context.use(paidInvoice);
  if (detail['status'] !== 'paid') throw new Blocked('the invoice that the driver paid is not `paid`');
  return context.post(`/invoices/${record['id']}/reminder`);
});

const vainReminder = setup('a reminder of an unknown invoice', (context) =>
  context.post(`/invoices/${unknownId}/reminder`),
);

/** Reminders. */
export const reminderClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-REMIND-01',
    title: 'A reminder of an unpaid invoice is accepted.',
    check: async (context) => expectSuccess(await context.use(reminder)),
  },
  {
    ...endpoint,
    id: 'INV-REMIND-02',
    quote: 'Success body: `success` true and `message` `Invoice reminder sent successfully`.',
    title: 'The answer to a reminder has the message `Invoice reminder sent successfully`.',
    check: async (context) => expectField(succeeded(await context.use(reminder)), 'message', reminderSentMessage),
  },
  {
    ...endpoint,
    id: 'INV-REMIND-03',
    title: 'A reminder goes to the customer by e-mail.',
    check: { untestable: 'the mail goes to the customer' },
  },
  {
    ...endpoint,
    id: 'INV-REMIND-08',
    title: 'A reminder of an unpaid invoice that was due long ago is accepted.',
    check: async (context) => {
      const { record } = await context.use(laterInvoice);
      expectSuccess(await context.post(`/invoices/${record['id']}/reminder`));
    },
  },
  {
    ...paidError,
    id: 'INV-REMIND-04',
    title: 'A reminder of a paid invoice is refused with 400.',
    check: async (context) => expectStatus(await context.use(lateReminder), 400),
  },
  {
    ...paidError,
    id: 'INV-REMIND-05',
    title: 'The error of a reminder of a paid invoice is `Invoice is already paid`.',
    check: async (context) => expectField(await context.use(lateReminder), 'error', invoicePaidError),
  },
  {
    ...unknownError,
    id: 'INV-REMIND-06',
    title: 'A reminder of an invoice that does not exist is refused with 404.',
    check: async (context) => expectStatus(await context.use(vainReminder), 404),
  },
  {
    ...unknownError,
    id: 'INV-REMIND-07',
    title: 'The error of a reminder of an invoice that does not exist is `Invoice not found`.',
    check: async (context) => expectField(await context.use(vainReminder), 'error', invoiceNotFoundError),
  },
];
