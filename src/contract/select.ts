import { closest } from 'fastest-levenshtein';
import { CannotRun } from './cannot-run.js';
import type { Clause } from './clause.js';
import { clauses } from './clauses/index.js';

/**
 * The clauses of ids, or of what they begin with: `INV-CREATE` is all of `INV-CREATE-01` and so on. All where nothing is
 * asked for.
 * @throws CannotRun for what is no clause
 */
export function selected(only: readonly string[] | undefined): readonly Clause[] {
  if (only === undefined || only.length === 0) return clauses;
  const asked = only.map((text) => text.toUpperCase());
  const stray = asked.find((text) => !clauses.some((clause) => isMeant(clause, text)));
  if (stray !== undefined) {
    const near = closest(
      stray,
      clauses.map(({ id }) => id),
    );
    throw new CannotRun(`there is no clause ${stray}; did you mean ${near}? --list shows all`);
  }
  return clauses.filter((clause) => asked.some((text) => isMeant(clause, text)));
}

function isMeant({ id }: Clause, asked: string): boolean {
  return id === asked || id.startsWith(`${asked}-`);
}
