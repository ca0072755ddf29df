import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays, formatInstant } from '../../../domain/dates.js';
import { type Delivery, type InvoiceStatus, invoiceStatuses } from '../../../domain/records.js';
import type { Account } from '../../../simulation/account.js';
import { deliveryStatus } from '../../../simulation/delivery/deliveries.js';
import { getInvoiceStats } from '../../../simulation/operations/invoices.js';
import { timeUntil } from '../../../text/agenda-text.js';
import { formatNumber, moneyIn } from '../../../text/format-money.js';
import { traceHtml } from '../../../text/trace-html.js';
import { traceOf } from '../../control/trace.js';
import { advanceForm } from '../components/action-form.js';
import { type AgendaEntry, agendaItemText } from '../components/agenda-item.js';
import { barChart } from '../components/bar-chart.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { firstDeposit } from '../components/first-deposit.js';
import { table } from '../components/list.js';
import { pageCommand } from '../components/page-command.js';
import { recordLink } from '../components/record-link.js';
import { type Section, sectionPath } from '../components/sections.js';
import { statusBadge, variantOf } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import { nextAgendaEntries } from '../data/agenda-entries.js';
import type { PageContext, PageHandler, PageRoute } from '../routing/page.js';
import { download } from '../routing/responses.js';
import type { InvoiceGroup } from './invoices.js';
import { deliveryStatuses } from './webhooks.js';

/** Maximum number of agenda items and of webhook events shown. */
const maxListed = 8;

/** Number of days in the chart of webhook events. */
const chartDays = 14;

/** The overview: a form to try a first deposit, key figures, the clock, the latest events, and charts. */
const showOverview: PageHandler = (context) => {
  const { account, location, views } = context;
  const { total_invoices: invoiceCount } = getInvoiceStats(account);
  const isEmpty = invoiceCount + account.paymentLinks.size + account.payments.size + account.deposits.size === 0;
  const deliveries = chronologicalDeliveries(account);
  return dashboardPage(
    location,
    'Overview',
    html`${
      isEmpty
        ? firstDeposit(account, location, 'No records yet: create a deposit', views.baseUrl())
        : firstDeposit(account, location, 'Try it: see a deposit expire')
    }
${liveSection(
  location,
  'overview',
  html`${keyFigures(account)}
<div class="beside overview">
${clockSheet(account, location)}
${eventsSheet(context, deliveries.latest())}
</div>
${charts(account, deliveries.countOn)}`,
)}`,
  );
};

