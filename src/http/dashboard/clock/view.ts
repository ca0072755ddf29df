import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { formatDue, until } from '../../../text/agenda-text.js';
import { addressOf, dashboardPage, live, type Place } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { table } from '../components/list.js';
import { moment } from '../components/moment.js';
import { subjectLink } from '../components/subject.js';

type Clock = components['schemas']['Clock'];
type Item = components['schemas']['AgendaItem'];

/** The next agenda items, soonest first. */
interface Agenda {
  readonly items: readonly Item[];
  /** True if there are more items. */
  readonly hasMore: boolean;
  /** Ids of deliveries and mails that are being sent. */
  readonly inProgress: readonly string[];
}

/** The clock, forms to advance it, and the agenda. */
export function clockPage(place: Place, clock: Clock, agenda: Agenda): string {
  return dashboardPage(
    place,
    'Clock',
    html`${live(place, 'clock', clockFace(place, clock))}
<section class="sheet">
<h2>Advance</h2>
<p>Runs everything that becomes due in between, in order and each at its own time, and lists it in a receipt.</p>
<div class="actions">${spans.map(([by, label]) => advance(place, by, label))}</div>
<div class="beside">
${form(
  place,
  'advanceClock',
  ({ text }) =>
    html`${timeout}${text({
      name: 'by',
      label: 'Duration',
      attributes: html`required placeholder="2h 30m"`,
      hint: 'For example 90s, 2h 30m, 8d or P8D.',
    })}<button>Advance clock</button>`,
  { part: 'by' },
)}
${form(
  place,
  'advanceClock',
  ({ text }) =>
    html`${timeout}${text({
      name: 'to',
      label: 'Time',
      value: clock.now,
      attributes: html`required`,
      hint: 'ISO 8601. The clock only goes forward; restore a snapshot to go back.',
    })}<button>Set clock</button>`,
  { part: 'to' },
)}
</div>
</section>
${live(place, 'agenda', agendaOf(place, clock.now, agenda))}`,
  );
}

const spans = [
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['8d', '8 days'],
  ['30d', '30 days'],
] as const;

/** Pages wait for receivers of webhooks for a shorter time than programs do. */
const timeout = html`<input type="hidden" name="timeout" value="5s">`;

function advance(place: Place, by: string, label: string): SafeHtml {
  return form(place, 'advanceClock', html`${timeout}<button name="by" value="${by}">${label}</button>`, {
    look: 'action',
    part: by,
  });
}

function clockFace(place: Place, { now, mode }: Clock): SafeHtml {
  const other = mode === 'frozen' ? (['real', 'Resume'] as const) : (['frozen', 'Freeze'] as const);
  return html`<dl class="figures">
<div><dt>The account's time</dt><dd>${moment(now)} <small>UTC</small></dd></div>
<div><dt>Clock</dt><dd>${mode === 'frozen' ? 'frozen' : 'running'}</dd></div>
</dl>
${form(place, 'setClock', html`<button name="mode" value="${other[0]}" class="quiet">${other[1]} clock</button>`, { look: 'actions' })}`;
}

function agendaOf({ account }: Place, now: string, { items, hasMore, inProgress }: Agenda): SafeHtml {
  return html`<div class="sheet">
<h2>Agenda</h2>
${
  items.length === 0
    ? html`<p class="empty">The agenda is empty. <a href="${addressOf(account, 'deposits')}">Authorize a deposit</a> to see its expiry here.</p>`
    : table<Item>(
        [
          { label: 'Time (UTC)', show: ({ at }) => moment(at) },
          { label: 'When', show: ({ at }) => until(at, now) },
          { label: 'Event', show: (item) => agendaItemText(account, item) },
        ],
        items,
        hasMore ? `The first ${items.length}, soonest first` : 'Soonest first',
      )
}
${inProgress.length > 0 ? html`<p>Being sent: ${inProgress.join(', ')}.</p>` : ''}
</div>`;
}

/** An agenda item with a link to its record. */
export function agendaItemText(account: string, item: Item): SafeHtml {
  const { kind, id } = item;
  if (kind === 'deposit-expires') return html`${subjectLink(account, { resource: 'deposit', id })} expires`;
  if (kind === 'invoice-falls-due') return html`${subjectLink(account, { resource: 'invoice', id })} falls due`;
  if (kind === 'delivery-attempt') return html`<a href="${addressOf(account, 'webhooks', id)}">${id}</a> is sent`;
  return html`${formatDue(item)}`;
}
