import type { OperationId } from '../../generated/billing-document.js';
import type { Heading } from '../report/headings.js';
import type { ClauseContext } from './session.js';

/**
 * `documented`: stated by the specification; a violation fails. `inferred`: suggested by it; warns, and fails only
 * under `--strict`. `open`: left open; the behaviour is only observed.
 */
export type Level = 'documented' | 'inferred' | 'open';

/** One testable sentence of the specification. */
export interface Clause {
  /** Stable id, such as `INV-CREATE-07`. */
  readonly id: string;
  readonly level: Level;
  /** Operation under test; null for none in particular. */
  readonly operation: OperationId | null;
  /** Heading of the specification that it belongs to. */
  readonly spec: Heading;
  /** Quote of the specification: a sentence, a table row or a line of code; `…` marks an omission. A gap has none. */
  readonly quote?: string;
  /** Requirement, in one plain sentence. */
  readonly title: string;
  /**
   * Checks the requirement: throws a Violation, or returns the observation for an open clause. Otherwise the reason why
   * it cannot be tested from outside.
   */
  readonly check: Check | { readonly untestable: string };
}

export type Check = (context: ClauseContext) => Promise<unknown>;