function keyFigures(account: Account): SafeHtml {
  const statistics = getInvoiceStats(account);
  // Amounts in different currencies cannot be added, so each currency has its own sum.
  const formatSums = (field: 'outstanding' | 'overdue'): string =>
    account.invoiceTotals.byCurrency
      .filter((sum, index) => index === 0 || sum[field] !== 0)
      .map((sum) => moneyIn(sum.currency)(sum[field]))
      .join(' + ');
  const listUrl = (section: Section): string => sectionPath(account.id, section);
  const invoicesUrl = (status: InvoiceStatus | InvoiceGroup): string =>
    `${listUrl('invoices')}?${new URLSearchParams({ status })}`;
  const figures: readonly (readonly [label: string, value: string, href: string])[] = [
    ['Invoices', formatNumber(statistics.total_invoices), listUrl('invoices')],
    ['Awaiting payment', formatNumber(statistics.pending_invoices), invoicesUrl('awaiting payment')],
    ['Paid', formatNumber(statistics.paid_invoices), invoicesUrl('paid')],
    ['Overdue', formatNumber(statistics.overdue_invoices), invoicesUrl('past due')],
    ['Outstanding', formatSums('outstanding'), invoicesUrl('unpaid')],
    ['Overdue amount', formatSums('overdue'), invoicesUrl('past due')],
    ['Payment links', formatNumber(account.paymentLinks.size), listUrl('payment-links')],
    ['Payments', formatNumber(account.payments.size), listUrl('payments')],
    ['Deposits', formatNumber(account.deposits.size), listUrl('deposits')],
  ];
  return html`<dl class="figures">
${figures.map(([label, value, href]) => html`<div><dt><a href="${href}">${label}</a></dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function clockSheet(account: Account, location: DashboardLocation): SafeHtml {
  const { status } = location;
  const agenda = nextAgendaEntries(account, maxListed);
  return html`<section class="sheet" aria-labelledby="clock"><h2 id="clock">Clock</h2>
<p>${timestamp(status.now)} UTC; the clock is ${status.isFrozen ? 'frozen' : 'running'}.</p>
<div class="actions">${advanceForm(location, { by: '1d' }, 'Advance 1 day')}</div>
${
  agenda.length === 0
    ? html`<p class="empty">The agenda is empty.</p>`
    : table<AgendaEntry>(
        [
          { label: 'Event', show: (item) => agendaItemText(account.id, item) },
          { label: 'When', show: ({ at }) => timeUntil(at, status.now) },
        ],
        agenda,
        'The next agenda items',
        { className: 'rows' },
      )
}
<p><a href="${sectionPath(account.id, 'clock')}">Clock and agenda</a></p>
</section>`;
}

function eventsSheet(context: PageContext, latest: readonly Delivery[]): SafeHtml {
  const { account } = context;
  const webhooks = sectionPath(account.id, 'webhooks');
  return html`<section class="sheet" aria-labelledby="events"><h2 id="events">Events</h2>
${account.record.webhook_url === null ? html`<p class="hint">No webhook URL is set, so webhooks are not sent. <a href="${webhooks}">Set one</a>, or run <code>${pageCommand(context, 'listen')}</code>.</p>` : ''}
${
  latest.length === 0
    ? html`<p class="empty">No events yet.</p>`
    : table<Delivery>(
        [
          {
            label: 'Event',
            show: ({ id, event }) => html`<a href="${sectionPath(account.id, 'webhooks', id)}">${event}</a>`,
          },
          { label: 'Record', show: ({ subject }) => recordLink(account.id, subject) },
          { label: 'Delivery', show: (delivery) => statusBadge(deliveryStatus(account, delivery)) },
          { label: 'At (UTC)', show: ({ created_at }) => timestamp(created_at) },
        ],
        latest,
        'The latest events, newest first',
        { className: 'rows' },
      )
}
<p><a href="${webhooks}">All deliveries</a></p>
<p><a href="${sectionPath(account.id, '')}/trace.html" download hx-boost="false">Download trace</a></p>
</section>`;
}

function charts(account: Account, countOn: (day: string) => number): SafeHtml {
  const days = lastDays(account.now()).map((day) => {
    const label = html`<time datetime="${day}">${day}</time>`;
    return { name: day, label, count: countOn(day), variant: 'plain' as const };
  });
  const byStatus = <Status extends string>(
    section: Section,
    statuses: readonly Status[],
    totals: { countWithStatus(status: Status): number },
  ) =>
    statuses.map((status) => ({
      name: status,
      label: html`<a href="${sectionPath(account.id, section)}?status=${status}">${status}</a>`,
      count: totals.countWithStatus(status),
      variant: variantOf(status),
    }));
  return html`<div class="charts">
${chartSheet('events-by-day', 'Events by day (UTC)', days, `No events in the last ${days.length} days.`)}
${chartSheet('deliveries-by-status', 'Deliveries by status', byStatus('webhooks', deliveryStatuses, account.deliveryTotals), 'No deliveries yet.')}
${chartSheet('invoices-by-status', 'Invoices by status', byStatus('invoices', invoiceStatuses, account.invoiceTotals), 'No invoices yet.')}
</div>`;
}

/** A chart with a heading. @param empty shown instead of the chart if all counts are zero */
function chartSheet(id: string, title: string, bars: Parameters<typeof barChart>[2], empty: string): SafeHtml {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${bars.every(({ count }) => count === 0) ? html`<p class="empty">${empty}</p>` : barChart(id, title, bars)}
</section>`;
}

/** The days of the chart, today last, in UTC: `YYYY-MM-DD`. */
function lastDays(now: number): string[] {
  const today = formatInstant(now).slice(0, 10);
  return Array.from({ length: chartDays }, (_, index) => addDays(today, index + 1 - chartDays));
}

/** Gives access to the deliveries in chronological order, without scanning all of them. */
function chronologicalDeliveries({ deliveries }: Account) {
  const positions = deliveries.rowPositionsInTimeOrder();
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
      if (delivery && delivery.created_at < time) from = middle + 1;
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
