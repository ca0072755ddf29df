import { html, type SafeHtml } from '@remix-run/html-template';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { findSection, sectionPath } from '../components/sections.js';
import { statusBadge } from '../components/status.js';
import { findRecords, maxSearchedRows, type SearchResult, type SectionResults } from '../data/find-records.js';
import type { PageHandler, PageRoute } from '../routing/page.js';

/** The results of a search through all sections. */
const showSearchResults: PageHandler = ({ account, location, query }) => {
  const text = (query.get('q') ?? '').trim();
  const sections = findRecords(account, text);
  return dashboardPage(
    { ...location, searchText: text },
    'Search',
    sections.length === 0
      ? html`<p class="empty">${text === '' ? 'Enter an id, a number, a reference, a name, an email address, an event or a path.' : html`Nothing matches <strong>${text}</strong>.`}</p>`
      : html`${sections.map((section) => resultSection(location, text, section))}`,
  );
};

function resultSection(
  { account }: DashboardLocation,
  text: string,
  { section: name, results, hasMore }: SectionResults,
): SafeHtml {
  const sectionSearchUrl = `${sectionPath(account, name)}?${new URLSearchParams({ q: text })}`;
  const label = findSection(name)?.label ?? '';
  return html`<section class="sheet" aria-labelledby="found-${name}"><h2 id="found-${name}">${label}</h2>
${
  results.length === 0
    ? html`<p class="empty">Nothing matches in the last ${maxSearchedRows.toLocaleString('en')} rows.</p>`
    : html`<ul class="search-results">
${results.map(resultItem)}</ul>`
}
${hasMore ? html`<p><a href="${sectionSearchUrl}">Show all matching ${label.toLowerCase()}</a></p>` : ''}
</section>
`;
}

function resultItem({ href, name, details, status }: SearchResult): SafeHtml {
  const presentDetails = details.filter((detail) => detail !== null && detail !== '');
  return html`<li><a href="${href}">${name}</a> <span class="hint">${presentDetails.join(' · ')}</span>${status === undefined ? '' : html` ${statusBadge(status)}`}</li>\n`;
}

export const searchPages: readonly PageRoute[] = [['/search', showSearchResults]];
