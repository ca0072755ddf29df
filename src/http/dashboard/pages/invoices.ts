import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays, dateOf, formatInstant } from '../../../domain/dates.js';
import { type InvoiceCause, invoiceLifecycle, isUnpaid, unpaidAmount } from '../../../domain/invoice-lifecycle.js';
import { allowedCauses } from '../../../domain/lifecycle.js';
import { type Invoice, type InvoiceItem, invoiceStatuses } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getInvoice, whyNotRemindable } from '../../../simulation/operations/invoices.js';
import { dueTimes } from '../../../simulation/state/apply-changes.js';
import { formatNumber, moneyIn, moneyInAnyCurrency, plainAmount } from '../../../text/format-money.js';
import { longDate } from '../../../text/long-date.js';
import type { Views } from '../../service/views.js';
import { actionForm, advanceForm } from '../components/action-form.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { exampleCurl } from '../components/example-curl.js';
import { lifecycle } from '../components/lifecycle.js';
import { type Column, createdColumn, list, statusColumn, table } from '../components/list.js';
import { recordPage } from '../components/record.js';
import { customerLink, nameOrElse } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, newestRows, ownFields } from '../data/list-rows.js';
import { invoiceEntries } from '../data/timeline-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { showNewInvoice } from './new-invoice.js';
import { latestPaymentsSection } from './payments.js';

/** Filters for several statuses at once. The overview shows the number of invoices for each. */
const invoiceGroups = ['unpaid', 'awaiting payment', 'past due'] as const;
export type InvoiceGroup = (typeof invoiceGroups)[number];

export const invoiceList = (account: Account): ListSource<Invoice> => ({
  rows: account.invoices.rows,
  rowPositionsInTimeOrder: () => account.invoices.rowPositionsInTimeOrder(),
  searchTextsOf: ({ invoice_number, reference }) => [invoice_number, reference],
  createRelatedMatcher: (isFound) => {
    const customers = account.customers.rows.filter(({ name, company, email }) => isFound([name, company, email]));
    const customerIds = new Set(customers.map(({ id }) => id));
    return ({ customer_id }) => customerIds.has(customer_id);
  },
  statusOf: ({ status }) => status,
  statusGroups: new Map<InvoiceGroup, (invoice: Invoice) => boolean>([
    ['unpaid', isUnpaid],
    ['awaiting payment', (invoice) => account.invoiceTotals.countsAsPending(invoice)],
    ['past due', ({ id }) => account.invoiceTotals.overdue.has(id)],
  ]),
  exportedFields: {
    ...ownFields('id', 'invoice_number', 'reference', 'customer_id'),
    customer: ({ customer_id }) => account.customers.get(customer_id)?.name ?? null,
    ...ownFields('status', 'date', 'due_date', 'amount', 'paid_amount', 'currency', 'created_at'),
  },
});

/** The list of invoices. */
const showInvoices: PageHandler = ({ account, location, views, query }) =>
  dashboardPage(
    location,
    'Invoices',
    html`<p><a class="button" href="${sectionPath(location.account, 'invoices', 'new')}">New invoice</a></p>
${list(location, {
  ...listPageOf(query, invoiceList(account)),
  noun: 'invoice',
  searchPlaceholder: 'number, reference, customer',
  statuses: [...invoiceStatuses, ...invoiceGroups],
  empty: html`<p>No invoices yet. Create one above, or${account.customers.size === 0 ? html`, once there is <a href="${sectionPath(account.id, 'customers')}">a customer</a>,` : ''} through the API:</p><pre>${exampleInvoiceCurl(account, views)}</pre>
<p>To create many at once, stop the simulator, and run <code>billing-sim seed --invoices 100</code>.</p>`,
  columns: invoiceColumns(location, ({ customer_id }) => account.customers.get(customer_id)?.name ?? ''),
})}`,
  );

function exampleInvoiceCurl(account: Account, views: Views): string {
  const date = dateOf(account.now(), account.record.time_zone);
  return exampleCurl(views.baseUrl(), '/invoices', {
    customer_id: account.customers.rows[0]?.id ?? 1,
    date,
    due_date: addDays(date, 14),
    items: [{ description: 'Consulting', quantity: 2, unit_price: 450, tax_rate: 20 }],
  });
}

/** The columns of a table of invoices. @param customerName left out if all invoices have the same customer */
export function invoiceColumns(
  { account, status: { now } }: DashboardLocation,
  customerName?: (invoice: Invoice) => string,
): Column<Invoice>[] {
  const money = moneyInAnyCurrency();
  return [
    {
      label: 'Number',
      sort: 'invoice_number',
      show: ({ id, invoice_number }) =>
        html`<a href="${sectionPath(account, 'invoices', id)}">${nameOrElse(invoice_number, `invoice ${id}`)}</a>`,
    },
    ...(customerName ? [{ label: 'Customer', sort: 'customer', show: customerName }] : []),
    statusColumn,
    { label: 'Date', sort: 'date', show: ({ date }) => date },
    { label: 'Due', sort: 'due_date', show: ({ due_date }) => due_date },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: ({ amount, currency }) => money(amount, currency) },
    {
      label: 'Unpaid',
      isNumeric: true,
      show: (row) => (isUnpaid(row) ? money(unpaidAmount(row), row.currency) : ''),
    },
    createdColumn(now),
  ];
}

