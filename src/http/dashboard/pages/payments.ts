import { html, type SafeHtml } from '@remix-run/html-template';
import { allowedCauses } from '../../../domain/lifecycle.js';
import { type PaymentCause, paymentLifecycle } from '../../../domain/payment-lifecycle.js';
import { type Payment, paymentStatuses } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getPayment } from '../../../simulation/operations/payments.js';
import { moneyIn, moneyInAnyCurrency } from '../../../text/format-money.js';
import { actionForm } from '../components/action-form.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { lifecycle } from '../components/lifecycle.js';
import { type Column, createdColumn, list, statusColumn, table } from '../components/list.js';
import { recordPage } from '../components/record.js';
import { customerLink, recordLink } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, ownFields } from '../data/list-rows.js';
import { paymentEntries } from '../data/timeline-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

export const paymentList = (account: Account): ListSource<Payment> => ({
  rows: account.payments.rows,
  rowPositionsInTimeOrder: () => account.payments.rowPositionsInTimeOrder(),
  searchTextsOf: ({ description, reference, customer }) => [description, reference, customer.name, customer.email],
  statusOf: ({ status }) => status,
  exportedFields: {
    ...ownFields('id', 'reference', 'description'),
    customer: ({ customer }) => customer.name,
    ...ownFields(
      'status',
      'payment_method',
      'amount',
      'currency',
      'invoice_id',
      'payment_link_id',
      'created_at',
      'paid_at',
    ),
  },
});

/** The list of payments. */
const showPayments: PageHandler = ({ account, location, query }) =>
  dashboardPage(
    location,
    'Payments',
    list(location, {
      ...listPageOf(query, paymentList(account)),
      noun: 'payment',
      searchPlaceholder: 'description, reference, customer',
      statuses: paymentStatuses,
      empty: html`<p>No payments yet. <a href="${sectionPath(location.account, 'payment-links')}">Create a payment link</a> and make a payment with it.</p>`,
      columns: paymentColumns(location),
    }),
  );

function paymentColumns({ account, status: { now } }: DashboardLocation): Column<Payment>[] {
  const money = moneyInAnyCurrency();
  return [
    {
      label: 'Reference',
      sort: 'reference',
      show: ({ id, reference }) => html`<a href="${sectionPath(account, 'payments', id)}">${reference}</a>`,
    },
    { label: 'Description', sort: 'description', show: ({ description }) => description },
    { label: 'Customer', sort: 'customer', show: ({ customer }) => customer.name },
    statusColumn,
    { label: 'Method', sort: 'payment_method', show: ({ payment_method }) => payment_method },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: ({ amount, currency }) => money(amount, currency) },
    createdColumn(now),
  ];
}

/** A section with the latest payments of a record; empty HTML if there are none. */
export function latestPaymentsSection(location: DashboardLocation, payments: readonly Payment[]): SafeHtml {
  if (payments.length === 0) return html``;
  return html`<section class="sheet" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${table(paymentColumns(location), payments, 'The latest payments, newest first')}</section>`;
}

/** The page of a payment. */
const showPayment: PageHandler = (context) => {
  const { account, location } = context;
  const { profile } = account;
  const payment = getPayment(account, integerOrText(context.idOrName));
  const { id, status, history, customer, payment_link_id, invoice_id } = payment;
  const money = moneyIn(payment.currency);
  return recordPage(location, {
    noun: 'payment',
    title: `Payment ${payment.reference}`,
    status,
    summary: html`${money(payment.amount)} by ${payment.payment_method}`,
    actions: allowedCauses(paymentLifecycle, status, profile).map((cause) => buttons[cause](location, payment)),
    entries: paymentEntries(account, payment),
    related: relatedActivity(account, location, `payment:${id}`),
    moreSections: [lifecycle({ noun: 'payment', transitions: paymentLifecycle, profile, status, history })],
    fields: [
      ['Id', id],
      ['Reference', payment.reference],
      ['Description', payment.description],
      ['Status', statusBadge(status)],
      ['Amount', money(payment.amount)],
      ['Method', payment.payment_method],
      ['Customer', customerLink(account.id, customer)],
      ['Email', customer.email],
      [
        'Payment link',
        payment_link_id === null ? null : recordLink(account.id, { resource: 'payment_link', id: payment_link_id }),
      ],
      ['Invoice', invoice_id === null ? null : recordLink(account.id, { resource: 'invoice', id: invoice_id })],
      ['Created (UTC)', timestamp(payment.created_at)],
      ['Paid (UTC)', payment.paid_at && timestamp(payment.paid_at)],
    ],
  });
};

/** The button for each cause of a transition. */
const buttons: Record<PaymentCause, (location: DashboardLocation, payment: Payment) => SafeHtml> = {
  start: (location, { id }) =>
    actionForm(location, { operation: 'startPayment', id, label: 'Start processing', isSecondary: true }),
  succeed: (location, { id }) => actionForm(location, { operation: 'succeedPayment', id, label: 'Mark as succeeded' }),
  fail: (location, { id }) =>
    actionForm(location, { operation: 'failPayment', id, label: 'Mark as failed', isSecondary: true }),
};

export const paymentPages: readonly PageRoute[] = [
  ['/payments', showPayments],
  ['/payments/:idOrName', showPayment],
  ...createExportRoutes('payments', paymentList),
];
