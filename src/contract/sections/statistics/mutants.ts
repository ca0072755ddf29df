import type { Interceptor, Json } from '../../mutation/interceptor.js';
import { asText, drop, onAnswer, onRecord, put, refuse, stuck } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const stats =
  (change: (figures: Json) => void): (() => Interceptor) =>
  () =>
    onRecord('GET', '/invoices/stats', change);
const statsStuck = (field: string) => (): Interceptor => onRecord('GET', '/invoices/stats', stuck(field));

/** Mutants of statistics. */
export const statisticsMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-STATS-01',
    'With a token of both scopes, `stats` is taken for the id of an invoice.',
    () => onAnswer('GET', '/invoices/stats', (response, { token }) => token === 'full' && refuse(response, 404)),
  ],
  ['INV-STATS-02', 'The number of all invoices is a text.', stats(asText('total_invoices'))],
  ['INV-STATS-03', 'The statistics lack `pending_invoices`.', stats((figures) => drop(figures, 'pending_invoices'))],
  ['INV-STATS-04', 'Less than no invoice is paid.', stats((figures) => put(figures, { paid_invoices: -1 }))],
  ['INV-STATS-05', 'One and a half invoices are overdue.', stats((figures) => put(figures, { overdue_invoices: 1.5 }))],
  [
    'INV-STATS-06',
    'What is outstanding is written as in Germany.',
    stats((figures) => put(figures, { total_outstanding: '1.234,50' })),
  ],
  ['INV-STATS-07', 'The statistics lack `total_overdue`.', stats((figures) => drop(figures, 'total_overdue'))],
  ['INV-STATS-08', 'The currency of the statistics is a sign.', stats((figures) => put(figures, { currency: '€' }))],
  ['INV-STATS-09', 'New invoices are not counted.', statsStuck('total_invoices')],
  [
    'INV-STATS-10',
    'Paid invoices are not counted among all.',
    stats((figures) =>
      put(figures, { total_invoices: Number(figures['total_invoices']) - Number(figures['paid_invoices']) }),
    ),
  ],
  ['INV-STATS-11', 'New invoices are not counted among the pending ones.', statsStuck('pending_invoices')],
  ['INV-STATS-12', 'New invoices add nothing to what is outstanding.', statsStuck('total_outstanding')],
  [
    'INV-STATS-13',
    'Pending invoices count as overdue.',
    stats((figures) => put(figures, { overdue_invoices: figures['pending_invoices'] })),
  ],
  [
    'INV-STATS-14',
    'All that is outstanding counts as overdue.',
    stats((figures) => put(figures, { total_overdue: figures['total_outstanding'] })),
  ],
  ['INV-STATS-15', 'Payments are not counted.', statsStuck('paid_invoices')],
  ['INV-STATS-16', 'What was paid is still outstanding.', neverLess('total_outstanding')],
  ['INV-STATS-22', 'What was paid is still pending.', neverLess('pending_invoices')],
  ['INV-STATS-23', 'What was paid is still in the sum of what is overdue.', neverLess('total_overdue')],
  ['INV-STATS-24', 'What was paid still counts as overdue.', neverLess('overdue_invoices')],
  ['INV-STATS-25', 'The number of overdue invoices stays what it was at first.', statsStuck('overdue_invoices')],
  ['INV-STATS-26', 'The sum of overdue invoices stays what it was at first.', statsStuck('total_overdue')],
  [
    'INV-STATS-27',
    'What is overdue does not count as outstanding.',
    stats((figures) =>
      put(figures, { total_outstanding: Number(figures['total_outstanding']) - Number(figures['total_overdue']) }),
    ),
  ],
  [
    'INV-STATS-17',
    'One more invoice is counted than is listed.',
    stats((figures) => put(figures, { total_invoices: Number(figures['total_invoices']) + 1 })),
  ],
  [
    'INV-STATS-18',
    'Nothing is ever overdue by the statistics.',
    stats((figures) => put(figures, { overdue_invoices: 0 })),
  ],
  [
    'INV-STATS-19',
    'One more invoice is overdue than is listed.',
    stats((figures) => put(figures, { overdue_invoices: Number(figures['overdue_invoices']) + 1 })),
  ],
  [
    'INV-STATS-20',
    'As many invoices are paid as there are.',
    stats((figures) => put(figures, { paid_invoices: figures['total_invoices'] })),
  ],
  ['INV-STATS-21', 'Less is outstanding than is overdue.', stats((figures) => put(figures, { total_outstanding: 1 }))],
]);

/** A number that never decreases. */
function neverLess(field: string): () => Interceptor {
  return () => {
    let most = 0;
    return onRecord('GET', '/invoices/stats', (figures) => {
      most = Math.max(most, Number(figures[field]));
      figures[field] = most;
    });
  };
}
