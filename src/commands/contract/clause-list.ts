import type { Clause } from '../../contract/engine/clause.js';
import { headingsOf } from '../../contract/report/headings.js';
import { formatCount } from '../../text/format.js';
import { columns, indent } from '../support/output.js';

/** JSON form of a clause. */
interface ListedClause extends Omit<Clause, 'check'> {
  /** Reason why the clause cannot be tested from outside; null if it can. */
  readonly untestable: string | null;
}

/** Returns clauses in their JSON form. @param calibrateOnly clauses of the level `open` that only `calibrate` checks */
export function clauseListJson(
  clauses: readonly Clause[],
  calibrateOnly: readonly Clause[],
): { clauses: ListedClause[]; calibrate: ListedClause[] } {
  return { clauses: clauses.map(toListedClause), calibrate: calibrateOnly.map(toListedClause) };
}

function toListedClause({ id, level, operation, spec, quote, title, check }: Clause): ListedClause {
  const untestable = typeof check === 'object' ? check.untestable : null;
  return { id, level, operation, spec, ...(quote === undefined ? {} : { quote }), title, untestable };
}

/** Formats clauses as tables, one for each heading of the specification. */
export function formatClauseList(chosen: readonly Clause[], calibrateOnly: readonly Clause[]): string {
  const clauses = chosen.map(toListedClause);
  const tables = headingsOf(clauses).map((heading) => {
    const rows = clauses
      .filter(({ spec }) => spec === heading)
      .map(({ id, level, title, untestable }) => [
        id,
        level,
        untestable === null ? title : `${title} (cannot be tested from outside: ${untestable})`,
      ]);
    return `${heading}\n${indent(columns(rows))}`;
  });
  const levels = (['documented', 'inferred', 'open'] as const)
    .map((level) => [clauses.filter((clause) => clause.level === level).length, level])
    .filter(([count]) => count !== 0)
    .map(([count, level]) => `${count} ${level}`);
  const untestable = clauses.filter((clause) => clause.untestable !== null).length;
  const summary = `${formatCount(clauses.length, 'clause')}: ${levels.join(', ')}; ${untestable} of them cannot be tested from outside`;
  return [...tables, ...calibrationTable(calibrateOnly), summary].join('\n\n');
}

function calibrationTable(calibrateOnly: readonly Clause[]): string[] {
  if (calibrateOnly.length === 0) return [];
  return [
    `Checked only by billing-sim calibrate\n${indent(columns(calibrateOnly.map(({ id, title }) => [id, title])))}`,
  ];
}
