import type { Interceptor } from './interceptor.js';

/** A simulated defect of the target, which one clause must detect. */
export interface Mutant {
  /** Id of that clause, which also identifies the mutant. */
  readonly clause: string;
  /** Describes the defect in one plain sentence. */
  readonly title: string;
  /** Creates the interceptor that causes the defect. Each run needs a new one, because interceptors may keep state. */
  readonly createInterceptor: () => Interceptor;
  /** Id of another clause that must run first: the mutant's clause examines the responses to that clause's requests. */
  readonly runsAfter?: string;
}

/** A mutant as a row of a table: with its interceptor or, if that keeps state, with a function that creates one. */
export type MutantRow = readonly [
  clauseId: string,
  title: string,
  interceptor: Interceptor | (() => Interceptor),
  options?: Pick<Mutant, 'runsAfter'>,
];

/** Creates mutants from the rows of a table. */
export function mutantsFromRows(rows: readonly MutantRow[]): Mutant[] {
  return rows.map(([clause, title, interceptor, options]) => ({
    clause,
    title,
    createInterceptor: typeof interceptor === 'function' ? interceptor : () => interceptor,
    ...options,
  }));
}
