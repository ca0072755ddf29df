import type { Interceptor } from './interceptor.js';

/** A target that breaks one promise. The clause that makes the promise has to see it. */
export interface Mutant {
  /** The id of that clause, by which the mutant is known, too. */
  readonly clause: string;
  /** Describes such a target in one plain sentence. */
  readonly title: string;
  /** Called for each run: an interceptor may keep state. */
  readonly createInterceptor: () => Interceptor;
  /** A clause that is checked before, where its own looks at what was answered so far, and is checked alone. */
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

/** The number of a clause after so many others: `09`. */
export function numbered(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(2, '0')}`;
}
