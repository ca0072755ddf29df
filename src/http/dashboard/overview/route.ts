import { instant } from '../../../domain/dates.js';
import { getInvoiceStats } from '../../../simulation/operations/invoices.js';
import { newestFirst } from '../../../simulation/state/newest-first.js';
import { summaryOf } from '../../control/deliveries.js';
import { creationCall } from '../components/creation-call.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { overviewPage } from './view.js';

/** Maximum number of agenda items and of events shown. */
const maxListed = 8;

const overview: Show = (context) => {
  const { account, views } = context;
  const { currency, webhook_url } = account.record;
  const latest = newestFirst(account.deliveries.rows, ({ created_at }) => created_at).slice(0, maxListed);
  return overviewPage(placeOf(context, ''), {
    owed: account.totals.byCurrency,
    statistics: getInvoiceStats(account),
    counts: { links: account.paymentLinks.size, payments: account.payments.size, deposits: account.deposits.size },
    clock: { now: instant(account.now()), mode: account.clock.state.mode },
    agenda: account.schedule.upcoming(maxListed).map(({ at, kind, id }) => ({ at: instant(at), kind, id })),
    events: latest.map((delivery) => summaryOf(account, delivery)),
    webhookUrl: webhook_url,
    curl: creationCall(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency }),
  });
};

export const overviewPages: readonly Page[] = [['', overview]];
