import { html, type SafeHtml } from '@remix-run/html-template';
import type { PaymentLink } from '../../../domain/records.js';
import { integerOrText } from '../../../lib/integer-or-text.js';
import type { Account } from '../../../simulation/account.js';
import { getPaymentLink } from '../../../simulation/operations/payment-links.js';
import { moneyIn, moneyInAnyCurrency } from '../../../text/format-money.js';
import { actionForm } from '../components/action-form.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { exampleCurl } from '../components/example-curl.js';
import { createdColumn, list } from '../components/list.js';
import { collapsibleForm, exampleLinkAmount, newPaymentLinkForm } from '../components/new-records.js';
import { recordPage } from '../components/record.js';
import { nameOrElse } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, newestRows, ownFields } from '../data/list-rows.js';
import { linkEntries } from '../data/timeline-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { latestPaymentsSection } from './payments.js';

/** The status of a payment link on the pages. The API has a boolean instead. */
export function linkStatus({ is_active }: PaymentLink): 'active' | 'inactive' {
  return is_active ? 'active' : 'inactive';
}

export const linkList = (account: Account): ListSource<PaymentLink> => ({
  rows: account.paymentLinks.rows,
  rowPositionsInTimeOrder: () => account.paymentLinks.rowPositionsInTimeOrder(),
  searchTextsOf: ({ description, slug }) => [description, slug],
  statusOf: linkStatus,
  exportedFields: {
    ...ownFields('id', 'description', 'slug'),
    status: linkStatus,
    ...ownFields('amount', 'currency', 'payments_count', 'revenue', 'created_at'),
  },
});

/** The list of payment links. */
const showLinks: PageHandler = ({ account, location, views, query }) => {
  const results = listPageOf(query, linkList(account));
  const { currency } = account.record;
  const input = { description: 'Late checkout', amount: Number(exampleLinkAmount(currency)), currency };
  const curl = exampleCurl(views.baseUrl(), '/payment-links', input);
  const money = moneyInAnyCurrency();
  return dashboardPage(
    location,
    'Payment links',
    html`${collapsibleForm(location, 'createPaymentLink', { label: 'New payment link', isOpen: account.paymentLinks.size === 0, content: newPaymentLinkForm(location, currency) })}
${list(location, {
  ...results,
  noun: 'payment link',
  searchPlaceholder: 'description, slug',
  statuses: ['active', 'inactive'],
  empty: html`<p>No payment links yet. Create one above, or through the API:</p><pre>${curl}</pre>`,
  columns: [
    {
      label: 'Description',
      sort: 'description',
      show: ({ id, description }) =>
        html`<a href="${sectionPath(location.account, 'payment-links', id)}">${nameOrElse(description, `payment link ${id}`)}</a>`,
    },
    { label: 'Slug', sort: 'slug', show: ({ slug }) => slug },
    { label: 'Status', sort: 'status', show: (link) => statusBadge(linkStatus(link)) },
    { label: 'Amount', sort: 'amount', isNumeric: true, show: (link) => money(link.amount, link.currency) },
    { label: 'Payments', sort: 'payments_count', isNumeric: true, show: ({ payments_count }) => payments_count },
    { label: 'Revenue', sort: 'revenue', isNumeric: true, show: (link) => money(link.revenue, link.currency) },
    createdColumn(location.status.now),
  ],
})}`,
  );
};

/** The page of a payment link. */
const showLink: PageHandler = (context) => {
  const { account, location, views } = context;
  const link = getPaymentLink(account, integerOrText(context.idOrName));
  const linkPayments = account.payments.rows.filter(({ payment_link_id }) => payment_link_id === link.id);
  const payments = newestRows(linkPayments);
  const { id, description, slug, is_active, payments_count } = link;
  const money = moneyIn(link.currency);
  const url = views.linkUrl(account, link);
  const guestPageLink = html`<a href="${url}" hx-boost="false">${url}</a>`;
  return recordPage(location, {
    noun: 'payment link',
    title: nameOrElse(description, `Payment link ${id}`),
    status: linkStatus(link),
    summary: html`${money(link.amount)} at ${guestPageLink}`,
    actions: is_active ? outcomes.map(([outcome, label]) => payButton(location, id, outcome, label)) : [],
    entries: linkEntries(account, link, payments),
    related: relatedActivity(account, location, `payment_link:${id}`),
    moreSections: [latestPaymentsSection(location, payments)],
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
};

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

export const paymentLinkPages: readonly PageRoute[] = [
  ['/payment-links', showLinks],
  ['/payment-links/:idOrName', showLink],
  ...createExportRoutes('payment-links', linkList),
];
