import { html, type SafeHtml } from '@remix-run/html-template';
import { type InvoiceCause, invoiceLifecycle, isUnpaid, unpaidAmount } from '../../../domain/invoice-lifecycle.js';
import { allowedCauses } from '../../../domain/lifecycle.js';
import {
  type Customer,
  type Invoice,
  type InvoiceItem,
  invoiceStatuses,
  type Payment,
} from '../../../domain/records.js';
import type { Profile } from '../../../openapi/gaps.js';
import { formatNumber, longDate, moneyIn, moneyInAnyCurrency, typedAmount } from '../../../text/format-money.js';
import { actionForm, advanceForm } from '../components/action-form.js';
import type { RelatedActivity } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage } from '../components/dashboard.js';
import { lifecycle } from '../components/lifecycle.js';
import { type Column, type ListPage, list, table } from '../components/list.js';
import { recordPage } from '../components/record.js';
import { nameOrElse } from '../components/record-link.js';
import { statusBadge } from '../components/status.js';
import type { TimelineEntry } from '../components/timeline.js';
import { relativeTime, timestamp } from '../components/timestamp.js';
import { paymentTable } from '../payments/view.js';

/** The list of invoices. @param curl a command that creates one */
export function invoicesPage(
  location: DashboardLocation,
  results: ListPage<Invoice>,
  { customerOf, curl }: { readonly customerOf: (invoice: Invoice) => Customer | undefined; readonly curl: string },
): string {
  return dashboardPage(
    location,
    'Invoices',
    html`<p><a class="button" href="${addressOf(location.account, 'invoices', 'new')}">New invoice</a></p>
${list(location, {
  ...results,
  noun: 'invoices',
  searchPlaceholder: 'number, reference, customer',
  statuses: invoiceStatuses,
  empty: html`<p>No invoices yet. Create one above, or through the API:</p><pre>${curl}</pre>
<p>or create many at once: <code>billing-sim seed --invoices 100</code></p>`,
  columns: invoiceColumns(location, (invoice) => customerOf(invoice)?.name ?? ''),
})}`,
  );
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
        html`<a href="${addressOf(account, 'invoices', id)}">${nameOrElse(invoice_number, `invoice ${id}`)}</a>`,
    },
    ...(customerName ? [{ label: 'Customer', sort: 'customer', show: customerName }] : []),
    { label: 'Status', sort: 'status', show: ({ status }) => statusBadge(status) },
    { label: 'Date', sort: 'date', show: ({ date }) => date },
    { label: 'Due', sort: 'due_date', show: ({ due_date }) => due_date },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: ({ amount, currency }) => money(amount, currency) },
    {
      label: 'Unpaid',
      isNumeric: true,
      show: (row) => (isUnpaid(row) ? money(unpaidAmount(row), row.currency) : ''),
    },
    { label: 'Created', sort: 'created_at', show: ({ created_at }) => relativeTime(created_at, now) },
  ];
}

/** The data that the page of an invoice shows besides the invoice. */
interface InvoiceContext {
  readonly profile: Profile;
  readonly customer: Customer | undefined;
  /** The latest payments of the invoice. */
  readonly payments: readonly Payment[];
  readonly entries: readonly TimelineEntry[];
  readonly related: RelatedActivity;
  /** The time when the invoice becomes overdue, ISO 8601; undefined if it does not become overdue. */
  readonly overdueAt: string | undefined;
  readonly canBeReminded: boolean;
  /** The page where the customer can pay the invoice. */
  readonly payUrl: string;
}

