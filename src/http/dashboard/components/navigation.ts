import { html, type SafeHtml } from '@remix-run/html-template';
import { type Section, type SectionEntry, sectionGroups, sectionPath } from './sections.js';

/** The number of records in each section. Sections that show no count, such as the clock, have no entry. */
export type SectionCounts = Readonly<Partial<Record<Section, number>>>;

interface NavigationOptions {
  readonly account: string;
  readonly section: Section;
  readonly counts: SectionCounts;
  /** The search text; only set on the search page, which belongs to no section, so that `section` is ignored. */
  readonly searchText?: string | undefined;
}

/**
 * Links to the sections, in groups. On phones, the style sheet shows them only while the `details` element before them
 * is open, so the menu button needs no script.
 */
export function navigation(options: NavigationOptions): SafeHtml {
  return html`<details class="menu"><summary>Menu</summary></details>
<nav aria-label="Sections">
${sectionGroups.map(
  ({ label, sections }) => html`${label === '' ? '' : html`<h2>${label}</h2>\n`}<ul>
${sections.map((section) => link(options, section))}</ul>
`,
)}<button type="button" id="show-shortcuts" class="quiet" hidden>Keyboard shortcuts</button>
</nav>`;
}

function link({ account, section, counts, searchText }: NavigationOptions, [name, label, key]: SectionEntry): SafeHtml {
  const current = name === section && searchText === undefined ? html` aria-current="page"` : '';
  return html`<li><a href="${sectionPath(account, name)}" data-key="${key}"${current}>${label}${countBadge(name, counts[name])}</a></li>\n`;
}

/** The count badges as out-of-band swaps (`hx-swap-oob`), with which htmx updates the navigation of an open page. */
export function updatedCounts(counts: SectionCounts): SafeHtml {
  return html`${sectionGroups.flatMap(({ sections }) => sections.map(([name]) => countBadge(name, counts[name], { isUpdate: true })))}`;
}

/** The number of records in a section; empty HTML for a section that shows no count. */
function countBadge(
  name: Section,
  count: number | undefined,
  { isUpdate = false }: { readonly isUpdate?: boolean } = {},
): SafeHtml {
  if (count === undefined) return html``;
  const update = isUpdate ? html` hx-swap-oob="true"` : '';
  return html` <span class="count" id="count-${name}"${update}>${count === 0 ? '' : count.toLocaleString('en')}</span>`;
}
