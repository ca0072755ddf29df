import type { Interceptor } from './interceptor.js';

/** A target with one defect, which the clause must detect. */
export interface Mutant {
  /** Id of the clause, which also identifies the mutant. */
  readonly clause: string;
  /** Describes the defect in one plain sentence. */
  readonly title: string;
  /** Called for each run, since an interceptor may keep state. */
  readonly createInterceptor: () => Interceptor;
  /** A clause to check first, if the own clause reads earlier responses and runs alone. */
  readonly after?: string;
}

export type Row = readonly [clause: string, title: string, createInterceptor: () => Interceptor, after?: string];

/** Mutants written as rows of a table. */
export function mutantsOf(rows: readonly Row[]): Mutant[] {
  return rows.map(([clause, title, createInterceptor, after]) => ({
    clause,
    title,
    createInterceptor,
    ...(after === undefined ? {} : { after }),
  }));
}

/** Number of a clause after so many others: `09`. */
export function numbered(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(2, '0')}`;
}
