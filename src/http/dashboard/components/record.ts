import { html, type SafeHtml } from '@remix-run/html-template';
import { backLink, type DashboardLocation, dashboardPage, liveSection } from './dashboard-page.js';
import { type Field, fieldSheet } from './facts.js';
import { statusBadge } from './status.js';
import { type TimelineEntry, timeline } from './timeline.js';

/** The content of the page of a record. */
export interface RecordView {
  /** The noun of the record: `deposit`. */
  readonly noun: string;
  readonly title: string;
  readonly status: string;
  /** The most important facts on one line. */
  readonly summary: SafeHtml;
  readonly fields: readonly Field[];
  /** Buttons for the actions that are possible now. */
  readonly actions: readonly SafeHtml[];
  /** Past and planned events of the record. */
  readonly entries: readonly TimelineEntry[];
  /** The section with the activity about the record. */
  readonly related: SafeHtml;
  /** Further sections of the page, in order. */
  readonly moreSections: readonly SafeHtml[];
}

/** The page of a record. Its content reloads whenever the account changes. */
export function recordPage(location: DashboardLocation, view: RecordView): string {
  const { noun, title, status, summary, fields, actions, entries, related, moreSections } = view;
  return dashboardPage(
    location,
    title,
    html`${backLink(location, `All ${noun}s`)}
${liveSection(
  location,
  'record',
  html`<p class="summary">${statusBadge(status)} ${summary}</p>
<section class="sheet" aria-labelledby="actions"><h2 id="actions">Actions</h2>
${actions.length === 0 ? html`<p class="empty">No actions available.</p>` : html`<div class="actions">${[...actions]}</div>`}
</section>
${entries.length === 0 ? '' : timeline(noun, entries, location.status.now)}
${[...moreSections]}
${related}
${fieldSheet(fields)}`,
)}`,
  );
}
