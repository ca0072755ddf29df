import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { actionButton, type DashboardLocation, dashboardPage, liveSection } from '../components/dashboard.js';
import { type Column, table } from '../components/list.js';

type Coverage = components['schemas']['Coverage'];
type Operation = components['schemas']['OperationCoverage'];
type ErrorStatus = components['schemas']['ErrorCoverage'];
type Event = components['schemas']['EventCoverage'];
type Transition = components['schemas']['TransitionCoverage'];
type TokenUse = components['schemas']['TokenCoverage'];

/** The coverage of the API by the clients of the account: operations, errors, events, transitions and scopes. */
export function coveragePage(location: DashboardLocation, coverage: Coverage): string {
  const { operations, errors, events, transitions, scopes } = coverage;
  return dashboardPage(
    location,
    'Coverage',
    html`<p>The parts of the API that the clients of this account have used since the simulator started or the coverage was reset.</p>
<div class="actions">${actionButton(location, 'forgetCoverage', 'Reset coverage')}</div>
${liveSection(
  location,
  'coverage',
  html`${topicSheet('operations', 'Operations', operations, operationMatrix(operations.all))}
${topicSheet(
  'errors',
  'Errors',
  errors,
  table<ErrorStatus>(
    [
      { label: 'Status', show: ({ status }) => status },
      { label: 'Coverage', show: ({ count }) => coverageBadge(count) },
      { label: 'Operations', show: (error) => error.operations.join(', ') },
    ],
    errors.all,
    'Documented error statuses',
  ),
)}
${topicSheet(
  'events',
  'Events',
  events,
  table<Event>(
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
)}
${topicSheet(
  'transitions',
  'Transitions of deposits',
  transitions,
  table<Transition>(
    [
      { label: 'From', show: ({ from }) => from },
      { label: 'Cause', show: ({ cause }) => cause },
      { label: 'To', show: ({ to }) => to },
      { label: 'Coverage', show: ({ count }) => coverageBadge(count) },
    ],
    transitions.all,
    'Transitions',
  ),
)}
<section class="sheet" aria-labelledby="scopes"><h2 id="scopes">Scopes</h2>
${table<TokenUse>(
  [
    { label: 'Token', show: ({ name }) => name },
    { label: 'Requests', isNumeric: true, show: ({ calls }) => calls },
    { label: 'Used', show: ({ used }) => used.map(({ scope }) => scope).join(', ') },
    { label: 'Granted, but not used', show: ({ unused }) => unused.join(', ') },
    { label: 'Used without the scope', show: ({ lacking }) => lacking.map(({ scope }) => scope).join(', ') },
  ],
  scopes.all,
  'Scopes by token',
)}</section>`,
)}`,
  );
}

/** A section with the number of covered items in its heading. */
function topicSheet(
  id: string,
  title: string,
  { all, missing }: { readonly all: readonly unknown[]; readonly missing: readonly unknown[] },
  content: SafeHtml,
): SafeHtml {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${title} <span class="hint">${all.length - missing.length} of ${all.length} covered</span></h2>
${content}</section>`;
}

/**
 * Operations by status. A cell has the number of responses, or `missing` if a documented status never occurred; it is
 * empty if an undocumented status never occurred.
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
            return missing.includes(status) ? coverageBadge(0) : '';
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
