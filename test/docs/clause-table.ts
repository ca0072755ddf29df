import type { Clause } from '../../src/contract/engine/clause.js';
import { headingsOf } from '../../src/contract/report/headings.js';
import { clauses } from '../../src/contract/sections/clauses.js';

/**
 * Returns the rest of the sentence that begins with "Cannot be tested from outside". Reasons from the gap registry
 * begin with "not from outside", which must not be repeated.
 */
function reasonOf({ untestable }: { readonly untestable: string }): string {
  const [, rest = untestable] = /^not from outside;? ?(.*)$/.exec(untestable) ?? [];
  return /^(?:in|with) /.test(rest) ? ` ${rest}` : `: ${rest}`;
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

/** Returns the text of docs/clauses.md. */
export function clauseTable(): string {
  const count = (level: Clause['level']): number => clauses.filter((clause) => clause.level === level).length;
  const untestableCount = clauses.filter(({ check }) => typeof check === 'object').length;
  const tables = headingsOf(clauses).map((heading) => {
    const rows = clauses
      .filter(({ spec }) => spec === heading)
      .toSorted((a, b) => a.id.localeCompare(b.id))
      .map(({ id, level, title, check }) => {
        const reason = typeof check === 'object' ? ` *Cannot be tested from outside${reasonOf(check)}.*` : '';
        return `| ${id} | ${level} | ${escapeCell(`${title}${reason}`)} |`;
      });
    return `## ${heading}\n\n| Clause | Level | Requirement |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Contract clauses

[\`billing-sim contract\`](contract.md) has ${clauses.length} clauses, listed here by the headings of the specification. ${count('documented')} are documented
(a violation fails the run), ${count('inferred')} inferred (a violation warns, and fails with \`--strict\`), and ${count('open')} open (the suite only reports
what it observes). ${untestableCount} clauses cannot be tested from outside; they are listed for completeness.

This page is generated: run \`npm run docs\` after changing a clause.

${tables.join('\n')}`;
}
