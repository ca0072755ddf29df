import { html, type SafeHtml } from '@remix-run/html-template';
import { timeUntil } from '../../../text/agenda-text.js';
import { type AgendaEntry, agendaItemText } from '../components/agenda-item.js';
import { addressOf, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { advanceTimeoutField } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { timestamp } from '../components/timestamp.js';

/** The next agenda items, and the messages in progress. */
interface Agenda {
  /** Soonest first. */
  readonly items: readonly AgendaEntry[];
  /** True if the agenda has more items. */
  readonly hasMore: boolean;
  /** The deliveries and emails that are queued or being sent. */
  readonly inProgress: readonly {
    /** The id of a delivery; `email 3` for an email. */
    readonly id: string;
    /** The event of a delivery; undefined for an email. */
    readonly event: string | undefined;
  }[];
}

/**
 * The clock, forms to advance it, and the agenda. All these forms have the operation `advanceClock`. Their `part` tells
 * them apart, so that an error is shown in the form that was sent.
 */
export function clockPage(location: DashboardLocation, agenda: Agenda): string {
  return dashboardPage(
    location,
    'Clock',
    html`${liveSection(location, 'clock', clockFace(location))}
<section class="sheet">
<h2>Advance</h2>
<p>Runs everything that becomes due up to the new time, in order and each at its own time, and lists it in a report.</p>
<div class="actions">${advanceOptions.map(([by, label]) => advanceButton(location, by, label))}</div>
<div class="beside">
${form(
  location,
  'advanceClock',
  ({ text }) =>
    html`${advanceTimeoutField}${text({
      name: 'by',
      label: 'Duration',
      attributes: html`required placeholder="2h 30m"`,
      hint: 'For example 90s, 2h 30m, 8d or P8D.',
    })}<button>Advance clock</button>`,
  { part: 'by' },
)}
${form(
  location,
  'advanceClock',
  ({ text }) =>
    html`${advanceTimeoutField}${text({
      name: 'to',
      label: 'Time',
      value: location.status.now,
      attributes: html`required`,
      hint: 'ISO 8601. The clock only goes forward; restore a snapshot to go back.',
    })}<button>Set clock</button>`,
  { part: 'to' },
)}
</div>
</section>
${liveSection(location, 'agenda', agendaSheet(location, agenda))}`,
  );
}

/** The buttons that advance the clock: the duration of each, and its label. */
const advanceOptions = [
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['8d', '8 days'],
  ['30d', '30 days'],
] as const;

function advanceButton(location: DashboardLocation, by: string, label: string): SafeHtml {
  return form(
    location,
    'advanceClock',
    html`${advanceTimeoutField}<button name="by" value="${by}" class="quiet">${label}</button>`,
    {
      className: 'action',
      part: by,
    },
  );
}

function clockFace(location: DashboardLocation): SafeHtml {
  const { now, isFrozen } = location.status;
  const [otherMode, verb] = isFrozen ? (['real', 'Resume'] as const) : (['frozen', 'Freeze'] as const);
  return html`<dl class="figures">
<div><dt>The account's time</dt><dd>${timestamp(now)} <small>UTC</small></dd></div>
<div><dt>Clock</dt><dd>${isFrozen ? 'frozen' : 'running'}</dd></div>
</dl>
${form(location, 'setClock', html`<button name="mode" value="${otherMode}" class="quiet">${verb} clock</button>`, { className: 'actions' })}`;
}

function agendaSheet({ account, status }: DashboardLocation, { items, hasMore, inProgress }: Agenda): SafeHtml {
  const messages = inProgress.map(({ id, event }, index) => {
    const separator = index === 0 ? '' : ', ';
    return html`${separator}${event === undefined ? id : html`<a href="${addressOf(account, 'webhooks', id)}">${event}</a>`}`;
  });
  return html`<div class="sheet">
<h2>Agenda</h2>
${
  items.length === 0
    ? html`<p class="empty">The agenda is empty. <a href="${addressOf(account, 'deposits')}">Authorize a deposit</a> to see its expiry here.</p>`
    : table<AgendaEntry>(
        [
          { label: 'Time (UTC)', show: ({ at }) => timestamp(at) },
          { label: 'When', show: ({ at }) => timeUntil(at, status.now) },
          { label: 'Event', show: (item) => agendaItemText(account, item) },
        ],
        items,
        hasMore ? `The first ${items.length}, soonest first` : 'Soonest first',
      )
}
${inProgress.length > 0 ? html`<p>Being sent: ${messages}.</p>` : ''}
</div>`;
}
