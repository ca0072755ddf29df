import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { describeRetryOutcome } from '../../../text/lost-response-text.js';
import { coverageReportOf } from '../../control/coverage.js';
import { dangerButton } from '../components/danger-button.js';
import { type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard-page.js';
import { type Column, table } from '../components/list.js';
import { sectionPath } from '../components/sections.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

type Coverage = components['schemas']['Coverage'];
type Operation = components['schemas']['OperationCoverage'];
type ErrorStatus = components['schemas']['ErrorCoverage'];
type FaultCount = components['schemas']['FaultCoverage'];
type LostResponse = components['schemas']['LostResponse'];
type AcceptedForgery = components['schemas']['AcceptedForgery'];

/** The parts of the API that clients have used. Lost responses come first, since an unsafe retry costs money. */
const showCoverage: PageHandler = ({ account, location }) => {
  const { operations, errors, faults, events, transitions, scopes, keys, retries, forged_webhooks } =
    coverageReportOf(account);
  return dashboardPage(
    location,
    'Coverage',
    html`<p>The parts of the API that the clients of this account have used since the simulator started or the coverage was reset.</p>
<div class="actions">${dangerButton(location, 'resetCoverage', 'Reset coverage')}</div>
${liveSection(
  location,
  'coverage',
  html`${lostResponseSheet(location, retries)}
${operationSheet(operations)}
${errorSheet(errors)}
${eventSheet(events)}
${transitionSheet(transitions)}
${keySheet(keys)}
${scopeSheet(scopes)}
${forgerySheet(location, forged_webhooks)}
${topicSheet('faults', 'Fault effects', faults, effectLists(faults.all))}`,
)}`,
  );
};

function lostResponseSheet(location: DashboardLocation, retries: Coverage['retries']): SafeHtml {
  const { lost, safe } = retries;
  return sheet(
    'retries',
    'Lost responses',
    lost === 0 ? '' : `${safe.length} of ${lost} handled safely`,
    lost === 0
      ? html`<p class="empty">No response has been lost to a fault yet. The <code>lose-response</code> effect shows whether clients retry safely.</p>`
      : lostResponses(location, retries),
  );
}

function operationSheet(operations: Coverage['operations']): SafeHtml {
  return topicSheet(
    'operations',
    'Operations',
    operations,
    html`<p class="hint">✓ shows the number of responses; – marks a documented status that has not occurred yet.</p>
${operationMatrix(operations.all)}`,
  );
}

function errorSheet({ all, missing }: Coverage['errors']): SafeHtml {
  const missingStatuses = missing.map((status): ErrorStatus => ({ status, count: 0, operations: [] }));
  return sheet(
    'errors',
    'Errors',
    `${all.length} received, ${missing.length} documented but not received yet`,
    table<ErrorStatus>(
      [
        { label: 'Status', show: ({ status }) => status },
        { label: 'Coverage', show: ({ count }) => coverageBadge(count) },
        { label: 'Operations', show: ({ operations }) => operations.join(', ') },
      ],
      [...all, ...missingStatuses].sort((a, b) => a.status - b.status),
      'Error statuses',
    ),
  );
}

function eventSheet(events: Coverage['events']): SafeHtml {
  return topicSheet(
    'events',
    'Events',
    events,
    table(
      [
        { label: 'Event', show: ({ event }) => event },
        { label: 'Accepted by the receiver', show: ({ delivered }) => coverageBadge(delivered) },
        { label: 'Occurred', isNumeric: true, show: ({ count }) => count },
        { label: 'Not sent', isNumeric: true, show: ({ unsent }) => unsent },
        { label: 'Rejected', isNumeric: true, show: ({ refused }) => refused },
      ],
      events.all,
      'Events, and the outcome of their webhooks',
    ),
  );
}

function transitionSheet(transitions: Coverage['transitions']): SafeHtml {
  return topicSheet(
    'transitions',
    'Transitions of deposits',
    transitions,
    table(
      [
        { label: 'From', show: ({ from }) => from },
        { label: 'Cause', show: ({ cause }) => cause },
        { label: 'To', show: ({ to }) => to },
        { label: 'Coverage', show: ({ count }) => coverageBadge(count) },
      ],
      transitions.all,
      'Transitions by cause',
    ),
  );
}

function keySheet({ all }: Coverage['keys']): SafeHtml {
  return sheet(
    'keys',
    'Idempotency keys',
    '',
    table(
      [
        { label: 'Operation', show: ({ operation }) => operation },
        { label: 'Requests', isNumeric: true, show: ({ calls }) => calls },
        { label: 'Without a key', isNumeric: true, show: ({ without }) => without },
      ],
      all,
      'Operations that accept an Idempotency-Key',
    ),
  );
}

function scopeSheet({ all }: Coverage['scopes']): SafeHtml {
  return sheet(
    'scopes',
    'Scopes',
    '',
    table(
      [
        { label: 'Token', show: ({ name }) => name },
        { label: 'Requests', isNumeric: true, show: ({ calls }) => calls },
        { label: 'Used', show: ({ used }) => used.map(({ scope }) => scope).join(', ') },
        { label: 'Granted, but not used', show: ({ unused }) => unused.join(', ') },
        { label: 'Needed, but not granted', show: ({ lacking }) => lacking.map(({ scope }) => scope).join(', ') },
      ],
      all,
      'Scopes by token',
    ),
  );
}

const noForgery = html`No webhook has been forged yet. The <code>tamper-body</code> effect shows whether the receiver checks signatures.`;

function forgerySheet(location: DashboardLocation, { sent, refused, accepted }: Coverage['forged_webhooks']): SafeHtml {
  const emptyText = sent === 0 ? noForgery : 'The receiver has accepted none.';
  return sheet(
    'forged',
    'Forged webhooks',
    sent === 0 ? '' : `${refused} of ${sent} rejected`,
    accepted.length === 0 ? html`<p class="empty">${emptyText}</p>` : acceptedForgeries(location, accepted),
  );
}

/** A section with the number of covered items in its heading. */
function topicSheet(
  id: string,
  title: string,
  { all, missing }: { readonly all: readonly unknown[]; readonly missing: readonly unknown[] },
  content: SafeHtml,
): SafeHtml {
  return sheet(id, title, `${all.length - missing.length} of ${all.length} covered`, content);
}

function sheet(id: string, title: string, summary: string, content: SafeHtml): SafeHtml {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${title} <span class="hint">${summary}</span></h2>
${content}</section>`;
}

/** Lost responses, and how clients reacted. Those after which an operation may have run twice come first. */
function lostResponses(
  { account }: DashboardLocation,
  { unsafe, missing, safe }: Pick<Coverage['retries'], 'unsafe' | 'missing' | 'safe'>,
): SafeHtml {
  return table<LostResponse>(
    [
      {
        label: 'Request',
        show: ({ request }) => html`<a href="${sectionPath(account, 'requests', request)}">${request}</a>`,
      },
      { label: 'Operation', show: ({ operation }) => operation },
      { label: 'Fault', show: ({ how }) => how },
      {
        label: 'Client',
        show: (response) =>
          html`<span class="status ${safe.includes(response) ? 'good' : 'bad'}">${describeRetryOutcome(response)}</span>`,
      },
    ],
    [...unsafe, ...missing, ...safe],
    'Lost responses, and how clients handled them',
  );
}

function acceptedForgeries({ account }: DashboardLocation, accepted: readonly AcceptedForgery[]): SafeHtml {
  return table<AcceptedForgery>(
    [
      {
        label: 'Webhook',
        show: ({ delivery }) => html`<a href="${sectionPath(account, 'webhooks', delivery)}">${delivery}</a>`,
      },
      { label: 'Event', show: ({ event }) => event },
      { label: 'Forged by', show: ({ how }) => how },
      { label: 'Attempt', isNumeric: true, show: ({ attempt }) => attempt },
      { label: 'Response', show: ({ status }) => html`<span class="status bad">${status}</span>` },
    ],
    accepted,
    'Forged webhooks that the receiver accepted',
  );
}

/** Two lists, since a table of all effects would be long. */
function effectLists(effects: readonly FaultCount[]): SafeHtml {
  const applied = effects.filter(({ count }) => count > 0).map(({ effect, count }) => `${effect} ×${count}`);
  const notApplied = effects.filter(({ count }) => count === 0).map(({ effect }) => effect);
  return html`<p>Applied: ${applied.length === 0 ? 'none' : applied.join(', ')}</p>
<p class="hint">Not applied: ${notApplied.length === 0 ? 'none' : notApplied.join(', ')}</p>`;
}

/**
 * Operations by status. A cell has the number of responses with the status. If there are none, it has a dash for a
 * documented status, and is empty for any other.
 */
function operationMatrix(operations: readonly Operation[]): SafeHtml {
  const statuses = new Set(
    operations.flatMap(({ statuses: returned, missing }) => [...returned.map(({ status }) => status), ...missing]),
  );
  const columns: Column<Operation>[] = [
    {
      label: 'Operation',
      show: ({ operation, method, path }) => html`${operation}<br><small>${method} ${path}</small>`,
    },
    ...[...statuses]
      .sort((a, b) => a - b)
      .map(
        (status): Column<Operation> => ({
          label: String(status),
          show: ({ statuses: returned, missing }) => {
            const count = returned.find((coverage) => coverage.status === status)?.count;
            if (count !== undefined) return coverageBadge(count);
            return missing.includes(status) ? '–' : '';
          },
        }),
      ),
  ];
  return table(columns, operations, 'Operations by HTTP status');
}

function coverageBadge(count: number): SafeHtml {
  return count > 0
    ? html`<span class="status good">✓ ${count}</span>`
    : html`<span class="status plain">missing</span>`;
}

export const coveragePages: readonly PageRoute[] = [['/coverage', showCoverage]];
