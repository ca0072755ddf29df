import type { Clause } from '../../engine/clause.js';
import { expectField, expectStatus, expectSuccess, succeeded } from '../../engine/expect.js';
import { fact } from '../../engine/session.js';
import { Blocked } from '../../engine/verdict.js';
import { invoiceNotFoundError, invoicePaidError, reminderSentMessage } from '../../predicates/statements.js';
import { createdInvoice, laterInvoice } from '../invoice-creation/setups.js';
import { unknownId } from '../paging/unknown-record.js';
import { paidInvoice } from '../statistics/setups.js';

const common = { level: 'documented', operation: 'sendInvoiceReminder' } as const;
const endpoint = { ...common, spec: 'POST /invoices/{invoice}/reminder' } as const;
const errors = { ...common, spec: 'Errors' } as const;

export const reminder = fact('a reminder of an unpaid invoice', async (scene) => {
  const { record } = await scene.at(createdInvoice);
  return scene.post(`/invoices/${record['id']}/reminder`);
});

const lateReminder = fact('a reminder of a paid invoice', async (scene) => {
  const { detail, record } = await scene.at(paidInvoice);
  if (detail['status'] !== 'paid') throw new Blocked('the invoice that the driver has had paid is not `paid`');
  return scene.post(`/invoices/${record['id']}/reminder`);
});

const vainReminder = fact('a reminder of no invoice', (scene) => scene.post(`/invoices/${unknownId}/reminder`));

/** Reminders. */
export const reminderClauses: readonly Clause[] = [
  {
    ...endpoint,
    id: 'INV-REMIND-01',
    title: 'A reminder of an unpaid invoice is accepted.',
    check: async (scene) => expectSuccess(await scene.at(reminder)),
  },
  {
    ...endpoint,
    id: 'INV-REMIND-02',
    title: 'The answer to a reminder has the message `Invoice reminder sent successfully`.',
    check: async (scene) => expectField(succeeded(await scene.at(reminder)), 'message', reminderSentMessage),
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
    title: 'A reminder of an unpaid invoice is accepted that was due long ago.',
    check: async (scene) => {
      const { record } = await scene.at(laterInvoice);
      expectSuccess(await scene.post(`/invoices/${record['id']}/reminder`));
    },
  },
  {
    ...errors,
    id: 'INV-REMIND-04',
    title: 'A reminder of a paid invoice is refused with 400.',
    check: async (scene) => expectStatus(await scene.at(lateReminder), 400),
  },
  {
    ...errors,
    id: 'INV-REMIND-05',
    title: 'The error of a reminder of a paid invoice is `Invoice is already paid`.',
    check: async (scene) => expectField(await scene.at(lateReminder), 'error', invoicePaidError),
  },
  {
    ...errors,
    id: 'INV-REMIND-06',
    title: 'A reminder of an invoice that does not exist is refused with 404.',
    check: async (scene) => expectStatus(await scene.at(vainReminder), 404),
  },
  {
    ...errors,
    id: 'INV-REMIND-07',
    title: 'The error of a reminder of an invoice that does not exist is `Invoice not found`.',
    check: async (scene) => expectField(await scene.at(vainReminder), 'error', invoiceNotFoundError),
  },
];
