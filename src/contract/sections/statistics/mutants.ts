import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  fieldConverter,
  fieldCopier,
  fieldIncrementer,
  fieldRemover,
  fieldSetter,
  firstValueRepeater,
  onData,
  refuseFullToken,
} from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

const onStatistics = (change: (statistics: JsonObject) => void): Interceptor =>
  onData('GET', '/invoices/stats', change);
/** Makes a field of the statistics keep its first value. */
const freezeStatistic = (field: string) => (): Interceptor => onStatistics(firstValueRepeater(field));

/** Mutants for the clauses about statistics (INV-STATS). */
export const statisticsMutants: readonly MutantRow[] = [
  [
    'INV-STATS-01',
    '`/invoices/stats` returns 404 to a token with both scopes, as if `stats` were the id of an invoice.',
    refuseFullToken('GET', '/invoices/stats', 404),
  ],
  ['INV-STATS-02', '`total_invoices` is a string.', onStatistics(fieldConverter('total_invoices', String))],
  ['INV-STATS-03', 'The statistics lack `pending_invoices`.', onStatistics(fieldRemover('pending_invoices'))],
  ['INV-STATS-04', '`paid_invoices` is negative.', onStatistics(fieldSetter({ paid_invoices: -1 }))],
  ['INV-STATS-05', '`overdue_invoices` is not an integer.', onStatistics(fieldSetter({ overdue_invoices: 1.5 }))],
  [
    'INV-STATS-06',
    '`total_outstanding` is in German format.',
    onStatistics(fieldSetter({ total_outstanding: '1.234,50' })),
  ],
  ['INV-STATS-07', 'The statistics lack `total_overdue`.', onStatistics(fieldRemover('total_overdue'))],
  [
    'INV-STATS-08',
    'The currency of the statistics is a currency symbol.',
    onStatistics(fieldSetter({ currency: '€' })),
  ],
  ['INV-STATS-09', 'New invoices are not counted.', freezeStatistic('total_invoices')],
  [
    'INV-STATS-10',
    'Paid invoices are not counted in `total_invoices`.',
    onStatistics((statistics) =>
      Object.assign(statistics, {
        total_invoices: Number(statistics['total_invoices']) - Number(statistics['paid_invoices']),
      }),
    ),
  ],
  ['INV-STATS-11', 'New invoices are not counted in `pending_invoices`.', freezeStatistic('pending_invoices')],
  ['INV-STATS-12', 'New invoices are not included in `total_outstanding`.', freezeStatistic('total_outstanding')],
  [
    'INV-STATS-13',
    '`overdue_invoices` is the number of pending invoices.',
    onStatistics(fieldCopier('pending_invoices', 'overdue_invoices')),
  ],
  [
    'INV-STATS-14',
    '`total_overdue` includes all unpaid invoices.',
    onStatistics(fieldCopier('total_outstanding', 'total_overdue')),
  ],
  ['INV-STATS-15', 'Payments are not counted.', freezeStatistic('paid_invoices')],
  ['INV-STATS-16', 'Paid invoices are still included in `total_outstanding`.', keepHighest('total_outstanding')],
  ['INV-STATS-22', 'Paid invoices are still counted in `pending_invoices`.', keepHighest('pending_invoices')],
  ['INV-STATS-23', 'Paid invoices are still included in `total_overdue`.', keepHighest('total_overdue')],
  ['INV-STATS-24', 'Paid invoices are still counted in `overdue_invoices`.', keepHighest('overdue_invoices')],
  ['INV-STATS-25', '`overdue_invoices` never changes.', freezeStatistic('overdue_invoices')],
  ['INV-STATS-26', '`total_overdue` never changes.', freezeStatistic('total_overdue')],
  [
    'INV-STATS-27',
    'Overdue invoices are not included in `total_outstanding`.',
    onStatistics((statistics) =>
      Object.assign(statistics, {
        total_outstanding: Number(statistics['total_outstanding']) - Number(statistics['total_overdue']),
      }),
    ),
  ],
  [
    'INV-STATS-30',
    '`paid_invoices` also counts all unpaid invoices.',
    onStatistics(fieldCopier('total_invoices', 'paid_invoices')),
  ],
  ['INV-STATS-31', 'Every payment is counted twice in `paid_invoices`.', doubleChanges('paid_invoices')],
  [
    'INV-STATS-32',
    '`total_outstanding` changes by twice the amount of each new and each paid invoice.',
    doubleChanges('total_outstanding'),
  ],
  ['INV-STATS-33', 'Every paid invoice lowers `overdue_invoices` by one.', lowerWithPayments('overdue_invoices')],
  ['INV-STATS-34', 'Every paid invoice lowers `total_overdue` by one.', lowerWithPayments('total_overdue')],
  [
    'INV-STATS-35',
    '`total_overdue` includes an amount that belongs to no invoice.',
    onStatistics(fieldConverter('total_overdue', (sum) => Number(sum) + 100_000)),
  ],
  ['INV-STATS-17', '`total_invoices` is too high by one.', onStatistics(fieldIncrementer('total_invoices'))],
  ['INV-STATS-18', '`overdue_invoices` is always 0.', onStatistics(fieldSetter({ overdue_invoices: 0 }))],
  ['INV-STATS-19', '`overdue_invoices` is too high by one.', onStatistics(fieldIncrementer('overdue_invoices'))],
  ['INV-STATS-28', '`paid_invoices` is too high by one.', onStatistics(fieldIncrementer('paid_invoices'))],
  [
    'INV-STATS-29',
    '`total_outstanding` includes an amount that belongs to no invoice.',
    onStatistics(fieldConverter('total_outstanding', (sum) => Number(sum) + 100_000)),
  ],
  [
    'INV-STATS-36',
    '`pending_invoices` also counts paid invoices.',
    onStatistics(fieldCopier('total_invoices', 'pending_invoices')),
  ],
  [
    'INV-STATS-20',
    '`total_invoices` counts only pending invoices.',
    onStatistics(fieldCopier('pending_invoices', 'total_invoices')),
  ],
  [
    'INV-STATS-21',
    '`total_outstanding` is less than `total_overdue`.',
    onStatistics(fieldSetter({ total_outstanding: 1 })),
  ],
];

/** Makes a field of the statistics show its highest value so far. */
function keepHighest(field: string): () => Interceptor {
  return () => {
    let highest = 0;
    return onStatistics((statistics) => {
      highest = Math.max(highest, Number(statistics[field]));
      statistics[field] = highest;
    });
  };
}

/** Doubles the changes of a field since its first value. */
function doubleChanges(field: string): () => Interceptor {
  return () => {
    let first: number | undefined;
    return onStatistics((statistics) => {
      const value = Number(statistics[field]);
      first ??= value;
      statistics[field] = 2 * value - first;
    });
  };
}

/** Lowers a field by the number of paid invoices. */
function lowerWithPayments(field: string): Interceptor {
  return onStatistics((statistics) =>
    Object.assign(statistics, { [field]: Number(statistics[field]) - Number(statistics['paid_invoices']) }),
  );
}
