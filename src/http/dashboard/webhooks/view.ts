import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { dangerButton } from '../components/confirmation.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { type List, list } from '../components/list.js';
import { moment } from '../components/moment.js';
import { statusBadge } from '../components/status.js';
import { subjectLink } from '../components/subject.js';

type Delivery = components['schemas']['DeliverySummary'];
type EventName = components['schemas']['EventName'];

interface Webhooks extends Pick<List<Delivery>, 'rows' | 'total' | 'search'> {
  /** Null if none is set. */
  readonly url: string | null;
  readonly events: readonly EventName[];
}

const statuses: readonly Delivery['status'][] = ['delivered', 'retrying', 'waiting', 'failed', 'unsent'];

/** The webhook URL, a form to trigger events, and the deliveries. */
export function webhooksPage(place: Place, { url, events, ...found }: Webhooks): string {
  const { account } = place;
  return dashboardPage(
    place,
    'Webhooks',
    html`<div class="beside">
${urlSheet(place, url)}
<section class="sheet">
<h2>Trigger an event</h2>
<p>Triggers the event on a real record: a new one, or the one given here.</p>
${form(
  place,
  'triggerEvent',
  ({ text, select }) => html`${select({ name: 'event', label: 'Event', options: events.map((value) => ({ value })) })}
${text({ name: 'deposit', label: 'Deposit', attributes: html`placeholder="a new one"` })}
${text({ name: 'payment_link:number', label: 'Payment link', attributes: html`inputmode="numeric" placeholder="a new one"` })}
<button>Trigger event</button>`,
)}
</section>
</div>
<h2>Deliveries</h2>
${list(place, {
  ...found,
  noun: 'deliveries',
  statuses,
  hint: 'event, record, or id',
  empty: html`<p>No events yet. Trigger one above, or authorize a deposit and
<a href="${addressOf(account, 'clock')}">advance the clock</a>.</p>`,
  columns: [
    { label: 'Event', show: ({ id, event }) => html`<a href="${addressOf(account, 'webhooks', id)}">${event}</a>` },
    { label: 'Record', show: ({ subject }) => subjectLink(account, subject) },
    { label: 'Status', show: ({ status }) => statusBadge(status) },
    { label: 'Attempts', isFigure: true, show: ({ attempts }) => attempts },
    { label: 'Created (UTC)', show: ({ created_at }) => moment(created_at) },
    { label: 'Next attempt (UTC)', show: ({ next_attempt_at }) => next_attempt_at && moment(next_attempt_at) },
    { label: 'Faults', show: ({ faults }) => faults.join(', ') },
  ],
})}`,
  );
}

function urlSheet(place: Place, url: string | null): SafeHtml {
  return html`<section class="sheet">
<h2>Destination</h2>
${form(
  place,
  'changeSettings',
  ({ text }) => html`${text({
    name: 'webhook_url',
    label: 'Webhook URL',
    value: url ?? '',
    attributes: html`type="url" required placeholder="http://127.0.0.1:8080/webhooks"`,
  })}
<button>Save webhook URL</button>`,
  { part: 'url' },
)}
${
  url === null
    ? html`<p class="hint">Events are not sent anywhere. <code>billing-sim listen</code> shows them in a terminal.</p>`
    : form(
        place,
        'changeSettings',
        html`<input type="hidden" name="webhook_url:json" value="null"><button class="quiet">Remove webhook URL</button>`,
        { look: 'actions', part: 'nowhere' },
      )
}
<h3>Secret</h3>
<p>Webhooks are signed with a secret. It is shown once, when it is created.</p>
${dangerButton(place, 'rotateWebhookSecret', 'Rotate secret')}
</section>`;
}