/** The page of an invoice. */
const showInvoice: PageHandler = (context) => {
  const { account, location, views } = context;
  const { profile } = account;
  const invoice = getInvoice(account, integerOrText(context.idOrName));
  const customer = account.customers.get(invoice.customer_id);
  const payments = newestRows(account.paymentsOfInvoice.all(invoice.id));
  const payUrl = views.invoicePayUrl(account, invoice);
  const { id, status, history, subscription } = invoice;
  const money = moneyIn(invoice.currency);
  return recordPage(location, {
    noun: 'invoice',
    title: `Invoice ${nameOrElse(invoice.invoice_number, String(id))}`,
    status,
    summary: html`${money(invoice.amount)}${invoice.paid_amount > 0 ? html`, of which ${money(invoice.paid_amount)} paid` : ''}, due ${longDate(invoice.due_date)}`,
    actions: invoiceActions(account, location, invoice),
    entries: invoiceEntries(account, invoice),
    related: relatedActivity(account, location, `invoice:${id}`),
    moreSections: [
      lifecycle({ noun: 'invoice', transitions: invoiceLifecycle, profile, status, history }),
      html`<section class="sheet" aria-labelledby="items"><h2 id="items">Items</h2>
${table<InvoiceItem>(
  [
    { label: 'Description', show: ({ description }) => description },
    { label: 'Quantity', isNumeric: true, show: (item) => formatNumber(item.quantity) },
    { label: 'Unit price', isNumeric: true, show: ({ unit_price }) => money(unit_price) },
    { label: 'Tax rate', isNumeric: true, show: ({ tax_rate }) => `${formatNumber(tax_rate)}%` },
    { label: 'Total', isNumeric: true, show: ({ total }) => money(total) },
  ],
  invoice.items.slice(0, 100),
  invoice.items.length > 100 ? `The first 100 of ${invoice.items.length} items` : 'All items',
)}</section>`,
      latestPaymentsSection(location, payments),
    ],
    fields: [
      ['Id', id],
      ['Number', invoice.invoice_number],
      ['Reference', invoice.reference],
      ['Customer', customer ? customerLink(account.id, customer) : null],
      ['Status', statusBadge(status)],
      ['Past due', invoice.past_due ? 'yes' : 'no'],
      ['Amount', money(invoice.amount)],
      ['Paid', money(invoice.paid_amount)],
      ['Unpaid', isUnpaid(invoice) ? money(unpaidAmount(invoice)) : null],
      ['Date', invoice.date],
      ['Due date', invoice.due_date],
      ['Subscription', subscription && `${subscription.name} (${subscription.interval}, ${subscription.status})`],
      ['Created (UTC)', timestamp(invoice.created_at)],
      ['Payment page', html`<a href="${payUrl}" hx-boost="false">${payUrl}</a>`],
      ['Notes', invoice.notes],
    ],
  });
};

/** Builds the button for each cause of a transition. */
const buttons: Record<InvoiceCause, (location: DashboardLocation, invoice: Invoice, account: Account) => SafeHtml> = {
  finalize: (location, { id }) => actionForm(location, { operation: 'finalizeInvoice', id, label: 'Finalize' }),
  send: (location, { id }) => actionForm(location, { operation: 'sendInvoice', id, label: 'Send' }),
  view: (location, { id }) =>
    actionForm(location, { operation: 'viewInvoice', id, label: 'View as the customer', isSecondary: true }),
  pay: payForm,
  'fall-due'(location, invoice, account) {
    const dueAt = dueTimes['invoice-falls-due'].dueAt(account, invoice);
    if (dueAt === undefined) return html``;
    return advanceForm(location, { to: formatInstant(dueAt) }, 'Advance past the due date', { isSecondary: true });
  },
  cancel: (location, { id }) =>
    actionForm(location, { operation: 'cancelInvoice', id, label: 'Cancel', isSecondary: true }),
};

/** Buttons for the transitions that are possible now, and for a reminder if one may be sent. */
function invoiceActions(account: Account, location: DashboardLocation, invoice: Invoice): SafeHtml[] {
  const { id, status } = invoice;
  const remind = actionForm(location, {
    operation: 'sendInvoiceReminder',
    id,
    label: 'Send a reminder',
    isSecondary: true,
  });
  return [
    ...allowedCauses(invoiceLifecycle, status, account.profile).map((cause) =>
      buttons[cause](location, invoice, account),
    ),
    ...(whyNotRemindable(account, invoice) === undefined ? [remind] : []),
  ];
}

function payForm(location: DashboardLocation, invoice: Invoice): SafeHtml {
  const { id, currency } = invoice;
  return actionForm(location, { operation: 'payInvoice', id, label: 'Pay' }, ({ text }) =>
    text({
      name: 'amount:number',
      label: `Amount (${currency})`,
      attributes: html`inputmode="decimal" size="8" placeholder="${plainAmount(unpaidAmount(invoice), currency)}"`,
      hint: `Leave empty to pay the remaining ${moneyIn(currency)(unpaidAmount(invoice))}.`,
    }),
  );
}

export const invoicePages: readonly PageRoute[] = [
  ['/invoices', showInvoices],
  ['/invoices/new', showNewInvoice],
  ['/invoices/:idOrName', showInvoice],
  ...createExportRoutes('invoices', invoiceList),
];
