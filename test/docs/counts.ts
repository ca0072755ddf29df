import { clauses } from '../../src/contract/sections/clauses.js';
import { mutants } from '../../src/contract/sections/mutants.js';
import { faults } from '../second-implementation/faults/index.js';

const documentedCount = clauses.filter(({ level }) => level === 'documented').length;
const mutantsInTens = roundDown(mutants.length, 10);
const faultsInHundreds = roundDown(Object.keys(faults).length, 100);

/** Numbers of contract clauses, mutants and planted faults that pages state, each with the words around it. */
const countsByPage: Readonly<Record<string, readonly (readonly [place: RegExp, count: number])[]>> = {
  'README.md': [
    [/\d+(?= checks)/, clauses.length],
    [/\d+(?= of them verify rules)/, documentedCount],
    [/(?<=some )\d+(?= defects)/, mutantsInTens],
  ],
  'docs/contract.md': [
    [/(?<=there are some )\d+(?=\.)/, mutantsInTens],
    [/(?<=over )\d+(?= defects)/, faultsInHundreds],
  ],
  'docs/testing.md': [[/(?<=all )\d+(?= fail it)/, mutants.length]],
};

/** Names of the pages that state such numbers. */
export const pagesWithCounts = Object.keys(countsByPage);

/** Returns the text of a page with current numbers. @throws Error if the page lacks one of its numbers */
export function withCounts(name: string, page: string): string {
  return (countsByPage[name] ?? []).reduce((text, [place, count]) => {
    if (!place.test(text)) throw new Error(`${name} has no number at ${place}`);
    return text.replace(place, String(count));
  }, page);
}

function roundDown(number: number, multiple: number): number {
  return Math.floor(number / multiple) * multiple;
}
