import { probableWord } from '../../lib/did-you-mean.js';
import { clauses } from '../sections/clauses.js';
import { CannotRun } from './cannot-run.js';
import type { Clause } from './clause.js';

/**
 * Selects clauses by id or a prefix of ids that ends before a hyphen: `INV-CREATE-01`, all of `INV-CREATE` (or
 * `INV-CREATE-`), or all of `INV`. Selects all if the list is missing or empty.
 * @throws CannotRun for an unknown id or prefix
 */
export function selectClauses(only: readonly string[] | undefined): readonly Clause[] {
  if (only === undefined || only.length === 0) return clauses;
  const requested = normalizeIds(only);
  const unknownIndex = requested.findIndex((text) => !clauses.some((clause) => matches(clause, text)));
  if (unknownIndex !== -1) {
    const hint = suggestionFor(requested[unknownIndex] ?? '');
    throw new CannotRun(`unknown clause ${only[unknownIndex]}; ${hint}?`, {
      cliHint: ' Run `billing-sim contract --list` to see them all.',
    });
  }
  return clauses.filter((clause) => requested.some((text) => matches(clause, text)));
}

/** Returns ids and prefixes of ids in the one spelling that reports have: `INV-STATS` for ` inv-stats-`. */
export function normalizeIds(only: readonly string[]): string[] {
  return only.map((text) => text.trim().toUpperCase().replace(/-+$/, ''));
}

function matches({ id }: Clause, requested: string): boolean {
  return id === requested || id.startsWith(`${requested}-`);
}

/** Suggests the id or prefix of ids that was probably meant; if none is similar, all first words of ids. */
function suggestionFor(unknown: string): string {
  const names = [...new Set(clauses.flatMap(({ id }) => [...prefixesOf(id), id]))];
  const probable = probableWord(unknown, names);
  if (probable !== undefined) return `did you mean ${probable}`;
  const firstWords = [...new Set(clauses.map(({ id }) => id.split('-', 1).join('')))];
  return `did you mean one of ${firstWords.join(', ')}`;
}

/** Lists the prefixes of an id: `INV` and `INV-CREATE` for `INV-CREATE-01`. */
function prefixesOf(id: string): string[] {
  const parts = id.split('-');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('-'));
}
