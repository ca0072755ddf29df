import { html, type SafeHtml } from '@remix-run/html-template';
import { type ChoiceWithValue, choicesOf, type DescribedChoice, parseChoice } from '../../../domain/choices.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { formatCount } from '../../../text/format.js';
import { valueFields } from '../components/choice-value.js';
import { type DashboardLocation, dashboardPage } from '../components/dashboard-page.js';
import { form, formKey } from '../components/form.js';
import { prose } from '../components/prose.js';
import { sectionPath } from '../components/sections.js';
import { readSearch, textMatcher } from '../data/read-search.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { textResponse } from '../routing/responses.js';

/** A gap in the specification, with the account's choice for it. */
interface GapView {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  readonly choices: readonly DescribedChoice[];
  readonly defaultChoice: string;
  readonly current: ChoiceWithValue;
}

/** The page of all gaps: for each, the choice of the account and the other choices. */
const showProfile: PageHandler = ({ account, location, query }) => {
  const { text } = readSearch(query);
  const onlyChanged = query.get('changed') === 'yes';
  const { profile: changedChoices } = account.record;
  const allGaps = Object.entries(gapRegistry).map(([id, gap]): GapView => {
    const { section, question, default: defaultChoice } = gap;
    return {
      id,
      section,
      question,
      defaultChoice,
      choices: choicesOf(gap),
      current: parseChoice(changedChoices[id] ?? gap.default),
    };
  });
  const matchesSearch = textMatcher(text);
  const gaps = allGaps.filter((gap) => matchesSearch(textsOf(gap)) && (!onlyChanged || isChanged(gap)));
  const changed = gaps.filter(isChanged);
  const unchanged = gaps.filter((gap) => !isChanged(gap));
  const sections = [...new Set(unchanged.map(({ section }) => section))];
  const opensAllSections = text !== '' || onlyChanged;
  return dashboardPage(
    location,
    'Profile',
    html`<p>Questions that the specification leaves open, by section. The specification allows every choice, so
a client should work with all of them.</p>
<form action="${sectionPath(location.account, 'profile')}" method="get" role="search" class="search">
<label>Search <input type="search" name="q" value="${text}" placeholder="gap, question or choice"></label>
<label class="choice"><input type="checkbox" name="changed" value="yes"${onlyChanged ? ' checked' : ''}> Only choices that differ from the defaults</label>
<button class="quiet">Search</button>
</form>
<p class="hint">${formatCount(gaps.length, 'gap')}, ${formatCount(allGaps.filter(isChanged).length, 'choice')} changed.
<a href="${sectionPath(location.account, 'profile')}/export" download="${location.account}.yaml" hx-boost="false">Export the changed choices as a profile file</a></p>
${gaps.length === 0 ? html`<p class="empty">No gaps match. <a href="${sectionPath(location.account, 'profile')}">Show all</a></p>` : ''}
${changed.length === 0 ? '' : gapSection(location, { title: 'Changed', gaps: changed, isOpen: true })}
${sections.map((section) => {
  const sectionGaps = unchanged.filter((gap) => gap.section === section);
  return gapSection(location, {
    title: section,
    gaps: sectionGaps,
    isOpen: opensAllSections || sectionGaps.some((gap) => hasRefusedForm(location, gap)),
  });
})}`,
  );
};

/** The searchable texts of a gap. */
function textsOf({ id, section, question, choices }: GapView): string[] {
  return [id, section, question, ...choices.flatMap(({ name, description }) => [name, description])];
}

/** The account's changed choices as a profile file. */
const showProfileFile: PageHandler = async ({ account: { id, record } }) => {
  // Loaded on first use, since most pages do not need it.
  const { stringify } = await import('yaml');
  return textResponse(
    `# Choices of account ${id}. To use them: billing-sim start --profile FILE\n${stringify(record.profile)}`,
  );
};

function isChanged({ current, defaultChoice }: GapView): boolean {
  return current.name !== defaultChoice;
}

/** Returns true if a form of the gap is shown again after an error. */
function hasRefusedForm({ notice }: DashboardLocation, { id, choices }: GapView): boolean {
  return choices.some(({ name }) => notice?.form?.key === formKey('chooseForGap', { id, part: name }));
}

interface GapSection {
  readonly title: string;
  readonly gaps: readonly GapView[];
  readonly isOpen: boolean;
}

/** A section of gaps. It can be collapsed, since the page is long. */
function gapSection(location: DashboardLocation, { title, gaps, isOpen }: GapSection): SafeHtml {
  return html`<details class="sheet gaps"${isOpen ? ' open' : ''}><summary><h2>${title}</h2> <span class="hint">${formatCount(gaps.length, 'gap')}</span></summary>
${gaps.map((gap) => gapArticle(location, gap))}</details>
`;
}

function gapArticle(location: DashboardLocation, { id, question, choices, defaultChoice, current }: GapView): SafeHtml {
  return html`<article class="gap" id="${id}">
<h3>${prose(question)}</h3>
<p><code>${id}</code>${current.name === defaultChoice ? '' : html` <span class="status">differs from the default</span>`}</p>
<ul class="choices">
${[...choices].sort(compareCurrentFirst(current)).map((choice) => html`<li>${choiceContent(location, id, choice, current)}</li>\n`)}</ul>
</article>\n`;
}

/** A choice of a gap, with a button unless it is the current choice and takes no value. */
function choiceContent(
  location: DashboardLocation,
  id: string,
  { name, description, takes }: DescribedChoice,
  current: ChoiceWithValue,
): SafeHtml {
  const isCurrent = name === current.name;
  const paragraph = html`<p>${isCurrent ? html`<span class="status good">chosen</span> ` : ''}${prose(description)}</p>`;
  if (isCurrent && takes === undefined) return paragraph;
  const label = isCurrent ? 'Change' : 'Choose';
  return html`${paragraph}
${form(
  location,
  'chooseForGap',
  (fields) =>
    html`<input type="hidden" name="choice" value="${name}">${takes === undefined ? '' : valueFields(fields, id, takes, isCurrent ? current.value : undefined)}<button class="quiet" aria-label="${label} ${name} for ${id}">${label}</button>`,
  { id, part: name, className: takes === undefined ? 'action' : 'actions', fragment: id },
)}`;
}

/** Creates a comparison that sorts the current choice first. */
function compareCurrentFirst({ name }: ChoiceWithValue): (a: DescribedChoice, b: DescribedChoice) => number {
  return (a, b) => Number(b.name === name) - Number(a.name === name);
}

export const profilePages: readonly PageRoute[] = [
  ['/profile', showProfile],
  ['/profile/export', showProfileFile],
];
