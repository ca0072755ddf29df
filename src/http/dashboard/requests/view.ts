import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { curlOf, type UnloggedParts } from '../components/curl.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { facts } from '../components/facts.js';
import { type List, list } from '../components/list.js';
import { moment } from '../components/moment.js';
import { prose } from '../components/prose.js';

type LoggedRequest = components['schemas']['LoggedRequest'];

/** A gap that affects a response. */
export interface RelevantGap {
  readonly id: string;
  readonly question: string;
  /** The choice of the account, in words. */
  readonly choice: string;
}

/** The explanation of a response. */
export interface Explanation {
  /** The description of the response in the document; null if there was no response. */
  readonly says: string | null;
  readonly gaps: readonly RelevantGap[];
}

/** Filters of the log: a class of statuses, or no response. */
const statusClasses = ['2xx', '4xx', '5xx', 'no answer'] as const;

/** The log of requests to the service. It is in order of arrival and not of time, since a reset or a restore can set the clock back. */
export function requestsPage(
  place: Place,
  found: Pick<List<LoggedRequest>, 'rows' | 'total' | 'search'>,
  curl: string,
): string {
  const { account } = place;
  return dashboardPage(
    place,
    'Requests',
    html`${list(place, {
      ...found,
      noun: 'requests',
      order: 'last received first',
      statuses: statusClasses,
      hint: 'path, operation, token, or status',
      empty: html`<p>No requests yet. Send one, and it appears here:</p>
<pre tabindex="0" role="region" aria-label="A first request">${curl}</pre>
<p>The tokens are printed when the simulator starts. You can also <a href="${addressOf(account, 'tokens')}">create one</a>.</p>`,
      columns: [
        {
          label: 'Request',
          show: ({ id, method, path }) =>
            html`<a href="${addressOf(account, 'requests', id)}"><code>${method} ${path}</code></a>`,
        },
        { label: 'Status', show: ({ status }) => statusOf(status) },
        { label: 'Operation', show: ({ operation }) => operation },
        { label: 'Token', show: ({ token }) => token },
        { label: 'Faults', show: ({ faults }) => faults.join(', ') },
        { label: 'Took (ms)', isFigure: true, show: ({ milliseconds }) => milliseconds.toFixed(1) },
        { label: 'At (UTC)', show: ({ at }) => moment(at) },
      ],
    })}`,
  );
}

/** One request: a command to send it again, and the explanation of its response. */
export function requestPage(
  place: Place,
  request: LoggedRequest,
  {
    origin,
    unlogged,
    explanation,
  }: { readonly origin: string; readonly unlogged: UnloggedParts; readonly explanation: Explanation },
): string {
  const { account } = place;
  const { id, at, method, path, operation, token, status, faults, milliseconds } = request;
  return dashboardPage(
    place,
    `${method} ${path}`,
    html`<p><a href="${addressOf(account, 'requests')}">All requests</a></p>
<div class="sheet">
${facts([
  ['Id', html`<code>${id}</code>`],
  ['At (UTC)', moment(at)],
  ['Operation', operation ?? 'unknown'],
  ['Token', token ?? 'none or unknown'],
  ['Status', statusOf(status)],
  ['Faults', faults.length === 0 ? null : faults.join(', ')],
  ['Took', `${milliseconds.toFixed(1)} ms`],
])}
<h2>Send it again</h2>
<pre tabindex="0" role="region" aria-label="As a curl command">${curlOf(origin, request, unlogged)}</pre>
<p class="hint">${unloggedHint(unlogged)}</p>
</div>
<section class="sheet">
<h2>Explanation</h2>
${explanationOf(account, request, explanation)}
</section>`,
  );
}

function unloggedHint({ body, key }: UnloggedParts): string {
  if (body && key) return 'The log does not keep tokens, bodies and Idempotency-Keys. Insert yours.';
  return body
    ? 'The log does not keep tokens and bodies. Insert yours.'
    : 'The log does not keep tokens. Insert yours.';
}

function explanationOf(account: string, { faults }: LoggedRequest, { says, gaps }: Explanation): SafeHtml {
  const byFaults = html`<p>Changed by faults: ${faults.join(', ')}. <a href="${addressOf(account, 'faults')}">See the faults</a></p>`;
  return html`${faults.length > 0 ? byFaults : ''}
${says === null ? html`<p>No response was sent.</p>` : html`<p>${prose(says)}</p>`}
${
  gaps.length === 0
    ? html`<p class="hint">The specification defines this response; no gap affects it.</p>`
    : html`<p>The specification leaves parts of this response open. The profile of the account chooses:</p>
<ul>
${gaps.map((gap) => html`<li><a href="${addressOf(account, 'profile')}#${gap.id}">${gap.id}</a> ${prose(gap.question)} <strong>${prose(gap.choice)}</strong></li>\n`)}</ul>`
}`;
}

function statusOf(status: number | null): SafeHtml {
  if (status === null) return html`<span class="status bad">no answer</span>`;
  return html`<span class="status ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}
