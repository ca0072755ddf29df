import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../../simulation/account.js';
import { timeUntil } from '../../../text/agenda-text.js';
import { advanceForm } from '../components/action-form.js';
import { type AgendaEntry, agendaItemText } from '../components/agenda-item.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { form } from '../components/form.js';
import { advanceTimeoutField } from '../components/form-fields.js';
import { table } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import { timestamp } from '../components/timestamp.js';
import { nextAgendaEntries } from '../data/agenda-entries.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

/** Maximum number of agenda items shown. */
const maxAgendaItems = 25;

/**
 * The clock, forms to advance it, and the agenda. The `part` of the two forms with a field tells them apart, so that an
 * error is shown in the form that was sent.
 */
const showClock: PageHandler = ({ account, location }) =>
  dashboardPage(
    location,
    'Clock',
    html`${liveSection(location, 'clock', clockFace(location))}
<section class="sheet">
<h2>Advance</h2>
<p>Runs everything that becomes due up to the new time, each item at its own time, and reports what has happened.</p>
<div class="actions">${advanceOptions.map(([by, label]) => advanceForm(location, { by }, label, { isSecondary: true }))}</div>
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
      value: location.status.now.replace('.000Z', 'Z'),
      attributes: html`required`,
      hint: 'ISO 8601. The clock only goes forward; restore a snapshot to go back.',
    })}<button>Set clock</button>`,
  { part: 'to' },
)}
</div>
</section>
${liveSection(location, 'agenda', agendaSheet(account, location))}`,
  );

/** The buttons that advance the clock: the duration of each, and its label. */
const advanceOptions = [
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['8d', '8 days'],
  ['30d', '30 days'],
] as const;

function clockFace(location: DashboardLocation): SafeHtml {
  const { now, isFrozen } = location.status;
  const [otherMode, verb] = isFrozen ? (['real', 'Resume'] as const) : (['frozen', 'Freeze'] as const);
  return html`<dl class="figures">
<div><dt>The account's time</dt><dd>${timestamp(now)} <small>UTC</small></dd></div>
<div><dt>Clock</dt><dd>${isFrozen ? 'frozen' : 'running'}</dd></div>
</dl>
${form(location, 'setClock', html`<button name="mode" value="${otherMode}" class="quiet">${verb} clock</button>`, { className: 'actions' })}`;
}

function agendaSheet(account: Account, { status }: DashboardLocation): SafeHtml {
  // Reads one more than shown to learn whether there are more, since counting all items would take long.
  const upcoming = nextAgendaEntries(account, maxAgendaItems + 1);
  const items = upcoming.slice(0, maxAgendaItems);
  // `inProgress` contains the ids of deliveries, and names of emails such as `email 3`.
  const messages = account.inProgress.map((id, index) => {
    const separator = index === 0 ? '' : ', ';
    const event = account.deliveries.get(id)?.event;
    return html`${separator}${event === undefined ? id : html`<a href="${sectionPath(account.id, 'webhooks', id)}">${event}</a>`}`;
  });
  return html`<div class="sheet">
<h2>Agenda</h2>
${
  items.length === 0
    ? html`<p class="empty">The agenda is empty. <a href="${sectionPath(account.id, 'deposits')}">Authorize a deposit</a> to see its expiry here.</p>`
    : table<AgendaEntry>(
        [
          { label: 'Time (UTC)', show: ({ at }) => timestamp(at) },
          { label: 'When', show: ({ at }) => timeUntil(at, status.now) },
          { label: 'Event', show: (item) => agendaItemText(account.id, item) },
        ],
        items,
        upcoming.length > maxAgendaItems ? `The first ${items.length}, soonest first` : 'Soonest first',
      )
}
${messages.length > 0 ? html`<p>Being sent: ${messages}.</p>` : ''}
</div>`;
}

export const clockPages: readonly PageRoute[] = [['/clock', showClock]];
