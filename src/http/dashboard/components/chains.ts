import { html, type SafeHtml } from '@remix-run/html-template';
import type { components } from '../../../generated/control-validated-types.js';
import { actionText } from '../../../text/action-text.js';
import { timeUntil } from '../../../text/agenda-text.js';
import { countOf, subjectName } from '../../../text/format.js';
import { agendaItemText } from './agenda-item.js';
import { addressOf, type DashboardLocation, runAddress } from './dashboard.js';
import { recordLink } from './record-link.js';
import { attemptBadge, statusBadge } from './status.js';
import { timestamp } from './timestamp.js';

/** One cause, such as a request or a due agenda item, with its consequences. */
type Chain = components['schemas']['ActivityChain'];
type Entry = components['schemas']['Activity'];
type Attempt = Extract<Entry, { kind: 'attempt' }>;

/** The activity about a record, for its page. */
export interface RelatedActivity {
  /** The record, such as `deposit:8`. */
  readonly record: string;
  /** The latest chains, newest first. */
  readonly chains: readonly Chain[];
  /** Number of all chains about the record. */
  readonly total: number;
  /** The time on the account's clock. */
  readonly now: string;
}

/** Maximum number of parts that are shown for a chain. */
const maxParts = 20;

/** The section with the activity about a record. */
export function relatedSection(
  { account }: DashboardLocation,
  { record, chains, total, now }: RelatedActivity,
): SafeHtml {
  const activityUrl = `${addressOf(account, '')}?${new URLSearchParams({ record })}`;
  return html`<section class="sheet" aria-labelledby="related"><h2 id="related">Related</h2>
${chains.length === 0 ? html`<p class="empty">No recent activity.</p>` : chainList(account, chains, now)}
<p><a href="${activityUrl}">${total > chains.length ? `All ${total.toLocaleString('en')} in Activity` : 'Show in Activity'}</a></p>
</section>`;
}

/** A chain and, if it is an advance of the clock, the chains of the items that the advance ran. */
export interface ChainBlock {
  readonly chain: Chain;
  readonly dueChains: readonly Chain[];
}

/** A list of blocks: in each, the chains of due items are below their cause. @param now on the account's clock */
export function blockList(account: string, blocks: readonly ChainBlock[], now: string): SafeHtml {
  return html`<ol class="chains">
${blocks.map(({ chain, dueChains }) => html`<li class="block">${chainContent(account, chain, now)}${dueChains.length === 0 ? '' : chainList(account, dueChains, now)}</li>\n`)}</ol>`;
}

/** A list of chains, each on a few lines whose parts link to their pages. @param now on the account's clock */
export function chainList(account: string, chains: readonly Chain[], now: string): SafeHtml {
  return html`<ol class="chains">
${chains.map((chain) => html`<li>${chainContent(account, chain, now)}</li>\n`)}</ol>`;
}

/** The time of a chain, its cause and its consequences. */
function chainContent(account: string, { at, is_complete, entries }: Chain, now: string): SafeHtml {
  const parts = partsOf(account, entries, now);
  const hiddenCount = parts.length - maxParts;
  const droppedNotice = is_complete ? '' : html`<li class="quiet">Older activity is no longer kept.</li>`;
  return html`${timestamp(at)}<ol class="chain">${droppedNotice}${parts.slice(0, maxParts).map((part) => html`<li>${part}</li>`)}${hiddenCount > 0 ? html`<li class="quiet">${hiddenCount} more</li>` : ''}</ol>`;
}

/**
 * Groups the entries of a chain into parts: an event with the attempts to deliver it, an email with the attempts to
 * send it, a scenario run with its steps, and every other entry alone.
 */
function partsOf(account: string, entries: readonly Entry[], now: string): SafeHtml[] {
  const groups = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    const key = groupKeyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()].map((group) => partHtml(account, group, now));
}

function groupKeyOf(entry: Entry): string {
  if (entry.kind === 'event') return entry.id;
  if (entry.kind === 'attempt') return entry.delivery_id;
  if (entry.kind === 'mail' || entry.kind === 'scenario') return `${entry.kind} ${entry.id}`;
  return `entry ${entry.sequence}`;
}

function partHtml(account: string, [first, ...others]: readonly [Entry, ...Entry[]], now: string): SafeHtml {
  const last = others.at(-1) ?? first;
  switch (first.kind) {
    case 'request': {
      const { id, method, path, status, error, faults } = first.request;
      const faultNote = faults.length === 0 ? '' : html` (faults: ${faults.join(', ')})`;
      return html`<a href="${addressOf(account, 'requests', id)}"><code>${method} ${path}</code></a> ${httpStatus(status)}${error === null ? '' : html` ${error}`}${faultNote}`;
    }
    case 'action':
      return html`${actionText(first)}`;
    case 'due':
      return html`Due: ${agendaItemText(account, { kind: first.item, id: first.id })}`;
    case 'created':
      return html`${recordLink(account, first.subject)} created`;
    case 'transition':
      return html`${recordLink(account, first.subject)} ${first.from} <span class="target">→ ${statusBadge(first.to)}</span>`;
    case 'event':
    case 'attempt': {
      const id = first.kind === 'event' ? first.id : first.delivery_id;
      const attempts = [first, ...others].filter((entry) => entry.kind === 'attempt');
      // `sent` means that a webhook URL was set: without an attempt, the message is still waiting.
      const outcome =
        attempts.length > 0
          ? attemptOutcomes(attempts, now)
          : html`${first.kind === 'event' && first.sent ? 'waiting' : 'not sent'}`;
      return html`<a href="${addressOf(account, 'webhooks', id)}">${first.event}</a> ${outcome}`;
    }
    case 'mail': {
      const error = last.kind === 'mail' ? last.error : null;
      return html`email <a href="${addressOf(account, 'mails', first.id)}">${first.subject}</a> to ${first.to}${error === null ? '' : html`: ${error}`}`;
    }
    case 'scenario': {
      const run = last.kind === 'scenario' ? last : first;
      return html`<a href="${runAddress(account, run.id)}">run ${run.id} of ${run.scenario}</a> on ${subjectName(run.subject)} ${statusBadge(run.status)} after ${countOf(run.completed_steps, 'step')}`;
    }
  }
}

/** The outcomes of attempts: `503 503 204`, or `503 retry in 5 s`. */
function attemptOutcomes(attempts: readonly Attempt[], now: string): SafeHtml {
  const next = attempts.at(-1)?.next_attempt_at ?? null;
  const outcomes = attempts.map((attempt) => html`${attemptBadge(attempt)} `);
  return html`${outcomes}${next === null ? '' : html`retry ${timeUntil(next, now)}`}`;
}

/** The status of a response of the service. */
export function httpStatus(status: number | null): SafeHtml {
  if (status === null) return html`<span class="status bad">no response</span>`;
  return html`<span class="status ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}
