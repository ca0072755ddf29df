import { instant } from '../../domain/dates.js';
import { creationCall } from '../../pages/creation-call.js';
import { overviewPage } from '../../pages/overview.js';
import { getInvoiceStats } from '../../simulation/invoices.js';
import { newestFirst } from '../../simulation/newest-first.js';
import { summaryOf } from '../control/deliveries.js';
import { type Page, placeOf, type Show } from './show.js';

/** How much of the agenda and of the events is shown. */
const most = 8;

const overview: Show = (asked) => {
  const { account, views } = asked;
  const { currency, webhook_url } = account.record;
  const latest = newestFirst(account.deliveries.rows, ({ created_at }) => created_at).slice(0, most);
  return overviewPage(placeOf(asked, ''), {
    owed: account.totals.byCurrency,
    statistics: getInvoiceStats(account),
    counts: { links: account.paymentLinks.size, payments: account.payments.size, deposits: account.deposits.size },
    clock: { now: instant(account.now()), mode: account.clock.state.mode },
    agenda: account.schedule.upcoming(most).map(({ at, kind, id }) => ({ at: instant(at), kind, id })),
    events: latest.map((delivery) => summaryOf(account, delivery)),
    webhookUrl: webhook_url,
    curl: creationCall(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency }),
  });
};

export const overviewPages: readonly Page[] = [['', overview]];
