import { html, type SafeHtml } from '@remix-run/html-template';
import { addressOf, dashboardPage, live, type Place, type Section } from './dashboard.js';
import { type Field, fieldSheet } from './fields.js';
import { statusBadge } from './status.js';
import { type Entry, timeline } from './timeline.js';

/** A record with everything there is to know of it. */
export interface Shown {
  /** Of what: `deposit`. */
  readonly noun: string;
  readonly title: string;
  /** The list that it is in. */
  readonly list: readonly [section: Section, label: string];
  /** Undefined for what has none. */
  readonly status: string | undefined;
  /** What matters most, on one line. */
  readonly summary: SafeHtml;
  readonly fields: readonly Field[];
  /** A button for whatever can be done with it now. */
  readonly actions: readonly SafeHtml[];
  /** What has happened to it and is due. */
  readonly entries: readonly Entry[];
  /** Now on the account's clock. */
  readonly now: string;
  /** Further parts, in their order. */
  readonly more: readonly SafeHtml[];
}

/** The page of a record. All of it is loaded anew when something happens. */
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
<section class="sheet" aria-labelledby="actions"><h2 id="actions">What can happen next</h2>
${actions.length === 0 ? html`<p class="empty">Nothing: this is where it ends.</p>` : html`<div class="actions">${[...actions]}</div>`}
</section>
${entries.length === 0 ? '' : timeline(noun, entries, now)}
${[...more]}
${fieldSheet(fields)}`,
)}`,
  );
}
