import type { OperationId } from '../../generated/billing-document.js';
import type { Heading } from '../report/headings.js';
import type { ClauseContext } from './session.js';

/**
 * `documented`: the specification says so, a violation fails. `inferred`: its words suggest it; warns, and fails only
 * under `--strict`. `open`: it is silent; what the target does is only observed.
 */
export type Level = 'documented' | 'inferred' | 'open';

/** One testable sentence of the specification. */
export interface Clause {
  /** Stable, such as `INV-CREATE-07`. */
  readonly id: string;
  readonly level: Level;
  /** The operation that it is about; null for those that are about none, or about all. */
  readonly operation: OperationId | null;
  /** The heading of the specification under which it stands. */
  readonly spec: Heading;
  /**
   * The words of the specification that the clause checks: a sentence, a row of a table or a line of code; `…` stands for
   * what was left out. A gap has none, since the specification is silent there.
   */
  readonly quote?: string;
  /** The promise, in one plain sentence. */
  readonly title: string;
  /**
   * Finds out whether the target keeps it: throws a Violation if not, returns what was observed of an open one.
   * In its place, why that cannot be found out from outside.
   */
  readonly check: Check | { readonly untestable: string };
}

export type Check = (context: ClauseContext) => Promise<unknown>;
