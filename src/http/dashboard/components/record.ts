import { html, type SafeHtml } from '@remix-run/html-template';
import { addressOf, dashboardPage, live, type Place, type Section } from './dashboard.js';
import { type Field, fieldSheet } from './fields.js';
import { statusBadge } from './status.js';
import { type Entry, timeline } from './timeline.js';

/** Everything that the page of a record shows. */
export interface Shown {
  /** The noun of the record: `deposit`. */
  readonly noun: string;
  readonly title: string;
  /** The list that the record is in. */
  readonly list: readonly [section: Section, label: string];
  /** Undefined for records without a status. */
  readonly status: string | undefined;
  /** The most important facts on one line. */
  readonly summary: SafeHtml;
  readonly fields: readonly Field[];
  /** A button for each action that is possible now. */
  readonly actions: readonly SafeHtml[];
  /** Past and planned events of the record. */
  readonly entries: readonly Entry[];
  /** The time on the account's clock. */
  readonly now: string;
  /** Further sections, in order. */
  readonly more: readonly SafeHtml[];
}

/** The page of a record. It reloads whenever something changes. */
export function recordPage(place: Place, shown: Shown): string {
  const { noun, title, list, status, summary, fields, actions, entries, now, more } = shown;
  const [section, label] = list;
  return dashboardPage(
    place,
    title,
    html`<p class="way-back"><a href="${addressOf(place.account, section)}">All ${label}</a></p>
${live(
  place,
  'record',
  html`<p class="summary">${status === undefined ? '' : html`${statusBadge(status)} `}${summary}</p>
<section class="sheet" aria-labelledby="actions"><h2 id="actions">Actions</h2>
${actions.length === 0 ? html`<p class="empty">No actions available.</p>` : html`<div class="actions">${[...actions]}</div>`}
</section>
${entries.length === 0 ? '' : timeline(noun, entries, now)}
${[...more]}
${fieldSheet(fields)}`,
)}`,
  );
}
