import { html, type SafeHtml } from '@remix-run/html-template';
import { timeUntil } from '../../../text/agenda-text.js';
import { formatCount } from '../../../text/format.js';
import { type AgendaEntry, agendaItemText } from './agenda-item.js';
import { dangerButton } from './danger-button.js';
import { advanceTimeoutField, returnToField, returnToName } from './form-fields.js';
import { actionPath, type Section, sectionPath } from './sections.js';
import { timestamp } from './timestamp.js';

/** The state of an account that every page shows. */
export interface AccountStatus {
  /** The time on the account's clock, ISO 8601 in UTC. */
  readonly now: string;
  readonly isFrozen: boolean;
  /** The next agenda item; undefined if the agenda is empty. */
  readonly next: AgendaEntry | undefined;
  /** Number of faults that can still fire. */
  readonly activeFaultCount: number;
}

interface HeaderOptions {
  readonly account: string;
  readonly accounts: readonly string[];
  readonly section: Section;
  /** The search text; only set on the search page. */
  readonly searchText?: string | undefined;
}

/** The first line of every page: account switcher, search, and links. */
export function header({ account, accounts, section, searchText = '' }: HeaderOptions): SafeHtml {
  return html`<header>
<p class="brand"><a href="${sectionPath(account, '')}">billing-sim</a></p>
<form action="/dashboard" method="get" class="switch" hx-boost="false"><label for="account">Account</label>
<select id="account" name="account">${accounts.map((name) => html`<option${name === account ? ' selected' : ''}>${name}</option>`)}</select>
<input type="hidden" name="section" value="${section}"><button class="quiet">Go</button></form>
<form action="${sectionPath(account, '')}/search" method="get" role="search" aria-label="Everything" class="find">
<input id="find" type="search" name="q" value="${searchText}" aria-label="Find records, events and requests" aria-keyshortcuts="/" placeholder="Find records and requests ( / )"></form>
<p id="connection" class="connection" role="status"></p>
<p class="api-documents"><a href="/docs" hx-boost="false">API documents</a></p>
</header>`;
}

/**
 * The clock and the active faults of an account. Reloads whenever the account changes.
 * @param path the page to return to after an action
 */
export function statusBar(
  { account, path }: { readonly account: string; readonly path: string },
  status: AccountStatus,
): SafeHtml {
  const { now, isFrozen, next, activeFaultCount } = status;
  const statusUrl = `${sectionPath(account, '')}/status?${new URLSearchParams({ [returnToName]: path })}`;
  /** A button that sends one field to an operation of the clock. */
  const clockButton = (
    operation: 'setClock' | 'advanceClock',
    [fieldName, fieldValue]: readonly [string, string],
    { id, label, tooltip }: { readonly id: string; readonly label: string; readonly tooltip: string },
  ): SafeHtml =>
    html`<form method="post" action="${actionPath(account, operation)}" class="action">${returnToField(path)}${operation === 'advanceClock' ? advanceTimeoutField : ''}<button id="status-${id}" name="${fieldName}" value="${fieldValue}" class="quiet" title="${tooltip}">${label}</button></form>
`;
  const modeButton = isFrozen
    ? clockButton('setClock', ['mode', 'real'], { id: 'clock', label: 'Resume', tooltip: 'Let the clock run' })
    : clockButton('setClock', ['mode', 'frozen'], { id: 'clock', label: 'Freeze', tooltip: 'Freeze the clock' });
  const hourButton = clockButton('advanceClock', ['by', '1h'], {
    id: 'hour',
    label: '+1 h',
    tooltip: 'Advance by an hour',
  });
  const dayButton = clockButton('advanceClock', ['by', '1d'], {
    id: 'day',
    label: '+1 d',
    tooltip: 'Advance by a day',
  });
  return html`<section id="account-status" class="account-status" aria-label="Clock and faults" hx-get="${statusUrl}" hx-sync="this:replace" hx-trigger="sse:change" hx-swap="outerHTML" hx-disinherit="hx-swap hx-sync">
<p><a href="${sectionPath(account, 'clock')}">${isFrozen ? timestamp(now) : html`<span data-runs>${timestamp(now)}</span>`}</a> UTC, ${isFrozen ? 'frozen' : 'running'}</p>
<div class="actions">
${modeButton}
${hourButton}${dayButton}</div>
${next ? html`<p class="next">Next: ${agendaItemText(account, next)} <span class="until">${timeUntil(next.at, now)}</span></p>` : html`<p class="next">Nothing is scheduled.</p>`}
${activeFaultCount === 0 ? '' : faultBanner(account, path, activeFaultCount)}
</section>`;
}

function faultBanner(account: string, path: string, count: number): SafeHtml {
  return html`<div class="fault-banner"><p><a href="${sectionPath(account, 'faults')}">${formatCount(count, 'fault')} active</a></p>
${dangerButton({ account, path }, 'clearFaults', 'Clear all', { buttonId: 'status-clear-faults' })}</div>`;
}
