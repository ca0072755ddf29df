import type { PaymentLink } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getPaymentLink } from '../../../simulation/operations/payment-links.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { exampleCurl } from '../components/example-curl.js';
import { type ListSource, listPageOf } from '../routing/list.js';
import { createExportRoutes } from '../routing/list-export.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { relatedActivity } from '../routing/related-activity.js';
import { linkEntries } from '../routing/timeline.js';
import { linkStatus, paymentLinkPage, paymentLinksPage } from './view.js';

/** Maximum number of payments listed for a link. */
const maxPayments = 25;

export const linkList = (account: Account): ListSource<PaymentLink> => ({
  rows: account.paymentLinks.rows,
  rowPositionsInTimeOrder: () => account.paymentLinks.rowPositionsInTimeOrder(({ created_at }) => created_at),
  searchTextsOf: ({ description, slug }) => [description, slug],
  statusOf: linkStatus,
  exportedFields: {
    id: ({ id }) => id,
    description: ({ description }) => description,
    slug: ({ slug }) => slug,
    status: linkStatus,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => currency,
    payments_count: ({ payments_count }) => payments_count,
    revenue: ({ revenue }) => revenue,
    created_at: ({ created_at }) => created_at,
  },
});

const showLinks: PageHandler = (context) => {
  const { account, views, query } = context;
  const listPage = listPageOf(query, linkList(context.account));
  const { currency } = account.record;
  const input = { description: 'Late checkout', amount: 49.9, currency };
  const curl = exampleCurl(views.baseUrl(), '/payment-links', input);
  return paymentLinksPage(context.location, listPage, { currency, curl });
};

const showLink: PageHandler = (context) => {
  const { account, views } = context;
  const record = getPaymentLink(account, operationInput(context).id);
  const linkPayments = account.payments.rows.filter(({ payment_link_id }) => payment_link_id === record.id);
  const payments = newestFirst(linkPayments, ({ created_at }) => created_at).slice(0, maxPayments);
  return paymentLinkPage(context.location, record, {
    payments,
    entries: linkEntries(account, record, payments),
    related: relatedActivity(account, `payment_link:${record.id}`),
    url: views.linkUrl(account, record),
  });
};

export const paymentLinkPages: readonly PageRoute[] = [
  ['/payment-links', showLinks],
  ['/payment-links/:idOrName', showLink],
  ...createExportRoutes('payment-links', linkList),
];
