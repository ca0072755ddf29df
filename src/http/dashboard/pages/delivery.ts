import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { getDelivery } from '../../../simulation/delivery/deliveries.js';
import { timeUntil } from '../../../text/agenda-text.js';
import { formatDuration } from '../../../text/format.js';
import { deliveryView } from '../../control/deliveries.js';
import { formParamsOf } from '../actions/parse-form.js';
import {
  actionButton,
  backLink,
  type DashboardLocation,
  dashboardPage,
  liveSection,
} from '../components/dashboard-page.js';
import { facts } from '../components/facts.js';
import { table } from '../components/list.js';
import { headersTable, jsonBlock } from '../components/message.js';
import { recordLink } from '../components/record-link.js';
import { relatedActivity } from '../components/related-activity.js';
import { attemptBadge, statusBadge } from '../components/status.js';
import { timestamp } from '../components/timestamp.js';
import type { PageContext, PageHandler } from '../routing/page.js';
import { type CheckedAttempt, checkSignatures } from './signature-check.js';

type Delivery = components['schemas']['Delivery'];
type Attempt = components['schemas']['Attempt'];

/** Maximum number of attempts shown: the latest ones. */
const maxShownAttempts = 30;

/** The result of a signature check. */
type SignatureCheck = { readonly error: string } | { readonly attempts: readonly CheckedAttempt[] };

export const showDelivery: PageHandler = (context) => renderDelivery(context, () => undefined);

/**
 * The page of a delivery with the result of a signature check. The secret is sent in the body, so that no log contains
 * it.
 */
export const showSignatureCheck: PageHandler = (context) =>
  renderDelivery(context, (delivery) => {
    const secret = formParamsOf(context.request).get('secret') ?? '';
    if (secret === '') return { error: 'Enter a secret.' };
    return { attempts: checkSignatures(delivery, secret, context.account.profile) };
  });

/** The page of a delivery: its attempts, each with request and response, and a form that checks their signatures. */
function renderDelivery(
  { account, location, idOrName }: PageContext,
  check: (delivery: Delivery) => SignatureCheck | undefined,
): string {
  const delivery = deliveryView(account, getDelivery(account, idOrName));
  const { id, event, subject, status, url, created_at, next_attempt_at, faults, body, attempts } = delivery;
  const shownAttempts = attempts.slice(-maxShownAttempts);
  return dashboardPage(
    location,
    event,
    html`${backLink(location, 'All deliveries')}
${liveSection(
  location,
  'delivery',
  html`<div class="sheet">
${facts([
  ['Id', html`<code>${id}</code>`],
  ['Record', recordLink(account.id, subject)],
  ['Status', statusBadge(status)],
  ['Webhook URL', url],
  ['Created (UTC)', timestamp(created_at)],
  ['Next attempt (UTC)', next_attempt_at === null ? null : timestamp(next_attempt_at)],
  ['Faults', faults.length === 0 ? null : faults.join(', ')],
])}
<div class="actions">${actionButton(location, 'resendDelivery', 'Resend', { id })}</div>
</div>
<h2>Attempts</h2>
${attempts.length === 0 ? html`<p class="empty">No attempts yet.</p>` : attemptStrip(delivery, shownAttempts, location.status.now)}
${lastAttemptsHint(shownAttempts.length, attempts.length)}
${shownAttempts.map((attempt) => attemptSheet(attempt, body, attempt === shownAttempts.at(-1)))}
${attempts.length === 0 ? html`<div class="sheet"><h2>Body</h2>${jsonBlock('Body', body)}</div>` : ''}`,
)}
${signatureSection(location, delivery, check(delivery))}
${liveSection(location, 'related-activity', relatedActivity(account, location, `delivery:${id}`))}`,
  );
}

/** Says that only the last attempts are shown; empty if all are. */
function lastAttemptsHint(shownCount: number, count: number): SafeHtml {
  return shownCount < count ? html`<p class="hint">The last ${shownCount} of ${count} attempts.</p>` : html``;
}

/** A horizontal strip of the attempts, with their outcomes and the time between them. */
function attemptStrip({ next_attempt_at }: Delivery, attempts: readonly Attempt[], now: string): SafeHtml {
  const cells = attempts.map((attempt, index) => {
    const previous = attempts[index - 1];
    const waitedMs = previous ? Date.parse(attempt.at) - Date.parse(previous.at) : 0;
    return html`${previous ? html`<li class="wait">${waitedMs === 0 ? 'immediately' : `after ${formatDuration(waitedMs)}`}</li>\n` : ''}<li><a href="#attempt-${attempt.number}">${attempt.number}</a> ${attemptBadge(attempt)}</li>\n`;
  });
  const next = next_attempt_at === null ? '' : html`<li class="wait">retry ${timeUntil(next_attempt_at, now)}</li>`;
  return html`<ol class="attempts" aria-label="Attempts in order">
${cells}${next}</ol>`;
}

/** The cause of an attempt, in words. */
const attemptCauses: Readonly<Record<Attempt['by'], string>> = {
  schedule: 'scheduled',
  manual: 'manual',
  fault: 'duplicated by a fault',
};

