import { html, type SafeHtml } from '@remix-run/html-template';
import { formatInstant } from '../../../domain/dates.js';
import { isShortCircuit } from '../../../domain/faults.js';
import type { components } from '../../../generated/control-validated-types.js';
import type { Account } from '../../../simulation/account.js';
import { chainsOf } from '../../../simulation/activity/chains.js';
import type { LoggedRequest } from '../../../simulation/activity/request-log.js';
import { isBodyInLog } from '../../control/replay.js';
import { recordedMessages } from '../../control/request-details.js';
import { chainView, requestView } from '../../control/views.js';
import { actionForm } from '../components/action-form.js';
import { chainList, httpStatus } from '../components/chains.js';
import { bodyFile, curlOf } from '../components/curl.js';
import { backLink, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { facts } from '../components/facts.js';
import { highlightedJson } from '../components/json.js';
import { list, table } from '../components/list.js';
import { messageParts } from '../components/message.js';
import { prose } from '../components/prose.js';
import { sectionPath } from '../components/sections.js';
import { relativeTime, timestamp } from '../components/timestamp.js';
import { createExportRoutes } from '../data/list-export.js';
import { type ListSource, listPageOf, ownFields } from '../data/list-rows.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { explainResponse } from './explain-response.js';

type RequestDetails = Omit<components['schemas']['RequestDetails'], 'activity'>;

/** The status filters of the log: classes of statuses, or `no response` for requests without a response. */
const statusClasses = ['2xx', '3xx', '4xx', '5xx', 'no response'] as const;

export const requestList = (account: Account): ListSource<LoggedRequest> => ({
  rows: account.requests.newestFirst().toReversed(),
  searchTextsOf: ({ id, method, path, operation, token, status, error }) => [
    id,
    `${method} ${path}`,
    operation,
    token,
    status === null ? 'no response' : String(status),
    error,
  ],
  statusOf: ({ status }) => (status === null ? 'no response' : `${Math.floor(status / 100)}xx`),
  exportedFields: {
    ...ownFields('id'),
    at: ({ at }) => formatInstant(at),
    ...ownFields('method', 'path', 'status', 'error', 'operation', 'token'),
    faults: ({ faults }) => faults.join(' '),
    ...ownFields('milliseconds'),
  },
});

/**
 * The log of requests to the service, the last answered first. They are not sorted by time, since a reset or a restore
 * can set the clock back.
 */
const showRequests: PageHandler = (context) => {
  const { account, location } = context;
  const { rows, ...listPage } = listPageOf(context.query, requestList(account));
  const sent = { headers: [{ name: 'Authorization', value: 'Bearer ****' }], body: null };
  const exampleCurl = curlOf(context.views.url(), { method: 'GET', path: '/api/v1/deposits', sent });
  return dashboardPage(
    location,
    'Requests',
    html`${list(location, {
      ...listPage,
      rows: rows.map(requestView),
      noun: 'request',
      order: 'last answered first',
      orderField: 'at',
      statuses: statusClasses,
      searchPlaceholder: 'path, operation, token, or status',
      empty: html`<p>No requests yet. Send one, and it appears here:</p>
<pre tabindex="0" role="region" aria-label="A first request">${exampleCurl}</pre>
<p>The tokens are printed when the simulator starts. You can also <a href="${sectionPath(account.id, 'tokens')}">create one</a>.</p>`,
      columns: [
        {
          label: 'Request',
          sort: 'path',
          show: ({ id, method, path }) =>
            html`<a href="${sectionPath(account.id, 'requests', id)}"><code>${method} ${path}</code></a>`,
        },
        { label: 'Status', sort: 'status', show: ({ status }) => httpStatus(status) },
        { label: 'Operation', sort: 'operation', show: ({ operation }) => operation },
        { label: 'Token', sort: 'token', show: ({ token }) => token },
        { label: 'Faults', show: ({ faults }) => faults.join(', ') },
        {
          label: 'Took (ms)',
          sort: 'milliseconds',
          isNumeric: true,
          show: ({ milliseconds }) => milliseconds.toFixed(1),
        },
        { label: 'At', sort: 'at', show: ({ at }) => relativeTime(at, location.status.now) },
      ],
    })}`,
  );
};

/** The page of a request: its response, the reason for an error, its consequences, and buttons to send it again. */
const showRequest: PageHandler = ({ account, location, views, idOrName }) => {
  const logged = account.requests.get(idOrName);
  const request = { ...requestView(logged), ...recordedMessages(account, logged) };
  const { id, at, method, path, operation, token, status, error, faults, milliseconds, sent, received } = request;
  const hasBodyInLog = isBodyInLog(account, logged);
  // The chain that begins with the request has the id of the request as its correlation.
  const chain = chainsOf(account.logs).find(({ correlation }) => correlation === id);
  return dashboardPage(
    location,
    `${method} ${path}`,
    html`${backLink(location, 'All requests')}
<div class="sheet">
${facts([
  ['Id', html`<code>${id}</code>`],
  ['At (UTC)', timestamp(at)],
  ['Operation', operation ?? 'unknown'],
  ['Token', token ?? 'none or unknown'],
  ['Status', httpStatus(status)],
  ['Error', error],
  ['Faults', faults.length === 0 ? null : faults.join(', ')],
  ['Took', `${milliseconds.toFixed(1)} ms`],
])}
${replayForms(location, request, hasBodyInLog)}
</div>
${errorSection(request)}
<div class="beside">
<section class="sheet" aria-labelledby="sent"><h2 id="sent">Request</h2>
${messageParts('request', sent, hasBodyInLog ? undefined : 'The request was refused before its body was read.')}
</section>
<section class="sheet" aria-labelledby="received"><h2 id="received">Response</h2>
${received === null ? html`<p class="empty">No response was sent.</p>` : messageParts('response', received)}
</section>
</div>
${
  chain
    ? liveSection(
        location,
        'activity',
        html`<div class="sheet"><h2>Activity</h2>
${chainList(location, [chainView(chain)])}</div>`,
      )
    : ''
}
<section class="sheet">
<h2>Explanation</h2>
${explanationContent(account, logged)}
</section>
<section class="sheet">
<h2>Copy as curl</h2>
<pre tabindex="0" role="region" aria-label="As a curl command" data-copy>${curlOf(views.url(), { ...request, isBodyInLog: hasBodyInLog })}</pre>
<p class="hint">${curlHint(request, hasBodyInLog)}</p>
</section>`,
  );
};

/** Buttons that send the request again and open the page of the new request. */
function replayForms(location: DashboardLocation, { id, sent }: RequestDetails, hasBodyInLog: boolean): SafeHtml {
  if (!hasBodyInLog) {
    return html`<p class="hint">This request cannot be replayed, because the log does not have its complete body.</p>`;
  }
  const sameKeyAction = {
    operation: 'replayRequest',
    id,
    label: 'Replay with the same Idempotency-Key',
    isSecondary: true,
  };
  return html`<div class="actions">${actionForm(location, { operation: 'replayRequest', id, label: 'Replay' })}
${hasIdempotencyKey(sent) ? actionForm(location, sameKeyAction, html`<input type="hidden" name="same_key:boolean" value="true">`) : ''}</div>`;
}

function hasIdempotencyKey({ headers }: RequestDetails['sent']): boolean {
  return headers.some(({ name }) => name.toLowerCase() === 'idempotency-key');
}

function curlHint({ sent }: RequestDetails, hasBodyInLog: boolean): string {
  return [
    'The token is not shown. Set TOKEN to yours.',
    ...(hasIdempotencyKey(sent)
      ? ['With the same Idempotency-Key the service repeats its response. Change the key to run the operation again.']
      : []),
    ...(hasBodyInLog ? [] : [`The log does not have the complete body. Save yours as ${bodyFile}.`]),
  ].join(' ');
}

type RefusedField = NonNullable<RequestDetails['error_details']>['fields'][number];

/** The reason for an error, with the fields that caused it; empty HTML if the request caused no error. */
function errorSection({ error_details: details }: RequestDetails): SafeHtml {
  if (!details) return html``;
  const { code, message, hint, fields } = details;
  return html`<section class="sheet" aria-labelledby="error"><h2 id="error">Why it was refused</h2>
<p>${message} <code>${code}</code>${hint === null ? '' : html`: ${hint}`}</p>
${
  fields.length === 0
    ? ''
    : table<RefusedField>(
        [
          { label: 'Field', show: ({ field }) => html`<code>${field}</code>` },
          {
            label: 'Sent',
            show: (field) =>
              'sent' in field
                ? html`<code>${highlightedJson(JSON.stringify(field.sent))}</code>`
                : html`<span class="none">nothing</span>`,
          },
          { label: 'Message', show: ({ messages }) => messages.join(' ') },
        ],
        fields,
        'The fields that were refused',
      )
}
</section>`;
}

function explanationContent(account: Account, request: LoggedRequest): SafeHtml {
  const { faults } = request;
  const faultNote = html`<p>Changed by faults: ${faults.join(', ')}. <a href="${sectionPath(account.id, 'faults')}">See the faults</a></p>`;
  return html`${faults.length > 0 ? faultNote : ''}
${faults.some(isShortCircuit) ? html`<p>The fault made this response; Activity shows what the request changed, if anything.</p>` : responseExplanation(account, request)}`;
}

function responseExplanation(account: Account, request: LoggedRequest): SafeHtml {
  const explanation = explainResponse(request);
  if (!explanation) return html`<p>No response was sent.</p>`;
  const { description, gaps } = explanation;
  return html`${description === null ? '' : html`<p>${prose(description)}</p>`}
${
  gaps.length === 0
    ? html`<p class="hint">The specification defines this response; no gap affects it.</p>`
    : html`<p>The specification leaves parts of this response open. The profile of the account chose:</p>
<ul>
${gaps.map((gap) => html`<li><a href="${sectionPath(account.id, 'profile')}#${gap.id}">${gap.id}</a> ${prose(gap.question)} <strong>${prose(gap.choice)}</strong></li>\n`)}</ul>`
}`;
}

export const requestPages: readonly PageRoute[] = [
  ['/requests', showRequests],
  ['/requests/:idOrName', showRequest],
  ...createExportRoutes('requests', requestList),
];
