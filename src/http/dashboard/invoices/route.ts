import { addDays, dateOf, instant } from '../../../domain/dates.js';
import type { Account } from '../../../simulation/account.js';
import { getInvoice, reminderRefusal } from '../../../simulation/operations/invoices.js';
import { dueTimes } from '../../../simulation/state/due-times.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { readInteger } from '../../service/query.js';
import type { Views } from '../../service/views.js';
import { creationCall } from '../components/creation-call.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { invoiceEntries } from '../routing/timeline.js';
import { invoicePage, invoicesPage } from './view.js';

/** Maximum number of payments listed for an invoice. */
const maxPayments = 25;

const invoices: Show = (context) => {
  const { account, views, search } = context;
  const found = pageOf(account.invoices, search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ invoice_number, reference }) => [invoice_number, reference],
    alsoFoundBy: (isFound) => {
      const found = account.customers.rows.filter(({ name, company }) => isFound([name, company]));
      const billedIds = new Set(found.map(({ id }) => id));
      return ({ customer_id }) => billedIds.has(customer_id);
    },
    statusOf: ({ status }) => status,
  });
  return invoicesPage(placeOf(context, 'invoices'), found, {
    customerOf: ({ customer_id }) => account.customers.get(customer_id),
    curl: exampleCall(account, views),
  });
};

function exampleCall(account: Account, views: Views): string {
  const date = dateOf(account.now(), account.record.time_zone);
  return creationCall(views.baseUrl(), '/invoices', {
    customer_id: account.customers.rows[0]?.id ?? 1,
    date,
    due_date: addDays(date, 14),
    items: [{ description: 'Consulting', quantity: 2, unit_price: 450, tax_rate: 20 }],
  });
}

const invoice: Show = (context) => {
  const { account, views, request } = context;
  const record = getInvoice(account, readInteger(String(request.params['name'])));
  const due = dueTimes['invoice-falls-due'].dueAt(account, record);
  return invoicePage(placeOf(context, 'invoices'), record, {
    profile: account.profile,
    customer: account.customers.get(record.customer_id),
    payments: newestFirst(account.paymentsOfInvoice.all(record.id), ({ created_at }) => created_at).slice(
      0,
      maxPayments,
    ),
    entries: invoiceEntries(account, record),
    now: instant(account.now()),
    fallsDueAt: due === undefined ? undefined : instant(due),
    canBeReminded: reminderRefusal(account, record) === undefined,
    payUrl: views.invoicePayUrl(account, record),
  });
};

export const invoicePages: readonly Page[] = [
  ['/invoices', invoices],
  ['/invoices/:name', invoice],
];
