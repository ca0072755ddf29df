import type { OperationId } from '../../generated/billing-document.js';
import type { Heading } from '../report/headings.js';
import type { ClauseContext } from './session.js';

/**
 * `documented`: the specification states it; a violation fails the run. `inferred`: the specification suggests it; a
 * violation only warns, unless the run is strict. `open`: the specification does not say; the suite only observes.
 */
export type Level = 'documented' | 'inferred' | 'open';

/** A requirement of the specification, or an open question that it leaves, and how to check it. */
export interface Clause {
  /** Stable id, such as `INV-CREATE-07`. */
  readonly id: string;
  readonly level: Level;
  /** Operation under test; null if the clause is not about a single operation. */
  readonly operation: OperationId | null;
  /** Heading of the specification under which the requirement is stated. */
  readonly spec: Heading;
  /**
   * Quote from the specification: a sentence, a table row or a line of code; `…` marks an omission. A clause about a
   * gap, which is a question that the specification does not answer, has none.
   */
  readonly quote?: string;
  /** Requirement, in one plain sentence. */
  readonly title: string;
  /**
   * True if the clause examines the responses to the requests of other clauses, too. Such clauses are checked after
   * those that send the requests. Until all of those have a final result, the result of this clause is provisional,
   * unless it is a violation.
   */
  readonly readsEarlierResponses?: boolean;
  /** Function that checks the requirement, or the reason why it cannot be tested from outside. */
  readonly check: Check | { readonly untestable: string };
}

/**
 * Checks a requirement.
 * @returns for an open clause, the observed behavior; the result of any other clause is ignored
 * @throws Violation if the target violates the clause; Skip if the run or the target's account
 *   lacks something that the clause needs; Blocked if an earlier step of the clause failed
 */
export type Check = (context: ClauseContext) => Promise<unknown>;

/** Builds a clause id from its prefix and number: `INV-LIST-09`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(2, '0')}`;
}
