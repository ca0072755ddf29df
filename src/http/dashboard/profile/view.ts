import { html, type SafeHtml } from '@remix-run/html-template';
import type { Chosen, DescribedChoice } from '../../../domain/choices.js';
import { countOf } from '../../../text/format.js';
import { valueFields } from '../components/choice-value.js';
import { addressOf, dashboardPage, type Place } from '../components/dashboard.js';
import { form } from '../components/form.js';
import { prose } from '../components/prose.js';

/** A gap of the specification, and what the account has chosen for it. */
export interface ShownGap {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  readonly choices: readonly DescribedChoice[];
  readonly defaultChoice: string;
  readonly current: Chosen;
}

export interface Profile {
  /** The gaps that match the search. */
  readonly gaps: readonly ShownGap[];
  readonly text: string;
  readonly onlyChanged: boolean;
}

/** The page of all gaps: for each the choice of the account and the other choices. */
export function profilePage(place: Place, { gaps, text, onlyChanged }: Profile): string {
  const sections = [...new Set(gaps.map(({ section }) => section))];
  return dashboardPage(
    place,
    'Profile',
    html`<p>Questions that the specification leaves open, by section. The specification allows every choice. A client that works
with all of them also works with the real service.</p>
<form action="${addressOf(place.account, 'profile')}" method="get" role="search" class="search">
<label>Search <input type="search" name="q" value="${text}" placeholder="gap, question or choice"></label>
<label class="choice"><input type="checkbox" name="changed" value="yes"${onlyChanged ? ' checked' : ''}> Only choices that differ from the defaults</label>
<button class="quiet">Search</button>
</form>
<p class="hint">${countOf(gaps.length, 'gap')}</p>
${gaps.length === 0 ? html`<p class="empty">No gaps match. <a href="${addressOf(place.account, 'profile')}">Show all</a></p>` : ''}
${sections.map(
  (section) => html`<section class="sheet"><h2>${section}</h2>
${gaps.filter((gap) => gap.section === section).map((gap) => gapOf(place, gap))}</section>\n`,
)}`,
  );
}

function gapOf(place: Place, { id, question, choices, defaultChoice, current }: ShownGap): SafeHtml {
  return html`<article class="gap" id="${id}">
<h3>${prose(question)}</h3>
<p><code>${id}</code>${current.name === defaultChoice ? '' : html` <span class="status">differs from the default</span>`}</p>
<ul class="choices">
${[...choices].sort(currentFirst(current)).map((choice) => html`<li>${choiceOf(place, id, choice, current)}</li>\n`)}</ul>
</article>\n`;
}

/** A choice of a gap, with a button unless it is the current choice and takes no value. */
function choiceOf(place: Place, id: string, { name, says, takes }: DescribedChoice, current: Chosen): SafeHtml {
  const isCurrent = name === current.name;
  const description = html`<p${isCurrent ? html` class="present"` : ''}>${isCurrent ? html`<span class="status good">chosen</span> ` : ''}${prose(says)}</p>`;
  if (isCurrent && takes === undefined) return description;
  const label = isCurrent ? 'Change' : 'Choose';
  return html`${description}
${form(
  place,
  'chooseForGap',
  (fields) =>
    html`<input type="hidden" name="choice" value="${name}">${takes === undefined ? '' : valueFields(fields, id, takes, isCurrent ? current.value : undefined)}<button class="quiet" aria-label="${label} ${name} for ${id}">${label}</button>`,
  { id, part: name, look: takes === undefined ? 'action' : 'actions', fragment: id },
)}`;
}

/** Sorts the current choice first. */
function currentFirst({ name }: Chosen): (a: DescribedChoice, b: DescribedChoice) => number {
  return (a, b) => Number(b.name === name) - Number(a.name === name);
}
