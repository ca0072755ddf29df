import { dayMs } from '../../../lib/durations.js';
import { valueAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import { combine, onData, onList, onRequest, recordsOf } from '../../mutation/interceptors.js';
import type { MutantRow } from '../../mutation/mutant.js';

const paymentsPath = '/payments';

type Query = URLSearchParams;

/** True if a query uses these filters and no others. */
export const hasOnlyFilters =
  (...names: readonly string[]) =>
  (query: Query): boolean =>
    filters.every((name) => query.has(name) === names.includes(name));
const filters = ['description', 'status', 'from', 'to'];

/** Removes filters from the selected queries. */
const ignoreFilter = (isSelected: (query: Query) => boolean, ...names: readonly string[]): Interceptor =>
  onRequest('GET', paymentsPath, ({ query }) => {
    if (isSelected(query)) for (const name of names) query.delete(name);
  });
/** Makes the list empty if these filters and no others are used. */
const findNothing = (...names: readonly string[]): Interceptor =>
  onList(paymentsPath, (records, { query }) => (hasOnlyFilters(...names)(query) ? [] : records));
/** True if a query filters by this status only. */
const hasOnlyStatus =
  (status: string) =>
  (query: Query): boolean =>
    hasOnlyFilters('status')(query) && query.get('status') === status;

/** Replaces the matching rule of `description`, if it is the only filter. */
const replaceDescriptionMatching = (matches: (record: JsonObject, text: string) => boolean): Interceptor =>
  onList(paymentsPath, (records, { query }) => {
    const text = query.get('description');
    return text === null || !hasOnlyFilters('description')(query)
      ? records
      : records.filter((record) => matches(record, text));
  });

/** True if `to` is in the past. */
const endsInPast = (query: Query): boolean => Date.parse(query.get('to') ?? '') < Date.now();

const tenYearsInDays = 3_653;

/** True if a payment was created in the last 24 hours. */
const wasCreatedInLastDay = (record: JsonObject): boolean =>
  Date.parse(String(record['created_at'])) > Date.now() - dayMs;
const wasCreatedEarlier = (record: JsonObject): boolean => !wasCreatedInLastDay(record);

/** Values of `from` and `to` that include all payments. */
const wholeRange = { from: '1970-01-01', to: '2999-12-31' };

/**
 * If a date filter is used alone, returns the selected payments instead of the correct ones. The value of `wholeRange`
 * makes the target return all payments, and marks the changed query.
 */
const replaceDateFilter = (name: 'from' | 'to', isFound: (record: JsonObject) => boolean): Interceptor =>
  combine(
    onRequest('GET', paymentsPath, ({ query }) => {
      if (hasOnlyFilters(name)(query)) query.set(name, wholeRange[name]);
    }),
    onList(paymentsPath, (records, { query }) =>
      query.get(name) === wholeRange[name] ? records.filter(isFound) : records,
    ),
  );

const descriptionIn = (query: Query): string => query.get('description') ?? '';

/** Cuts the `description` filter off at a character. */
const cutOffAt = (character: string): Interceptor =>
  onRequest('GET', paymentsPath, ({ query }) => {
    const [before = ''] = descriptionIn(query).split(character);
    if (query.has('description')) query.set('description', before);
  });

/** Makes the `description` filter find nothing for the selected values. */
const findNothingFor = (isSelected: (text: string) => boolean): Interceptor =>
  onList(paymentsPath, (records, { query }) => (isSelected(descriptionIn(query)) ? [] : records));

/** Ignores the `description` filter if its value is the name of a customer in an earlier response. */
function ignoreCustomerNames(): Interceptor {
  const names = new Set<unknown>();
  return combine(
    onRequest('GET', paymentsPath, ({ query }) => {
      if (names.has(query.get('description'))) query.delete('description');
    }),
    onList(paymentsPath, (records) => {
      for (const record of records) names.add(valueAt(record, 'customer.name'));
      return records;
    }),
  );
}

/** Lower-cases only ASCII letters. */
const lowerCaseAscii = (text: unknown): string => String(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Mutants for the clauses about filters of the list of payments (PAY-FILTER). */
export const paymentFilterMutants: readonly MutantRow[] = [
  [
    'PAY-FILTER-01',
    '`description` matches only the whole text.',
    replaceDescriptionMatching(({ description }, text) => toLowerCase(description) === toLowerCase(text)),
  ],
  [
    'PAY-FILTER-02',
    '`description` is case-sensitive.',
    replaceDescriptionMatching(({ description }, text) => String(description).includes(text)),
  ],
  [
    'PAY-FILTER-03',
    '`description` is ignored if it is the only filter.',
    ignoreFilter(hasOnlyFilters('description'), 'description'),
  ],
  [
    'PAY-FILTER-04',
    '`status=paid` is ignored if it is the only filter.',
    ignoreFilter(hasOnlyStatus('paid'), 'status'),
  ],
  [
    'PAY-FILTER-05',
    '`status=open` is ignored if it is the only filter.',
    ignoreFilter(hasOnlyStatus('open'), 'status'),
  ],
  [
    'PAY-FILTER-06',
    '`status=pending` is ignored if it is the only filter.',
    ignoreFilter(hasOnlyStatus('pending'), 'status'),
  ],
  [
    'PAY-FILTER-07',
    '`status=failed` is ignored if it is the only filter.',
    ignoreFilter(hasOnlyStatus('failed'), 'status'),
  ],
  ['PAY-FILTER-08', '`status` with `description` finds nothing.', findNothing('status', 'description')],
  [
    'PAY-FILTER-09',
    '`status` is ignored in combination with `description`.',
    ignoreFilter(hasOnlyFilters('status', 'description'), 'status'),
  ],
  [
    'PAY-FILTER-10',
    '`from` alone finds only payments created more than 24 hours ago.',
    replaceDateFilter('from', wasCreatedEarlier),
  ],
  ['PAY-FILTER-11', '`from` with `description` finds nothing.', findNothing('from', 'description')],
  [
    'PAY-FILTER-12',
    '`from` alone finds only payments of the last 24 hours.',
    replaceDateFilter('from', wasCreatedInLastDay),
  ],
  ['PAY-FILTER-13', '`to` with `description` finds nothing.', findNothing('to', 'description')],
  [
    'PAY-FILTER-14',
    '`to` alone finds only payments of the last 24 hours.',
    replaceDateFilter('to', wasCreatedInLastDay),
  ],
  ['PAY-FILTER-15', '`from` and `to` with `description` find nothing.', findNothing('from', 'to', 'description')],
  [
    'PAY-FILTER-16',
    '`to` is ignored in a range that ends in the past.',
    ignoreFilter((query) => hasOnlyFilters('from', 'to')(query) && endsInPast(query), 'to'),
  ],
  [
    'PAY-FILTER-17',
    '`from` is ignored in a range that ends in the future.',
    ignoreFilter((query) => hasOnlyFilters('from', 'to')(query) && !endsInPast(query), 'from'),
  ],
  ['PAY-FILTER-18', 'All filters together find nothing.', findNothing('description', 'status', 'from', 'to')],
  [
    'PAY-FILTER-19',
    '`from` and `to` are ignored in combination with all other filters.',
    ignoreFilter(hasOnlyFilters('description', 'status', 'from', 'to'), 'from', 'to'),
  ],
  [
    'PAY-FILTER-20',
    'A `description` with non-ASCII characters finds nothing.',
    findNothingFor((text) => /[^ -~]/u.test(text)),
  ],
  [
    'PAY-FILTER-21',
    '`description` is case-sensitive for non-ASCII letters.',
    replaceDescriptionMatching(({ description }, text) => lowerCaseAscii(description).includes(lowerCaseAscii(text))),
  ],
  ['PAY-FILTER-22', 'A `description` with a parenthesis finds nothing.', findNothingFor((text) => text.includes('('))],
  ['PAY-FILTER-23', '`description` is cut off at a `%`.', cutOffAt('%')],
  ['PAY-FILTER-24', '`description` is cut off at a `_`.', cutOffAt('_')],
  ['PAY-FILTER-25', '`description` is cut off at a `.`.', cutOffAt('.')],
  [
    'PAY-FILTER-26',
    'Ranges of more than ten years find nothing.',
    onList(paymentsPath, (records, { query }) => (rangeDays(query) > tenYearsInDays ? [] : records)),
  ],
  [
    'PAY-FILTER-27',
    'If `description` is used, `total` is 1,000.',
    onData('GET', paymentsPath, (page, { query }) => query.has('description') && Object.assign(page, { total: 1_000 })),
  ],
  [
    'PAY-FILTER-28',
    '`data.data` is an object if `description` is used.',
    onData(
      'GET',
      paymentsPath,
      (page, { query }) => query.has('description') && Object.assign(page, { data: { ...recordsOf(page) } }),
    ),
  ],
  [
    'PAY-FILTER-29',
    '`data.data` is null if no payment matches.',
    onData('GET', paymentsPath, (page) => recordsOf(page).length === 0 && Object.assign(page, { data: null })),
  ],
  [
    'PAY-FILTER-30',
    '`per_page` is ignored in combination with `status` and `description`.',
    ignoreFilter(hasOnlyFilters('status', 'description'), 'per_page'),
  ],
  [
    'PAY-FILTER-31',
    '`from` is ignored in combination with `description`.',
    ignoreFilter(hasOnlyFilters('description', 'from'), 'from'),
  ],
  [
    'PAY-FILTER-32',
    '`to` is ignored in combination with `description`.',
    ignoreFilter(hasOnlyFilters('description', 'to'), 'to'),
  ],
  [
    'PAY-FILTER-33',
    'Ranges of one day or less find nothing.',
    onList(paymentsPath, (records, { query }) => (rangeDays(query) <= 1 ? [] : records)),
  ],
  [
    'PAY-FILTER-34',
    '`status` is ignored in combination with `from`.',
    ignoreFilter(hasOnlyFilters('status', 'from'), 'status'),
  ],
  [
    'PAY-FILTER-35',
    '`to` is ignored in combination with `status`.',
    ignoreFilter(hasOnlyFilters('status', 'to'), 'to'),
  ],
  [
    'PAY-FILTER-36',
    'A `description` with an `@` finds all payments.',
    ignoreFilter((query) => descriptionIn(query).includes('@'), 'description'),
  ],
  [
    'PAY-FILTER-38',
    'A `description` of 0 is ignored.',
    ignoreFilter((query) => descriptionIn(query) === '0', 'description'),
  ],
  // A function, since the interceptor has state.
  ['PAY-FILTER-39', 'A `description` that is the name of a customer is ignored.', ignoreCustomerNames],
  [
    'PAY-FILTER-40',
    'A `description` is truncated to 50 characters.',
    onRequest('GET', paymentsPath, ({ query }) => {
      if (query.has('description')) query.set('description', descriptionIn(query).slice(0, 50));
    }),
  ],
  [
    'PAY-FILTER-41',
    'With `per_page=1`, a `description` finds nothing.',
    onList(paymentsPath, (records, { query }) =>
      query.get('per_page') === '1' && hasOnlyFilters('description')(query) ? [] : records,
    ),
  ],
  [
    'PAY-FILTER-42',
    '`status` is ignored in combination with `from` and `to`.',
    ignoreFilter(hasOnlyFilters('status', 'from', 'to'), 'status'),
  ],
  [
    'PAY-FILTER-37',
    'Without filters, the list has only payments that are `paid`.',
    onList(paymentsPath, (records, { query }) =>
      hasOnlyFilters()(query) ? records.filter(({ status }) => status === 'paid') : records,
    ),
  ],
];

/** Number of days from `from` to `to`. */
function rangeDays(query: Query): number {
  return (Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '')) / dayMs;
}

function toLowerCase(text: unknown): string {
  return String(text).toLowerCase();
}
