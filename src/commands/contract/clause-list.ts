import type { Clause } from '../../contract/engine/clause.js';
import { headingsOf } from '../../contract/report/headings.js';
import { columns, countOf } from '../support/output.js';

/** JSON form of a clause. */
interface ListedClause extends Omit<Clause, 'check'> {
  /** Why it cannot be tested from outside; null if it can. */
  readonly untestable: string | null;
}

/** JSON of the clauses, and of the open points that only `calibrate` checks. */
export function clauseListJson(
  clauses: readonly Clause[],
  calibrate: readonly Clause[],
): { clauses: ListedClause[]; calibrate: ListedClause[] } {
  return { clauses: clauses.map(listed), calibrate: calibrate.map(listed) };
}

function listed({ id, level, operation, spec, quote, title, check }: Clause): ListedClause {
  const untestable = typeof check === 'object' ? check.untestable : null;
  return { id, level, operation, spec, ...(quote === undefined ? {} : { quote }), title, untestable };
}

/** Text of the clauses, one table for each heading of the specification. */
export function formatClauseList(chosen: readonly Clause[], calibrate: readonly Clause[]): string {
  const clauses = chosen.map(listed);
  const tables = headingsOf(clauses).map((heading) => {
    const rows = clauses
      .filter(({ spec }) => spec === heading)
      .map(({ id, level, title, untestable }) => [
        id,
        level,
        untestable === null ? title : `${title} (cannot be tested from outside: ${untestable})`,
      ]);
    return `${heading}\n${indented(columns(rows))}`;
  });
  const levels = (['documented', 'inferred', 'open'] as const)
    .map((level) => [clauses.filter((clause) => clause.level === level).length, level])
    .filter(([count]) => count !== 0)
    .map(([count, level]) => `${count} ${level}`);
  const untestable = clauses.filter((clause) => clause.untestable !== null).length;
  const sum = `${countOf(clauses.length, 'clause')}: ${levels.join(', ')}; ${untestable} of them cannot be tested from outside`;
  return [...tables, ...toCalibrate(calibrate), sum].join('\n\n');
}

function toCalibrate(calibrate: readonly Clause[]): string[] {
  if (calibrate.length === 0) return [];
  return [`Checked only by billing-sim calibrate\n${indented(columns(calibrate.map(({ id, title }) => [id, title])))}`];
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
