import { html, type SafeHtml } from '@remix-run/html-template';
import type { Payment, PaymentLink } from '../../../domain/records.js';
import { moneyIn, moneyInAny } from '../../../text/format-money.js';
import { actionForm } from '../components/action-form.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { type List, list } from '../components/list.js';
import { moment } from '../components/moment.js';
import { disclosedForm, newPaymentLinkForm } from '../components/new-records.js';
import { recordPage } from '../components/record.js';
import { statusBadge } from '../components/status.js';
import type { Entry } from '../components/timeline.js';
import { paymentTable } from '../payments/view.js';

/** The status of a payment link, which is active or not. */
export function linkStatus({ is_active }: PaymentLink): 'active' | 'inactive' {
  return is_active ? 'active' : 'inactive';
}

/** The list of payment links. @param curl a command that creates one */
export function paymentLinksPage(
  place: Place,
  found: Pick<List<PaymentLink>, 'rows' | 'total' | 'search'>,
  { currency, curl }: { readonly currency: string; readonly curl: string },
): string {
  const money = moneyInAny();
  return dashboardPage(
    place,
    'Payment links',
    html`${disclosedForm(place, 'createPaymentLink', { label: 'New payment link', isOpen: found.total === 0, content: newPaymentLinkForm(place, currency) })}
${list(place, {
  ...found,
  noun: 'payment links',
  hint: 'description, slug',
  statuses: ['active', 'inactive'],
  empty: html`<p>No payment links yet. Create one above, or through the API:</p><pre>${curl}</pre>`,
  columns: [
    {
      label: 'Description',
      show: ({ id, description }) =>
        html`<a href="${addressOf(place.account, 'payment-links', id)}">${description}</a>`,
    },
    { label: 'Slug', show: ({ slug }) => slug },
    { label: 'Status', show: (link) => statusBadge(linkStatus(link)) },
    { label: 'Amount', isFigure: true, show: ({ amount, currency: own }) => money(amount, own) },
    { label: 'Payments', isFigure: true, show: ({ payments_count }) => payments_count },
    { label: 'Revenue', isFigure: true, show: ({ revenue, currency: own }) => money(revenue, own) },
    { label: 'Created (UTC)', show: ({ created_at }) => moment(created_at) },
  ],
})}`,
  );
}

/** Further data for the page of a payment link. */
interface LinkContext {
  /** Its latest payments. */
  readonly payments: readonly Payment[];
  readonly entries: readonly Entry[];
  readonly now: string;
  /** The page where it is paid. */
  readonly url: string;
}

/** The page of a payment link. */
export function paymentLinkPage(place: Place, link: PaymentLink, { payments, entries, now, url }: LinkContext): string {
  const { id, description, slug, is_active, payments_count } = link;
  const money = moneyIn(link.currency);
  const open = html`<a href="${url}" hx-boost="false">${url}</a>`;
  return recordPage(place, {
    noun: 'payment link',
    title: description,
    list: ['payment-links', 'payment links'],
    status: linkStatus(link),
    summary: html`${money(link.amount)} at ${open}`,
    actions: is_active ? outcomes.map(([outcome, label]) => pay(place, id, outcome, label)) : [],
    entries,
    now,
    more: [paymentTable(place, payments)],
    fields: [
      ['Id', id],
      ['Slug', slug],
      ['Description', description],
      ['Amount', money(link.amount)],
      ['Payments', payments_count],
      ['Revenue', money(link.revenue)],
      ['Created (UTC)', moment(link.created_at)],
    ],
  });
}

const outcomes = [
  ['paid', 'Pay'],
  ['pending', 'Pay and leave pending'],
  ['failed', 'Fail a payment'],
] as const;

function pay(place: Place, id: number, outcome: string, label: string): SafeHtml {
  const formAction = { operation: 'payPaymentLink', id, label, isQuiet: outcome !== 'paid' };
  return actionForm(place, formAction, html`<input type="hidden" name="outcome" value="${outcome}">`);
}
