import { html, type SafeHtml } from '@remix-run/html-template';
import { allowedCauses } from '../../../domain/lifecycle.js';
import { type PaymentCause, paymentLifecycle } from '../../../domain/payment-lifecycle.js';
import { type Payment, paymentStatuses } from '../../../domain/records.js';
import type { Profile } from '../../../openapi/gaps.js';
import { moneyIn, moneyInAny } from '../../../text/format-money.js';
import { actionForm } from '../components/action-form.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { lifecycle } from '../components/lifecycle.js';
import { type Column, type List, list, table } from '../components/list.js';
import { moment } from '../components/moment.js';
import { recordPage } from '../components/record.js';
import { statusBadge } from '../components/status.js';
import { subjectLink } from '../components/subject.js';
import type { Entry } from '../components/timeline.js';

/** The list of payments. */
export function paymentsPage(place: Place, found: Pick<List<Payment>, 'rows' | 'total' | 'search'>): string {
  return dashboardPage(
    place,
    'Payments',
    list(place, {
      ...found,
      noun: 'payments',
      hint: 'description, reference, customer',
      statuses: paymentStatuses,
      empty: html`<p>No payments yet. <a href="${addressOf(place.account, 'payment-links')}">Create a payment link</a> and pay it.</p>`,
      columns: paymentColumns(place),
    }),
  );
}

function paymentColumns({ account }: Place): Column<Payment>[] {
  const money = moneyInAny();
  return [
    {
      label: 'Reference',
      show: ({ id, reference }) => html`<a href="${addressOf(account, 'payments', id)}">${reference}</a>`,
    },
    { label: 'Description', show: ({ description }) => description },
    { label: 'Customer', show: ({ customer }) => customer.name },
    { label: 'Status', show: ({ status }) => statusBadge(status) },
    { label: 'Method', show: ({ payment_method }) => payment_method },
    { label: 'Amount', isFigure: true, show: ({ amount, currency }) => money(amount, currency) },
    { label: 'Created (UTC)', show: ({ created_at }) => moment(created_at) },
  ];
}

/** The latest payments of a record; empty if there are none. */
export function paymentTable(place: Place, payments: readonly Payment[]): SafeHtml {
  if (payments.length === 0) return html``;
  return html`<section class="sheet" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${table(paymentColumns(place), payments, 'The latest payments, newest first')}</section>`;
}

/** Further data for the page of a payment. */
interface PaymentContext {
  readonly profile: Profile;
  readonly entries: readonly Entry[];
  readonly now: string;
}

/** The page of a payment. */
export function paymentPage(place: Place, payment: Payment, { profile, entries, now }: PaymentContext): string {
  const { account } = place;
  const { id, status, history, customer, payment_link_id, invoice_id } = payment;
  const money = moneyIn(payment.currency);
  return recordPage(place, {
    noun: 'payment',
    title: `Payment ${payment.reference}`,
    list: ['payments', 'payments'],
    status,
    summary: html`${money(payment.amount)} by ${payment.payment_method}`,
    actions: allowedCauses(paymentLifecycle, status, profile).map((cause) => buttons[cause](place, payment)),
    entries,
    now,
    more: [
      html`<section class="sheet" aria-labelledby="lifecycle"><h2 id="lifecycle">Lifecycle</h2>
${lifecycle({ noun: 'payment', table: paymentLifecycle, profile, status, history })}</section>`,
    ],
    fields: [
      ['Id', id],
      ['Reference', payment.reference],
      ['Description', payment.description],
      ['Status', statusBadge(status)],
      ['Amount', money(payment.amount)],
      ['Method', payment.payment_method],
      ['Customer', html`<a href="${addressOf(account, 'customers', customer.id)}">${customer.name}</a>`],
      ['E-mail', customer.email],
      [
        'Payment link',
        payment_link_id === null ? null : subjectLink(account, { resource: 'payment_link', id: payment_link_id }),
      ],
      ['Invoice', invoice_id === null ? null : subjectLink(account, { resource: 'invoice', id: invoice_id })],
      ['Created (UTC)', moment(payment.created_at)],
      ['Paid (UTC)', payment.paid_at && moment(payment.paid_at)],
    ],
  });
}

/** A button for every cause of a transition. */
const buttons: Record<PaymentCause, (place: Place, payment: Payment) => SafeHtml> = {
  start: (place, { id }) => actionForm(place, { operation: 'startPayment', id, label: 'Start', isQuiet: true }),
  succeed: (place, { id }) => actionForm(place, { operation: 'succeedPayment', id, label: 'Succeed' }),
  fail: (place, { id }) => actionForm(place, { operation: 'failPayment', id, label: 'Fail', isQuiet: true }),
};
