import { numberedId } from '../../engine/clause.js';
import type { InterceptedRequest, Interceptor } from '../../mutation/interceptor.js';
import { onData, onList, onRequest, recordsOf } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';
import { depositStatuses } from '../deposits/setups.js';

const depositsPath = '/deposits';

const filters = ['booking_reference', 'status'];

/** True if a request uses exactly these filters. */
const hasOnlyFilters = ({ query }: InterceptedRequest, ...names: readonly string[]): boolean =>
  filters.every((name) => query.has(name) === names.includes(name));

/** Removes a filter from the selected requests for the list. */
const ignoreFilter = (name: string, isSelected: (request: InterceptedRequest) => boolean): Interceptor =>
  onRequest('GET', depositsPath, (request) => isSelected(request) && request.query.delete(name));
/** Makes the list empty if exactly these filters are used. */
const findNothing = (...names: readonly string[]): Interceptor =>
  onList(depositsPath, (records, request) => (hasOnlyFilters(request, ...names) ? [] : records));

/** Mutants for the clauses about filters of the list of deposits (DEP-FILTER). */
export const depositFilterMutants: readonly MutantRow[] = [
  ['DEP-FILTER-01', '`booking_reference` alone finds nothing.', findNothing('booking_reference')],
  [
    'DEP-FILTER-02',
    '`booking_reference` is ignored if it is the only filter.',
    ignoreFilter('booking_reference', (request) => hasOnlyFilters(request, 'booking_reference')),
  ],
  ...depositStatuses.map(
    (status, index): MutantRow => [
      numberedId('DEP-FILTER', 3 + index),
      `The filter \`status=${status}\` of deposits is ignored if it is the only filter.`,
      ignoreFilter('status', (request) => hasOnlyFilters(request, 'status') && request.query.get('status') === status),
    ],
  ),
  [
    'DEP-FILTER-12',
    'A `%` in `booking_reference` stands for any text.',
    onRequest('GET', depositsPath, ({ query }) => {
      // The clause searches for the run's prefix and `%`; the suite's deposit has the prefix and ` booking`.
      const text = query.get('booking_reference') ?? '';
      if (text.endsWith('%')) query.set('booking_reference', `${text.slice(0, -1)} booking`);
    }),
  ],
  [
    'DEP-FILTER-19',
    'If `booking_reference` is used, `total` is 1,000.',
    onData(
      'GET',
      depositsPath,
      (page, { query }) => query.has('booking_reference') && Object.assign(page, { total: 1_000 }),
    ),
  ],
  [
    'DEP-FILTER-17',
    'A `_` in `booking_reference` stands for a space.',
    onRequest('GET', depositsPath, ({ query }) => {
      const text = query.get('booking_reference');
      if (text !== null) query.set('booking_reference', text.replaceAll('_', ' '));
    }),
  ],
  [
    'DEP-FILTER-18',
    'A leading zero in `booking_reference` is ignored.',
    onRequest('GET', depositsPath, ({ query }) => {
      const text = query.get('booking_reference') ?? '';
      if (/^0\d+$/.test(text)) query.set('booking_reference', text.slice(1));
    }),
  ],
  [
    'DEP-FILTER-13',
    'A `booking_reference` with non-ASCII characters finds nothing.',
    onList(depositsPath, (records, { query }) => (/[^ -~]/u.test(query.get('booking_reference') ?? '') ? [] : records)),
  ],
  [
    'DEP-FILTER-14',
    '`status` matches only the initial status.',
    onList(depositsPath, (records, { query }) => ((query.get('status') ?? 'pending') === 'pending' ? records : [])),
  ],
  [
    'DEP-FILTER-10',
    '`status` and `booking_reference` together find nothing.',
    findNothing('booking_reference', 'status'),
  ],
  [
    'DEP-FILTER-11',
    '`status` is ignored in combination with `booking_reference`.',
    ignoreFilter('status', (request) => hasOnlyFilters(request, 'booking_reference', 'status')),
  ],
  [
    'DEP-FILTER-15',
    '`data.data` of the list of deposits is null if no deposit matches.',
    onData('GET', depositsPath, (page) => recordsOf(page).length === 0 && Object.assign(page, { data: null })),
    { runsAfter: 'DEP-FILTER-02' },
  ],
  [
    'DEP-FILTER-16',
    '`status=authorized` is ignored in combination with `booking_reference`.',
    ignoreFilter(
      'status',
      (request) =>
        hasOnlyFilters(request, 'booking_reference', 'status') && request.query.get('status') === 'authorized',
    ),
  ],
];
