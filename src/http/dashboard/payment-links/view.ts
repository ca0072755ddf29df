import { html, type SafeHtml } from '@remix-run/html-template';
import type { Payment, PaymentLink } from '../../../domain/records.js';
import { moneyIn, moneyInAnyCurrency } from '../../../text/format-money.js';
import { actionForm } from '../components/action-form.js';
import type { RelatedActivity } from '../components/chains.js';
import { addressOf, type DashboardLocation, dashboardPage } from '../components/dashboard.js';
import { type ListPage, list } from '../components/list.js';
import { collapsibleForm, newPaymentLinkForm } from '../components/new-records.js';
import { recordPage } from '../components/record.js';
import { nameOrElse } from '../components/record-link.js';
import { statusBadge } from '../components/status.js';
import type { TimelineEntry } from '../components/timeline.js';
import { relativeTime, timestamp } from '../components/timestamp.js';
import { paymentTable } from '../payments/view.js';

/** The status of a payment link on the pages. The API has a boolean instead. */
export function linkStatus({ is_active }: PaymentLink): 'active' | 'inactive' {
  return is_active ? 'active' : 'inactive';
}

/** The list of payment links. @param curl a command that creates one */
export function paymentLinksPage(
  location: DashboardLocation,
  results: ListPage<PaymentLink>,
  { currency, curl }: { readonly currency: string; readonly curl: string },
): string {
  const money = moneyInAnyCurrency();
  return dashboardPage(
    location,
    'Payment links',
    html`${collapsibleForm(location, 'createPaymentLink', { label: 'New payment link', isOpen: results.total === 0, content: newPaymentLinkForm(location, currency) })}
${list(location, {
  ...results,
  noun: 'payment links',
  searchPlaceholder: 'description, slug',
  statuses: ['active', 'inactive'],
  empty: html`<p>No payment links yet. Create one above, or through the API:</p><pre>${curl}</pre>`,
  columns: [
    {
      label: 'Description',
      sort: 'description',
      show: ({ id, description }) =>
        html`<a href="${addressOf(location.account, 'payment-links', id)}">${nameOrElse(description, `payment link ${id}`)}</a>`,
    },
    { label: 'Slug', sort: 'slug', show: ({ slug }) => slug },
    { label: 'Status', sort: 'status', show: (link) => statusBadge(linkStatus(link)) },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: (link) => money(link.amount, link.currency) },
    { label: 'Payments', sort: 'payments_count', isNumeric: true, show: ({ payments_count }) => payments_count },
    { label: 'Revenue', sort: 'revenue', isNumeric: true, show: (link) => money(link.revenue, link.currency) },
    { label: 'Created', sort: 'created_at', show: ({ created_at }) => relativeTime(created_at, location.status.now) },
  ],
})}`,
  );
}

/** The data that the page of a payment link shows besides the link. */
interface LinkContext {
  /** The latest payments of the link. */
  readonly payments: readonly Payment[];
  readonly entries: readonly TimelineEntry[];
  readonly related: RelatedActivity;
  /** The page where a guest pays through the link. */
  readonly url: string;
}

/** The page of a payment link. */
export function paymentLinkPage(
  location: DashboardLocation,
  link: PaymentLink,
  { payments, entries, related, url }: LinkContext,
): string {
  const { id, description, slug, is_active, payments_count } = link;
  const money = moneyIn(link.currency);
  const guestPageLink = html`<a href="${url}" hx-boost="false">${url}</a>`;
  return recordPage(location, {
    noun: 'payment link',
    title: nameOrElse(description, `Payment link ${id}`),
    status: linkStatus(link),
    summary: html`${money(link.amount)} at ${guestPageLink}`,
    actions: is_active ? outcomes.map(([outcome, label]) => payButton(location, id, outcome, label)) : [],
    entries,
    related,
    moreSections: [paymentTable(location, payments)],
    fields: [
      ['Id', id],
      ['Slug', slug],
      ['Description', description],
      ['Amount', money(link.amount)],
      ['Paid payments', payments_count],
      ['Revenue', money(link.revenue)],
      ['Created (UTC)', timestamp(link.created_at)],
    ],
  });
}

/** The outcomes of a payment that the page offers, with the labels of their buttons. */
const outcomes = [
  ['paid', 'Pay'],
  ['pending', 'Pay and leave pending'],
  ['failed', 'Fail a payment'],
] as const;

function payButton(location: DashboardLocation, id: number, outcome: string, label: string): SafeHtml {
  const formAction = { operation: 'payPaymentLink', id, label, isSecondary: outcome !== 'paid' };
  return actionForm(location, formAction, html`<input type="hidden" name="outcome" value="${outcome}">`);
}
