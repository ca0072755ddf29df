import type { Clause } from '../../engine/clause.js';
import { captureQuotes } from '../field-quotes.js';

type Source = Pick<Clause, 'operation' | 'spec' | 'quote'>;

const captureSource: Source = {
  operation: 'captureDeposit',
  spec: 'POST /deposits/{id}/capture',
  quote: captureQuotes.amount,
};
const releaseSource: Source = {
  operation: 'releaseDeposit',
  spec: 'POST /deposits/{id}/release',
  quote: 'No body. Releases the remaining card authorization.',
};
const statusSource: Source = {
  operation: 'getDeposit',
  spec: 'States and transitions',
  quote: 'Statuses: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`.',
};

/** A clause that may leave out its operation, heading and quote where they follow from its id. */
export type LifecycleClause = Omit<Clause, keyof Source> & Partial<Source>;

/** Sources by the part of the clause id before the number. */
const sources: Readonly<Record<string, Source>> = {
  'DEP-CAPTURE': captureSource,
  'DEP-RELEASE': releaseSource,
  'DEP-STATE': statusSource,
  'DEP-READ': statusSource,
};

/** Completes a clause with the operation, heading and quote that follow from its id. */
export function withSource(clause: LifecycleClause): Clause {
  const source = sources[clause.id.replace(/-\d+$/, '')];
  if (!source) throw new Error(`no source for the clause ${clause.id}`);
  return { ...source, ...clause };
}
