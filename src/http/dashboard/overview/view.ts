import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import type { Statistics } from '../../../simulation/operations/invoices.js';
import { timeUntil } from '../../../text/agenda-text.js';
import { formatNumber, moneyIn } from '../../../text/format-money.js';
import { advanceForm } from '../components/action-form.js';
import { type AgendaEntry, agendaItemText } from '../components/agenda-item.js';
import { barChart } from '../components/bar-chart.js';
import {
  addressOf,
  type DashboardLocation,
  dashboardPage,
  liveSection,
  type Section,
} from '../components/dashboard.js';
import { table } from '../components/list.js';
import { newDepositForm } from '../components/new-records.js';
import { recordLink } from '../components/record-link.js';
import { statusBadge, variantOf } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';

type Delivery = components['schemas']['DeliverySummary'];

interface StatusCount {
  readonly status: string;
  readonly count: number;
}

export interface Overview {
  /** The amounts owed in each currency; the account's own currency comes first. */
  readonly owed: readonly { readonly currency: string; readonly outstanding: number; readonly overdue: number }[];
  /** The invoice statistics, as the service returns them. */
  readonly statistics: Statistics;
  readonly counts: { readonly links: number; readonly payments: number; readonly deposits: number };
  /** The next agenda items. */
  readonly agenda: readonly AgendaEntry[];
  /** The latest events with the status of their delivery. */
  readonly events: readonly Delivery[];
  /** Number of events on each of the last days, in UTC; today comes last. */
  readonly eventsByDay: readonly { readonly day: string; readonly count: number }[];
  readonly deliveriesByStatus: readonly StatusCount[];
  readonly invoicesByStatus: readonly StatusCount[];
  /** The webhook URL; null if none is set. */
  readonly webhookUrl: string | null;
  /** A curl command that creates a deposit. */
  readonly curl: string;
}

/** The overview: a form to try a first deposit, key figures, the clock, the latest events, and charts. */
export function overviewPage(location: DashboardLocation, overview: Overview): string {
  const { statistics, counts, curl } = overview;
  const isEmpty = statistics.total_invoices + counts.links + counts.payments + counts.deposits === 0;
  return dashboardPage(
    location,
    'Overview',
    html`<section class="sheet" aria-labelledby="try"><h2 id="try">${isEmpty ? 'No records yet: create a deposit' : 'Try it: see a deposit expire'}</h2>
<p>Create a deposit, authorize it, and advance 8 days: its hold ends, and a webhook is sent.</p>
${newDepositForm(location, statistics.currency, counts.deposits + 1)}
${isEmpty ? html`<p>Or create one through the API, with one of the <a href="${addressOf(location.account, 'tokens')}">tokens</a>:</p><pre>${curl}</pre>` : ''}
</section>
${liveSection(
  location,
  'overview',
  html`${keyFigures(location, overview)}
<div class="beside overview">
${clockSheet(location, overview)}
${eventsSheet(location, overview)}
</div>
${charts(location, overview)}`,
)}`,
  );
}

