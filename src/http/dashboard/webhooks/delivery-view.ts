import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { action, addressOf, dashboardPage, live, type Place } from '../components/dashboard.js';
import { facts } from '../components/facts.js';
import { moment } from '../components/moment.js';
import { statusBadge } from '../components/status.js';
import { subjectLink } from '../components/subject.js';

type Delivery = components['schemas']['Delivery'];
type Attempt = components['schemas']['Attempt'];

/** The page of a delivery: its body and its attempts. */
export function deliveryPage(place: Place, delivery: Delivery): string {
  const { account } = place;
  const { id, event, subject, status, url, created_at, next_attempt_at, faults, body, attempts } = delivery;
  return dashboardPage(
    place,
    event,
    html`<p><a href="${addressOf(account, 'webhooks')}">All deliveries</a></p>
${live(
  place,
  'delivery',
  html`<div class="sheet">
${facts([
  ['Id', html`<code>${id}</code>`],
  ['Record', subjectLink(account, subject)],
  ['Status', statusBadge(status)],
  ['Webhook URL', url],
  ['Created (UTC)', moment(created_at)],
  ['Next attempt (UTC)', next_attempt_at === null ? null : moment(next_attempt_at)],
  ['Faults', faults.length === 0 ? null : faults.join(', ')],
])}
<div class="actions">${action(place, 'resendDelivery', 'Resend', { id })}</div>
<h2>Body</h2>
${raw('Body', body)}
</div>
<h2>Attempts</h2>
${attempts.length === 0 ? html`<p class="empty">No attempts yet.</p>` : attempts.map((attempt) => attemptSheet(attempt, attempt === attempts.at(-1)))}`,
)}`,
  );
}

const causes: Readonly<Record<Attempt['by'], string>> = {
  schedule: 'scheduled',
  hand: 'manual',
  fault: 'duplicated by a fault',
};

function attemptSheet(attempt: Attempt, isOpen: boolean): SafeHtml {
  const {
    number,
    by,
    at,
    url,
    body,
    status,
    error,
    milliseconds,
    answer,
    next_attempt_at,
    applied_faults,
    skipped_faults,
  } = attempt;
  const headers = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`);
  return html`<details class="sheet"${isOpen ? ' open' : ''}>
<summary><h3>Attempt ${number}, ${causes[by]}: ${status ?? error}</h3></summary>
${facts([
  ['At (UTC)', moment(at)],
  ['To', url],
  ['Took', `${milliseconds.toFixed(1)} ms`],
  ['Next attempt (UTC)', next_attempt_at === null ? null : moment(next_attempt_at)],
  ['Applied faults', applied_faults.length === 0 ? null : applied_faults.join(', ')],
  [
    'Skipped faults',
    skipped_faults.length === 0 ? null : skipped_faults.map(({ effect, reason }) => `${effect}: ${reason}`).join('; '),
  ],
])}
${headers.length === 0 ? html`<p class="empty">Nothing was sent.</p>` : html`<h4>Headers</h4>${raw(`Headers of attempt ${number}`, headers.join('\n'))}`}
${body === undefined ? '' : html`<h4>Sent body</h4>${raw(`Body of attempt ${number}`, body)}`}
${answer === '' ? '' : html`<h4>Response</h4>${raw(`Response to attempt ${number}`, answer)}`}
</details>\n`;
}

function raw(label: string, text: string): SafeHtml {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}
