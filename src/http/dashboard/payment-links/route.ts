import { instant } from '../../../domain/dates.js';
import { getPaymentLink } from '../../../simulation/operations/payment-links.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { readInteger } from '../../service/query.js';
import { creationCall } from '../components/creation-call.js';
import { pageOf } from '../routing/list.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { linkEntries } from '../routing/timeline.js';
import { linkStatus, paymentLinkPage, paymentLinksPage } from './view.js';

/** Maximum number of payments listed for a link. */
const maxPayments = 25;

const links: Show = (context) => {
  const { account, views, search } = context;
  const found = pageOf(account.paymentLinks, search, {
    timeOf: ({ created_at }) => created_at,
    textsOf: ({ description, slug }) => [description, slug],
    statusOf: linkStatus,
  });
  const { currency } = account.record;
  const input = { description: 'Late checkout', amount: 49.9, currency };
  const curl = creationCall(views.baseUrl(), '/payment-links', input);
  return paymentLinksPage(placeOf(context, 'payment-links'), found, { currency, curl });
};

const link: Show = (context) => {
  const { account, views, request } = context;
  const record = getPaymentLink(account, readInteger(String(request.params['name'])));
  const all = account.payments.rows.filter(({ payment_link_id }) => payment_link_id === record.id);
  const payments = newestFirst(all, ({ created_at }) => created_at).slice(0, maxPayments);
  return paymentLinkPage(placeOf(context, 'payment-links'), record, {
    payments,
    entries: linkEntries(account, record, payments),
    now: instant(account.now()),
    url: views.linkUrl(account, record),
  });
};

export const paymentLinkPages: readonly Page[] = [
  ['/payment-links', links],
  ['/payment-links/:name', link],
];
