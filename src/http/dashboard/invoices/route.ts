import { addDays, dateOf, formatInstant } from '../../../domain/dates.js';
import type { Invoice } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getInvoice, whyNotRemindable } from '../../../simulation/operations/invoices.js';
import { dueTimes } from '../../../simulation/state/apply-changes.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import type { Views } from '../../service/views.js';
import { exampleCurl } from '../components/example-curl.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { invoiceEntries } from '../routing/timeline.js';
import { showNewInvoice } from './new-invoice.js';
import { invoicePage, invoicesPage } from './view.js';

/** Maximum number of payments listed for an invoice. */
const maxPayments = 25;

export const invoiceList = (account: Account): ListSource<Invoice> => ({
  rows: account.invoices.rows,
  rowPositionsInTimeOrder: () => account.invoices.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ invoice_number, reference }) => [invoice_number, reference],
  createRelatedMatcher: (isFound) => {
    const customers = account.customers.rows.filter(({ name, company, email }) => isFound([name, company, email]));
    const customerIds = new Set(customers.map(({ id }) => id));
    return ({ customer_id }) => customerIds.has(customer_id);
  },
  statusOf: ({ status }) => status,
  exportedFields: {
    id: ({ id }) => id,
    invoice_number: ({ invoice_number }) => invoice_number,
    reference: ({ reference }) => reference,
    customer_id: ({ customer_id }) => customer_id,
    customer: ({ customer_id }) => account.customers.get(customer_id)?.name ?? null,
    status: ({ status }) => status,
    date: ({ date }) => date,
    due_date: ({ due_date }) => due_date,
    amount: ({ amount }) => amount,
    paid_amount: ({ paid_amount }) => paid_amount,
    currency: ({ currency }) => currency,
    created_at: ({ created_at }) => created_at,
  },
});

const showInvoices: PageHandler = (context) => {
  const { account, views, query } = context;
  const listPage = listPageOf(query, invoiceList(context.account));
  return invoicesPage(context.location, listPage, {
    customerOf: ({ customer_id }) => account.customers.get(customer_id),
    curl: exampleInvoiceCurl(account, views),
  });
};

function exampleInvoiceCurl(account: Account, views: Views): string {
  const date = dateOf(account.now(), account.record.time_zone);
  return exampleCurl(views.baseUrl(), '/invoices', {
    customer_id: account.customers.rows[0]?.id ?? 1,
    date,
    due_date: addDays(date, 14),
    items: [{ description: 'Consulting', quantity: 2, unit_price: 450, tax_rate: 20 }],
  });
}

const showInvoice: PageHandler = (context) => {
  const { account, views } = context;
  const record = getInvoice(account, operationInput(context).id);
  const dueAt = dueTimes['invoice-falls-due'].dueAt(account, record);
  return invoicePage(context.location, record, {
    profile: account.profile,
    customer: account.customers.get(record.customer_id),
    payments: newestFirst(account.paymentsOfInvoice.all(record.id), ({ created_at }) => created_at).slice(
      0,
      maxPayments,
    ),
    entries: invoiceEntries(account, record),
    related: relatedActivity(account, `invoice:${record.id}`),
    overdueAt: dueAt === undefined ? undefined : formatInstant(dueAt),
    canBeReminded: whyNotRemindable(account, record) === undefined,
    payUrl: views.invoicePayUrl(account, record),
  });
};

export const invoicePages: readonly PageRoute[] = [
  ['/invoices', showInvoices],
  ['/invoices/new', showNewInvoice],
  ['/invoices/:idOrName', showInvoice],
  ...createExportRoutes('invoices', invoiceList),
];
