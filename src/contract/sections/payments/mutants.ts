import { dayMs } from '../../../lib/durations.js';
import type { JsonObject } from '../../engine/json.js';
import type { Interceptor } from '../../mutation/interceptor.js';
import {
  chain,
  onData,
  onList,
  onRequest,
  onRows,
  removeField,
  repeatFirstValue,
  rowsOf,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const paymentsPath = '/payments';

type Query = URLSearchParams;

/** Changes each payment of the list. */
const onListed =
  (change: (row: JsonObject) => void): (() => Interceptor) =>
  () =>
    onRows(paymentsPath, change);
/** Changes only payments that the suite did not make, since other clauses compare those that it made. */
const onOtherPayments = (change: (row: JsonObject) => void): (() => Interceptor) =>
  onListed((row) => {
    if (!/^contract/i.test(String(row['description']))) change(row);
  });
/** Returns a change of a field to a value computed from its current one. */
const changeField =
  (field: string, convert: (value: unknown) => unknown) =>
  (row: JsonObject): void =>
    void Object.assign(row, { [field]: convert(row[field]) });
const removeFromOtherPayments = (field: string): (() => Interceptor) =>
  onOtherPayments((row) => removeField(row, field));
const changeFieldOfOtherPayments = (field: string, convert: (value: unknown) => unknown): (() => Interceptor) =>
  onOtherPayments(changeField(field, convert));
const changeFieldOfAllPayments = (field: string, convert: (value: unknown) => unknown): (() => Interceptor) =>
  onListed(changeField(field, convert));

/** Adds a prefix to the descriptions of payments, and removes it from the filter `description`. */
function prefixDescription(): Interceptor {
  return chain(
    onRequest('GET', paymentsPath, ({ query }) => {
      const text = query.get('description');
      // Some filters of the suite omit the first letter of a description, which is now the `P` of the prefix.
      if (text !== null) query.set('description', text.replace(/^p?ayment for /i, ''));
    }),
    changeFieldOfAllPayments('description', (text) => `Payment for ${text}`)(),
  );
}

/** Replaces `paid_at` of all payments with a time that is a second later in each response. */
function setPaidAtToResponseTime(): Interceptor {
  let responseTime = Date.now();
  return onList(paymentsPath, (rows) => {
    responseTime += 1_000;
    const time = new Date(responseTime).toISOString();
    return rows.map((row) => (row['paid_at'] === null ? row : { ...row, paid_at: time }));
  });
}

/** Makes `payment_link_url` of a payment the URL of the newest link with the description of the payment. */
function showUrlOfNewestLink(): Interceptor {
  const urls = new Map<unknown, unknown>();
  return chain(
    onData('POST', '/payment-links', ({ description, url }) => urls.set(description, url)),
    onListed((row) => {
      const { description, payment_link_url: url } = row;
      Object.assign(row, { payment_link_url: urls.get(description) ?? url });
    })(),
  );
}

/** True if a query uses these filters and no others. */
const hasOnlyFilters =
  (...names: readonly string[]) =>
  (query: Query): boolean =>
    filters.every((name) => query.has(name) === names.includes(name));
const filters = ['description', 'status', 'from', 'to'];

/** Removes filters from the selected queries. */
const ignoreFilter =
  (isSelected: (query: Query) => boolean, ...names: readonly string[]): (() => Interceptor) =>
  () =>
    onRequest('GET', paymentsPath, ({ query }) => {
      if (isSelected(query)) for (const name of names) query.delete(name);
    });
/** Makes the list empty if these filters and no others are used. */
const findNothing =
  (...names: readonly string[]): (() => Interceptor) =>
  () =>
    onList(paymentsPath, (rows, { query }) => (hasOnlyFilters(...names)(query) ? [] : rows));
/** True if a query filters by this status only. */
const hasOnlyStatus =
  (status: string) =>
  (query: Query): boolean =>
    hasOnlyFilters('status')(query) && query.get('status') === status;

/** Replaces the matching rule of `description`, if it is the only filter. */
const replaceMatching = (matches: (row: JsonObject, text: string) => boolean) => (): Interceptor =>
  onList(paymentsPath, (rows, { query }) => {
    const text = query.get('description');
    return text === null || !hasOnlyFilters('description')(query) ? rows : rows.filter((row) => matches(row, text));
  });

/** True if `to` is in the past. */
const endsInPast = (query: Query): boolean => Date.parse(query.get('to') ?? '') < Date.now();

const tenYearsInDays = 3_653;

/** True if a payment was created in the last 24 hours. */
const wasCreatedInLastDay = (row: JsonObject): boolean => Date.parse(String(row['created_at'])) > Date.now() - dayMs;
const wasCreatedEarlier = (row: JsonObject): boolean => !wasCreatedInLastDay(row);

/** Values of `from` and `to` that include all payments. */
const wholeRange = { from: '1970-01-01', to: '2999-12-31' };

/** If a date is the only filter, it finds the selected payments instead of those that it should find. */
const replaceDateFilter =
  (name: 'from' | 'to', isFound: (row: JsonObject) => boolean): (() => Interceptor) =>
  () =>
    chain(
      onRequest('GET', paymentsPath, ({ query }) => {
        if (hasOnlyFilters(name)(query)) query.set(name, wholeRange[name]);
      }),
      onList(paymentsPath, (rows, { query }) => (query.get(name) === wholeRange[name] ? rows.filter(isFound) : rows)),
    );

const descriptionIn = (query: Query): string => query.get('description') ?? '';

/** Removes a character and all text after it from the filter `description`, as if they matched any text. */
const truncateBefore = (character: string) => (): Interceptor =>
  onRequest('GET', paymentsPath, ({ query }) => {
    const [before = ''] = descriptionIn(query).split(character);
    if (query.has('description')) query.set('description', before);
  });

/** Makes the filter `description` find nothing for the selected values. */
const findNothingFor =
  (isSelected: (text: string) => boolean): (() => Interceptor) =>
  () =>
    onList(paymentsPath, (rows, { query }) => (isSelected(descriptionIn(query)) ? [] : rows));

/** Lower-cases only ASCII letters. */
const lowerCaseAscii = (text: unknown): string => String(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Makes `total` keep its first value if no filter is used. */
function frozenTotal(): Interceptor {
  const change = repeatFirstValue('total');
  return onData('GET', paymentsPath, (page, { query }) => hasOnlyFilters()(query) && change(page));
}

/** Mutants of payments, each with the id of the clause that must detect it. */
export const paymentMutants: readonly Mutant[] = mutantsOf([
  [
    'PAY-LIST-21',
    'No payment is listed.',
    () => onData('GET', paymentsPath, (page) => void Object.assign(page, { data: [], total: 0 })),
  ],
  ['PAY-FIELD-01', 'The `id` of a payment is a string.', changeFieldOfOtherPayments('id', String)],
  ['PAY-FIELD-02', 'The `description` of a payment is null.', changeFieldOfOtherPayments('description', () => null)],
  [
    'PAY-FIELD-03',
    'The `amount` of a payment includes a currency symbol.',
    changeFieldOfOtherPayments('amount', (amount) => `${amount} €`),
  ],
  [
    'PAY-FIELD-04',
    'The `currency` of a payment is in lower case.',
    changeFieldOfOtherPayments('currency', (currency) => String(currency).toLowerCase()),
  ],
  [
    'PAY-FIELD-05',
    'A paid payment has the status `succeeded`.',
    changeFieldOfOtherPayments('status', (status) => (status === 'paid' ? 'succeeded' : status)),
  ],
  ['PAY-FIELD-06', 'Payments have no `payment_method`.', removeFromOtherPayments('payment_method')],
  [
    'PAY-FIELD-07',
    'The `payment_link_id` of a payment is a string.',
    changeFieldOfOtherPayments('payment_link_id', (id) => (id === null ? id : String(id))),
  ],
  ['PAY-FIELD-08', 'Payments have no `payment_link_url`.', removeFromOtherPayments('payment_link_url')],
  ['PAY-FIELD-09', 'Payments have no `reference`.', removeFromOtherPayments('reference')],
  ['PAY-FIELD-10', 'Payments have no `paid_at`.', changeFieldOfOtherPayments('paid_at', () => null)],
  [
    'PAY-FIELD-11',
    'The `created_at` of a payment is a date without a time.',
    changeFieldOfOtherPayments('created_at', (time) => String(time).slice(0, 10)),
  ],
  ['PAY-FIELD-12', 'Payments have no `customer`.', removeFromOtherPayments('customer')],
  ['PAY-FIELD-13', 'The customers of payments have no `id`.', removeFromOtherPayments('customer.id')],
  ['PAY-FIELD-14', 'The customers of payments have no `name`.', removeFromOtherPayments('customer.name')],
  ['PAY-FIELD-15', 'The customers of payments have no `email`.', removeFromOtherPayments('customer.email')],
  [
    'PAY-LINK-01',
    'A payment refers to the wrong link.',
    changeFieldOfAllPayments('payment_link_id', (id) => (id === null ? id : Number(id) + 1)),
  ],
  [
    'PAY-LINK-02',
    'The `payment_link_url` of a payment is not the URL of its link.',
    changeFieldOfAllPayments('payment_link_url', (url) => (url === null ? url : `${url}/pay`)),
  ],
  [
    'PAY-LINK-03',
    'All payments have the same description.',
    changeFieldOfAllPayments('description', () => 'A payment'),
  ],
  ['PAY-LINK-04', 'The description of a payment has a prefix.', prefixDescription],
  [
    'PAY-LINK-05',
    'The amounts of payments are in cents.',
    changeFieldOfAllPayments('amount', (amount) => Number(amount) * 100),
  ],
  ['PAY-LINK-06', 'All payments are in USD.', changeFieldOfAllPayments('currency', () => 'USD')],
  ['PAY-LINK-07', 'Payments are always `pending`.', changeFieldOfAllPayments('status', () => 'pending')],
  [
    'PAY-FILTER-01',
    '`description` matches only the whole text.',
    replaceMatching(({ description }, text) => toLowerCase(description) === toLowerCase(text)),
  ],
  [
    'PAY-FILTER-02',
    '`description` is case-sensitive.',
    replaceMatching(({ description }, text) => String(description).includes(text)),
  ],
  ['PAY-FILTER-03', '`description` alone is ignored.', ignoreFilter(hasOnlyFilters('description'), 'description')],
  ['PAY-FILTER-04', '`status=paid` alone is ignored.', ignoreFilter(hasOnlyStatus('paid'), 'status')],
  ['PAY-FILTER-05', '`status=open` alone is ignored.', ignoreFilter(hasOnlyStatus('open'), 'status')],
  ['PAY-FILTER-06', '`status=pending` alone is ignored.', ignoreFilter(hasOnlyStatus('pending'), 'status')],
  ['PAY-FILTER-07', '`status=failed` alone is ignored.', ignoreFilter(hasOnlyStatus('failed'), 'status')],
  ['PAY-FILTER-08', '`status` with `description` finds nothing.', findNothing('status', 'description')],
  [
    'PAY-FILTER-09',
    '`status` is ignored in combination with `description`.',
    ignoreFilter(hasOnlyFilters('status', 'description'), 'status'),
  ],
  [
    'PAY-FILTER-10',
    '`from` alone finds only payments of more than 24 hours ago.',
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
  ['PAY-LIST-22', 'The `total` of payments never changes.', frozenTotal],
  ['PAY-LINK-08', 'All payments are in EUR.', changeFieldOfAllPayments('currency', () => 'EUR')],
  [
    'PAY-LINK-09',
    'In descriptions of payments, non-ASCII characters become question marks.',
    changeFieldOfAllPayments('description', (text) => String(text).replace(/[^ -~]/gu, '?')),
  ],
  [
    'PAY-LINK-10',
    'The `payment_link_url` of a payment lacks the numeric suffix of its link.',
    changeFieldOfAllPayments('payment_link_url', (url) => (url === null ? url : String(url).replace(/-\d+$/, ''))),
  ],
  [
    'PAY-LINK-13',
    'The `payment_link_url` of a payment is the URL of the newest link with its description.',
    showUrlOfNewestLink,
  ],
  [
    'PAY-LINK-11',
    'Descriptions of payments are truncated to 140 characters.',
    changeFieldOfAllPayments('description', (text) => String(text).slice(0, 140)),
  ],
  ['PAY-LINK-12', 'The `paid_at` of a payment is the time of the response.', setPaidAtToResponseTime],
  [
    'PAY-FILTER-20',
    'A `description` with non-ASCII characters finds nothing.',
    findNothingFor((text) => /[^ -~]/u.test(text)),
  ],
  [
    'PAY-FILTER-21',
    '`description` is case-sensitive for non-ASCII letters.',
    replaceMatching(({ description }, text) => lowerCaseAscii(description).includes(lowerCaseAscii(text))),
  ],
  ['PAY-FILTER-22', 'A `description` with a parenthesis finds nothing.', findNothingFor((text) => text.includes('('))],
  ['PAY-FILTER-23', 'A `%` in `description`, with all that follows, stands for any text.', truncateBefore('%')],
  ['PAY-FILTER-24', 'A `_` in `description`, with all that follows, stands for any text.', truncateBefore('_')],
  ['PAY-FILTER-25', 'A `.` in `description`, with all that follows, stands for any text.', truncateBefore('.')],
  [
    'PAY-FILTER-26',
    'Ranges of more than ten years find nothing.',
    () => onList(paymentsPath, (rows, { query }) => (rangeDays(query) > tenYearsInDays ? [] : rows)),
  ],
  [
    'PAY-FILTER-27',
    'If `description` is used, `total` is 1,000.',
    () =>
      onData(
        'GET',
        paymentsPath,
        (page, { query }) => query.has('description') && Object.assign(page, { total: 1_000 }),
      ),
  ],
  [
    'PAY-FILTER-28',
    '`data.data` is an object if `description` is used.',
    () =>
      onData(
        'GET',
        paymentsPath,
        (page, { query }) => query.has('description') && Object.assign(page, { data: { ...rowsOf(page) } }),
      ),
  ],
  [
    'PAY-FILTER-29',
    '`data.data` is null if no payment matches.',
    () => onData('GET', paymentsPath, (page) => rowsOf(page).length === 0 && Object.assign(page, { data: null })),
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
    '`from` excludes its day if it is close to `to`.',
    () => onList(paymentsPath, (rows, { query }) => (rangeDays(query) <= 1 ? [] : rows)),
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
    'PAY-FILTER-37',
    'Without filters, the list has only payments that are `paid`.',
    () =>
      onList(paymentsPath, (rows, { query }) =>
        hasOnlyFilters()(query) ? rows.filter(({ status }) => status === 'paid') : rows,
      ),
  ],
]);

/** Number of days from `from` to `to`. */
function rangeDays(query: Query): number {
  return (Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '')) / dayMs;
}

function toLowerCase(text: unknown): string {
  return String(text).toLowerCase();
}