function attemptSheet(attempt: Attempt, deliveryBody: string, isOpen: boolean): SafeHtml {
  const { number, by, at, url, body, status, milliseconds, response_body, next_attempt_at } = attempt;
  const { applied_faults, skipped_faults } = attempt;
  const headers = Object.entries(attempt.headers).map(([name, value]) => ({ name, value }));
  const skipped = skipped_faults.map(({ effect, reason }) => `${effect}: ${reason}`).join('; ');
  return html`<details class="sheet" id="attempt-${number}"${isOpen ? ' open' : ''}>
<summary><h3>Attempt ${number}, ${attemptCauses[by]}: ${attemptBadge(attempt)}</h3></summary>
${facts([
  ['At (UTC)', timestamp(at)],
  ['To', url],
  ['Took', `${milliseconds.toFixed(1)} ms`],
  ['Next attempt (UTC)', next_attempt_at === null ? null : timestamp(next_attempt_at)],
  ['Applied faults', applied_faults.length === 0 ? null : applied_faults.join(', ')],
  ['Skipped faults', skipped === '' ? null : skipped],
])}
<div class="beside">
<section><h4>Request</h4>
${headers.length === 0 ? html`<p class="empty">Nothing was sent.</p>` : html`${headersTable(`Headers of attempt ${number}`, headers)}${bodyContent(number, body, deliveryBody)}`}
</section>
<section><h4>Response</h4>
${response_body === '' ? html`<p class="empty">${status === null ? 'No response.' : 'An empty body.'}</p>` : jsonBlock(`Response to attempt ${number}`, response_body)}
</section>
</div>
</details>\n`;
}

/** The body that was sent, indented and raw. @param changedBody undefined if no fault changed the body */
function bodyContent(number: number, changedBody: string | undefined, deliveryBody: string): SafeHtml {
  const body = changedBody ?? deliveryBody;
  return html`<h4>${changedBody === undefined ? 'Body' : 'Body, changed by a fault'}</h4>
${jsonBlock(`Body of attempt ${number}`, body)}
<details id="raw-body-${number}"><summary>Raw body</summary>
<pre tabindex="0" role="region" aria-label="Raw body of attempt ${number}" data-copy>${body}</pre></details>`;
}

/** A form that checks which attempts were signed with a secret. The secret is not stored and not shown again. */
function signatureSection(
  { path }: DashboardLocation,
  { attempts }: Delivery,
  check: SignatureCheck | undefined,
): SafeHtml {
  if (attempts.length === 0) return html``;
  const error = check && 'error' in check ? check.error : undefined;
  const describedBy = error === undefined ? 'secret-hint' : 'secret-hint secret-error';
  return html`<section class="sheet" id="signature" aria-labelledby="signature-title"><h2 id="signature-title">Signature check</h2>
<form method="post" action="${path}#signature" class="fields">
<div class="field"><label>Webhook secret <input type="password" name="secret" autocomplete="off" spellcheck="false" required aria-describedby="${describedBy}"${error === undefined ? '' : html` aria-invalid="true"`}></label>
<p class="hint" id="secret-hint">The secret that your receiver verifies with. It is used for this check only, and not stored.</p>${error === undefined ? '' : html`<p class="error" id="secret-error">${error}</p>`}</div>
<button>Check signature</button>
</form>
${check && 'attempts' in check ? checkResult(check.attempts) : ''}
</section>`;
}

function checkResult(attempts: readonly CheckedAttempt[]): SafeHtml {
  // Attempts may have different headers if the profile has changed between them.
  const headers = new Set(attempts.map(({ header }) => header));
  if (headers.size === 0)
    return html`<p class="notice" role="status">Nothing was sent, so there is no signature to check.</p>`;
  const matching = attempts.filter(({ matches }) => matches).length;
  const allMatch = matching === attempts.length;
  const shownAttempts = attempts.slice(-maxShownAttempts);
  const someAttempts = matching === 0 ? 'no attempt' : `${matching} of ${attempts.length} attempts`;
  return html`<p class="notice ${allMatch ? 'done' : 'refused'}" role="status">The secret matches ${allMatch ? 'every attempt' : someAttempts}. The ${[...headers].join(' or ')} header contains the HMAC-SHA256 of the raw body.</p>
${lastAttemptsHint(shownAttempts.length, attempts.length)}
${table<CheckedAttempt>(
  [
    { label: 'Attempt', show: ({ number }) => number },
    { label: 'At (UTC)', show: ({ at }) => timestamp(at) },
    { label: 'Result', show: resultBadge },
    { label: 'Sent', show: ({ sent }) => (sent === undefined ? null : html`<code>${sent}</code>`) },
    { label: 'Expected', show: ({ matches, expected }) => (matches ? 'the same' : html`<code>${expected}</code>`) },
  ],
  shownAttempts,
  'Signatures by attempt',
)}`;
}

function resultBadge({ matches, sent }: CheckedAttempt): SafeHtml {
  if (matches) return html`<span class="status good">matches</span>`;
  return html`<span class="status bad">${sent === undefined ? 'not signed' : 'does not match'}</span>`;
}
