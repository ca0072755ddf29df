import type { Interceptor } from './interceptor.js';

/** A target with one defect, which the clause must detect. */
export interface Mutant {
  /** Id of the clause, which also identifies the mutant. */
  readonly clause: string;
  /** Describes the defect in one plain sentence. */
  readonly title: string;
  /** Called for each run, since an interceptor may keep state. */
  readonly createInterceptor: () => Interceptor;
  /** A clause to check first if the mutant's clause runs alone, since it reads earlier responses. */
  readonly after?: string;
}

export type MutantRow = readonly [clause: string, title: string, createInterceptor: () => Interceptor, after?: string];

/** Creates mutants from the rows of a table. */
export function mutantsOf(rows: readonly MutantRow[]): Mutant[] {
  return rows.map(([clause, title, createInterceptor, after]) => ({
    clause,
    title,
    createInterceptor,
    ...(after === undefined ? {} : { after }),
  }));
}

/** Builds a clause id from its prefix and number: `INV-LIST-09`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(2, '0')}`;
}
