import { addDays, formatInstant } from '../../../domain/dates.js';
import { type Delivery, invoiceStatuses } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { getInvoiceStats } from '../../../simulation/operations/invoices.js';
import { traceHtml } from '../../../text/trace-html.js';
import { deliverySummary } from '../../control/deliveries.js';
import { traceOf } from '../../control/trace.js';
import { exampleCurl } from '../components/example-curl.js';
import { nextAgendaEntries } from '../routing/agenda-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';
import { deliveryStatuses } from '../webhooks/view.js';
import { overviewPage } from './view.js';

/** Maximum number of agenda items and of webhook events shown. */
const maxListed = 8;

/** Number of days in the chart of webhook events. */
const chartDays = 14;

const showOverview: PageHandler = (context) => {
  const { account, views } = context;
  const { currency, webhook_url } = account.record;
  const deliveries = chronologicalDeliveries(account);
  return overviewPage(context.location, {
    owed: account.invoiceTotals.byCurrency,
    statistics: getInvoiceStats(account),
    counts: { links: account.paymentLinks.size, payments: account.payments.size, deposits: account.deposits.size },
    agenda: nextAgendaEntries(account, maxListed),
    events: deliveries.latest().map((delivery) => deliverySummary(account, delivery)),
    eventsByDay: lastDays(account.now()).map((day) => ({ day, count: deliveries.countOn(day) })),
    deliveriesByStatus: deliveryStatuses.map((status) => ({ status, count: account.deliveryTotals.countOf(status) })),
    invoicesByStatus: invoiceStatuses.map((status) => ({ status, count: account.invoiceTotals.countOf(status) })),
    webhookUrl: webhook_url,
    curl: exampleCurl(views.baseUrl(), '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency }),
  });
};

/** The days of the chart, today last, in UTC: `YYYY-MM-DD`. */
function lastDays(now: number): string[] {
  const today = formatInstant(now).slice(0, 10);
  return Array.from({ length: chartDays }, (_, index) => addDays(today, index + 1 - chartDays));
}

/** Gives access to the deliveries in chronological order, without scanning all of them. */
function chronologicalDeliveries({ deliveries }: Account) {
  const timeOf = ({ created_at }: Delivery): string => created_at;
  const positions = deliveries.rowPositionsInTimeOrder(timeOf);
  const deliveryAt = (rank: number): Delivery | undefined => deliveries.rows[positions[rank] ?? -1];
  /**
   * Number of deliveries before a time, by binary search.
   * @param time ISO 8601, or a prefix of it such as `2026-03-01`
   */
  const countBefore = (time: string): number => {
    let [from, to] = [0, positions.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const delivery = deliveryAt(middle);
      if (delivery && timeOf(delivery) < time) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return {
    latest: (): Delivery[] =>
      positions
        .slice(-maxListed)
        .reverse()
        .flatMap((position) => deliveries.rows[position] ?? []),
    countOn: (day: string): number => countBefore(addDays(day, 1)) - countBefore(day),
  };
}

/** The trace of the account as a file. */
const downloadTrace: PageHandler = ({ account }) =>
  download(traceHtml(traceOf(account)), `trace-${account.id}.html`, 'text/html; charset=utf-8');

export const overviewPages: readonly PageRoute[] = [
  ['/overview', showOverview],
  ['/trace.html', downloadTrace],
];