function keyFigures({ account }: DashboardLocation, { statistics, counts, owed }: Overview): SafeHtml {
  // Amounts in different currencies cannot be added, so each currency has its own sum.
  const formatSums = (field: 'outstanding' | 'overdue'): string =>
    owed
      .filter((sum, index) => index === 0 || sum[field] !== 0)
      .map((sum) => moneyIn(sum.currency)(sum[field]))
      .join(' + ');
  const listUrl = (section: Section, status?: string): string =>
    addressOf(account, section) + (status === undefined ? '' : `?status=${status}`);
  const figures: readonly (readonly [label: string, value: string, href: string])[] = [
    ['Invoices', formatNumber(statistics.total_invoices), listUrl('invoices')],
    ['Awaiting payment', formatNumber(statistics.pending_invoices), listUrl('invoices')],
    ['Paid', formatNumber(statistics.paid_invoices), listUrl('invoices', 'paid')],
    ['Overdue', formatNumber(statistics.overdue_invoices), listUrl('invoices', 'overdue')],
    ['Outstanding', formatSums('outstanding'), listUrl('invoices')],
    ['Overdue amount', formatSums('overdue'), listUrl('invoices', 'overdue')],
    ['Payment links', formatNumber(counts.links), listUrl('payment-links')],
    ['Payments', formatNumber(counts.payments), listUrl('payments')],
    ['Deposits', formatNumber(counts.deposits), listUrl('deposits')],
  ];
  return html`<dl class="figures">
${figures.map(([label, value, href]) => html`<div><dt><a href="${href}">${label}</a></dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function clockSheet(location: DashboardLocation, { agenda }: Overview): SafeHtml {
  const { account, status } = location;
  return html`<section class="sheet" aria-labelledby="clock"><h2 id="clock">Clock</h2>
<p>${timestamp(status.now)} UTC; the clock is ${status.isFrozen ? 'frozen' : 'running'}.</p>
<div class="actions">${advanceForm(location, { by: '1d' }, 'Advance 1 day')}</div>
${
  agenda.length === 0
    ? html`<p class="empty">The agenda is empty.</p>`
    : table<AgendaEntry>(
        [
          { label: 'Event', show: (item) => agendaItemText(account, item) },
          { label: 'When', show: ({ at }) => timeUntil(at, status.now) },
        ],
        agenda,
        'The next agenda items',
        { className: 'rows' },
      )
}
<p><a href="${addressOf(account, 'clock')}">Clock and agenda</a></p>
</section>`;
}

function eventsSheet({ account }: DashboardLocation, { events: latest, webhookUrl }: Overview): SafeHtml {
  const webhooks = addressOf(account, 'webhooks');
  return html`<section class="sheet" aria-labelledby="events"><h2 id="events">Events</h2>
${webhookUrl === null ? html`<p class="hint">No webhook URL is set, so webhooks are not sent. <a href="${webhooks}">Set one</a>, or run <code>billing-sim listen</code>.</p>` : ''}
${
  latest.length === 0
    ? html`<p class="empty">No events yet.</p>`
    : table<Delivery>(
        [
          {
            label: 'Event',
            show: ({ id, event }) => html`<a href="${addressOf(account, 'webhooks', id)}">${event}</a>`,
          },
          { label: 'Record', show: ({ subject }) => recordLink(account, subject) },
          { label: 'Delivery', show: ({ status }) => statusBadge(status) },
          { label: 'At (UTC)', show: ({ created_at }) => timestamp(created_at) },
        ],
        latest,
        'The latest events, newest first',
        { className: 'rows' },
      )
}
<p><a href="${webhooks}">All deliveries</a></p>
<p><a href="${addressOf(account, '')}/trace.html" download hx-boost="false">Download trace</a></p>
</section>`;
}

function charts({ account }: DashboardLocation, overview: Overview): SafeHtml {
  const { eventsByDay, deliveriesByStatus, invoicesByStatus } = overview;
  const days = eventsByDay.map(({ day, count }) => {
    return { name: day, label: html`<time datetime="${day}">${day}</time>`, count, variant: 'plain' as const };
  });
  const byStatus = (section: Section, counts: readonly StatusCount[]) =>
    counts.map(({ status, count }) => ({
      name: status,
      label: html`<a href="${addressOf(account, section)}?status=${status}">${status}</a>`,
      count,
      variant: variantOf(status),
    }));
  return html`<div class="charts">
${chartSheet('events-by-day', 'Events by day (UTC)', days, `No events in the last ${days.length} days.`)}
${chartSheet('deliveries-by-status', 'Deliveries by status', byStatus('webhooks', deliveriesByStatus), 'No deliveries yet.')}
${chartSheet('invoices-by-status', 'Invoices by status', byStatus('invoices', invoicesByStatus), 'No invoices yet.')}
</div>`;
}

/** A chart with a heading. @param empty shown instead of the chart if all counts are zero */
function chartSheet(id: string, title: string, bars: Parameters<typeof barChart>[2], empty: string): SafeHtml {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${bars.every(({ count }) => count === 0) ? html`<p class="empty">${empty}</p>` : barChart(id, title, bars)}
</section>`;
}
