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

/** Completes a clause with the operation, heading and quote that follow from its id. */
export function withSource(clause: LifecycleClause): Clause {
  if (clause.id.startsWith('DEP-CAPTURE')) return { ...captureSource, ...clause };
  return { ...(clause.id.startsWith('DEP-RELEASE') ? releaseSource : statusSource), ...clause };
}