/** The page of an invoice. */
export function invoicePage(location: DashboardLocation, invoice: Invoice, context: InvoiceContext): string {
  const { profile, customer, payments, entries, related, payUrl } = context;
  const { id, status, history, subscription } = invoice;
  const money = moneyIn(invoice.currency);
  return recordPage(location, {
    noun: 'invoice',
    title: `Invoice ${nameOrElse(invoice.invoice_number, String(id))}`,
    status,
    summary: html`${money(invoice.amount)}${invoice.paid_amount > 0 ? html`, of which ${money(invoice.paid_amount)} paid` : ''}, due ${longDate(invoice.due_date)}`,
    actions: invoiceActions(location, invoice, context),
    entries,
    related,
    moreSections: [
      lifecycle({ noun: 'invoice', transitions: invoiceLifecycle, profile, status, history }),
      html`<section class="sheet" aria-labelledby="items"><h2 id="items">Items</h2>
${table<InvoiceItem>(
  [
    { label: 'Description', show: ({ description }) => description },
    { label: 'Quantity', isNumeric: true, show: (item) => formatNumber(item.quantity) },
    { label: 'Unit price', isNumeric: true, show: ({ unit_price }) => money(unit_price) },
    { label: 'Tax', isNumeric: true, show: ({ tax_rate }) => `${formatNumber(tax_rate)} %` },
    { label: 'Total', isNumeric: true, show: ({ total }) => money(total) },
  ],
  invoice.items.slice(0, 100),
  invoice.items.length > 100 ? `The first 100 of ${invoice.items.length} items` : 'All items',
)}</section>`,
      paymentTable(location, payments),
    ],
    fields: [
      ['Id', id],
      ['Number', invoice.invoice_number],
      ['Reference', invoice.reference],
      [
        'Customer',
        customer
          ? html`<a href="${addressOf(location.account, 'customers', customer.id)}">${nameOrElse(customer.name, `customer ${customer.id}`)}</a>`
          : null,
      ],
      ['Status', statusBadge(status)],
      ['Past due', invoice.past_due ? 'yes' : 'no'],
      ['Amount', money(invoice.amount)],
      ['Paid', money(invoice.paid_amount)],
      ['Unpaid', money(unpaidAmount(invoice))],
      ['Date', invoice.date],
      ['Due date', invoice.due_date],
      ['Subscription', subscription && `${subscription.name} (${subscription.interval}, ${subscription.status})`],
      ['Created (UTC)', timestamp(invoice.created_at)],
      ['Payment page', html`<a href="${payUrl}" hx-boost="false">${payUrl}</a>`],
      ['Notes', invoice.notes],
    ],
  });
}

/** The button for each cause of a transition. */
const buttons: Record<
  InvoiceCause,
  (location: DashboardLocation, invoice: Invoice, context: InvoiceContext) => SafeHtml
> = {
  finalize: (location, { id }) => actionForm(location, { operation: 'finalizeInvoice', id, label: 'Finalize' }),
  send: (location, { id }) => actionForm(location, { operation: 'sendInvoice', id, label: 'Send' }),
  view: (location, { id }) =>
    actionForm(location, { operation: 'viewInvoice', id, label: 'View as the customer', isSecondary: true }),
  pay: (location, invoice) => payForm(location, invoice),
  'fall-due': (location, _invoice, { overdueAt }) =>
    overdueAt === undefined
      ? html``
      : advanceForm(location, { to: overdueAt }, 'Advance past the due date', { isSecondary: true }),
  cancel: (location, { id }) =>
    actionForm(location, { operation: 'cancelInvoice', id, label: 'Cancel', isSecondary: true }),
};

/** Buttons for the transitions that are possible now, and for a reminder if one may be sent. */
function invoiceActions(location: DashboardLocation, invoice: Invoice, context: InvoiceContext): SafeHtml[] {
  const { id, status } = invoice;
  const remind = actionForm(location, {
    operation: 'sendInvoiceReminder',
    id,
    label: 'Send a reminder',
    isSecondary: true,
  });
  return [
    ...allowedCauses(invoiceLifecycle, status, context.profile).map((cause) =>
      buttons[cause](location, invoice, context),
    ),
    ...(context.canBeReminded ? [remind] : []),
  ];
}

function payForm(location: DashboardLocation, invoice: Invoice): SafeHtml {
  const { id, currency } = invoice;
  return actionForm(location, { operation: 'payInvoice', id, label: 'Pay' }, ({ text }) =>
    text({
      name: 'amount:number',
      label: `Amount (${currency})`,
      attributes: html`inputmode="decimal" size="8" placeholder="${typedAmount(unpaidAmount(invoice), currency)}"`,
      hint: `Leave empty to pay the remaining ${moneyIn(currency)(unpaidAmount(invoice))}.`,
    }),
  );
}
