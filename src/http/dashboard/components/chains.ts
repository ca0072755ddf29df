import { html, type SafeHtml } from '@remix-run/html-template';
import type { RecordReference } from '../../../domain/activity.js';
import type { components } from '../../../generated/control-validated-types.js';
import { actionText } from '../../../text/activity-text.js';
import { formatAgendaItem, timeUntil } from '../../../text/agenda-text.js';
import { formatCount, subjectName } from '../../../text/format.js';
import { agendaItemText } from './agenda-item.js';
import type { DashboardLocation } from './dashboard-page.js';
import { recordLink } from './record-link.js';
import { runPath, sectionPath } from './sections.js';
import { attemptBadge, statusBadge } from './status.js';
import { timestamp } from './timestamp.js';

/** One cause, such as a request or a due agenda item, with its consequences. */
type Chain = components['schemas']['ActivityChain'];
type Entry = components['schemas']['Activity'];
type Attempt = Extract<Entry, { kind: 'attempt' }>;

/** Maximum number of parts shown for each chain; see `partsOf`. */
const maxParts = 20;

/** A chain and, if it is an advance of the clock, the chains of the items that the advance ran. */
export interface ChainBlock {
  readonly chain: Chain;
  /** Oldest first. */
  readonly dueChains: readonly Chain[];
}

/** A list of blocks: in each, the chains of due items are below the advance that ran them. */
export function blockList(location: DashboardLocation, blocks: readonly ChainBlock[]): SafeHtml {
  return html`<ol class="chains">
${blocks.map(({ chain, dueChains }) => html`<li class="block">${chainContent(location, chain)}${dueChains.length === 0 ? '' : chainList(location, dueChains)}</li>\n`)}</ol>`;
}

/** A list of chains: the time of each, and its parts, with links to records, messages and requests. */
export function chainList(location: DashboardLocation, chains: readonly Chain[]): SafeHtml {
  return html`<ol class="chains">
${chains.map((chain) => html`<li>${chainContent(location, chain)}</li>\n`)}</ol>`;
}

/** The time of a chain, its cause and its consequences. */
function chainContent(location: DashboardLocation, { at, is_complete, entries }: Chain): SafeHtml {
  const parts = partsOf(location, entries);
  const hiddenCount = parts.length - maxParts;
  const droppedNotice = is_complete ? '' : html`<li class="quiet">Older activity is no longer kept.</li>`;
  return html`${timestamp(at)}<ol class="chain">${droppedNotice}${parts.slice(0, maxParts).map((part) => html`<li>${part}</li>`)}${hiddenCount > 0 ? html`<li class="quiet">${hiddenCount} more</li>` : ''}</ol>`;
}

/**
 * Groups the entries of a chain into parts: an event with the attempts to deliver it, an email with the attempts to
 * send it, a scenario run with its steps, and every other entry alone.
 */
function partsOf(location: DashboardLocation, entries: readonly Entry[]): SafeHtml[] {
  const groups = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const key = groupKeyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()].map((group) => partHtml(location, group));
}

function groupKeyOf(entry: Entry): string {
  if (entry.kind === 'event') return entry.id;
  // A delivery has the id of its event.
  if (entry.kind === 'attempt') return entry.delivery_id;
  if (entry.kind === 'mail' || entry.kind === 'scenario') return `${entry.kind} ${entry.id}`;
  return `entry ${entry.sequence}`;
}

function partHtml(location: DashboardLocation, group: readonly [Entry, ...Entry[]]): SafeHtml {
  const { account, status, outdatedUpTo } = location;
  const [first] = group;
  const last = group.at(-1) ?? first;
  // Records from before a reset or restore have no pages, and nothing is planned for them.
  const isOutdated = last.sequence <= outdatedUpTo;
  const link = (href: string, text: string): SafeHtml =>
    isOutdated ? html`${text}` : html`<a href="${href}">${text}</a>`;
  const nameOf = (record: RecordReference): SafeHtml =>
    isOutdated ? html`${subjectName(record)}` : recordLink(account, record);
  switch (first.kind) {
    case 'request': {
      const { id, method, path, error, faults } = first.request;
      const faultNote = faults.length === 0 ? '' : html` (faults: ${faults.join(', ')})`;
      return html`<a href="${sectionPath(account, 'requests', id)}"><code>${method} ${path}</code></a> ${httpStatus(first.request.status)}${error === null ? '' : html` ${error}`}${faultNote}`;
    }
    case 'action':
      return html`${actionText(first)}`;
    case 'due': {
      const item = { kind: first.item, id: first.id };
      return html`Due: ${isOutdated ? formatAgendaItem(item) : agendaItemText(account, item)}`;
    }
    case 'created':
      return html`${nameOf(first.subject)} created`;
    case 'transition':
      return html`${nameOf(first.subject)} ${first.from} <span class="target">→ ${statusBadge(first.to)}</span>`;
    case 'event':
    case 'attempt': {
      const id = first.kind === 'event' ? first.id : first.delivery_id;
      const outcome = eventOutcome(group, isOutdated ? undefined : status.now);
      return html`${link(sectionPath(account, 'webhooks', id), first.event)} ${outcome}`;
    }
    case 'mail': {
      const error = last.kind === 'mail' ? last.error : null;
      return html`email ${link(sectionPath(account, 'mails', first.id), first.subject)} to ${first.to}${error === null ? '' : html`: ${error}`}`;
    }
    case 'scenario': {
      const run = last.kind === 'scenario' ? last : first;
      return html`${link(runPath(account, run.id), `run ${run.id} of ${run.scenario}`)} on ${subjectName(run.subject)} ${statusBadge(run.status)} after ${formatCount(run.completed_steps, 'step')}`;
    }
  }
}

/**
 * The outcomes of the attempts to deliver an event; before the first one, `waiting` or `not sent`.
 * @param group the entries of the event
 * @param now see `attemptOutcomes`
 */
function eventOutcome(group: readonly [Entry, ...Entry[]], now: string | undefined): SafeHtml {
  const attempts = group.filter((entry) => entry.kind === 'attempt');
  if (attempts.length > 0) return attemptOutcomes(attempts, now);
  const [first] = group;
  // `sent` means that a webhook URL was set, so the message is waiting.
  const isWaiting = first.kind === 'event' && first.sent && now !== undefined;
  return html`${isWaiting ? 'waiting' : 'not sent'}`;
}

/**
 * The outcomes of attempts: `503 503 204`, or `503 retry in 5 s`.
 * @param now on the account's clock; undefined if the records no longer exist
 */
function attemptOutcomes(attempts: readonly Attempt[], now: string | undefined): SafeHtml {
  const next = attempts.at(-1)?.next_attempt_at ?? null;
  const outcomes = attempts.map((attempt) => html`${attemptBadge(attempt)} `);
  return html`${outcomes}${next === null || now === undefined ? '' : html`retry ${timeUntil(next, now)}`}`;
}

/** The status of a response of the service as a badge; `no response` for null. */
export function httpStatus(status: number | null): SafeHtml {
  if (status === null) return html`<span class="status bad">no response</span>`;
  return html`<span class="status ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}
