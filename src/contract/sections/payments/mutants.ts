import type { Interceptor, Json } from '../../mutation/interceptor.js';
import { chain, keepFirst, onList, onRecord, onRequest, onRows, removeField } from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';

const payments = '/payments';

type Query = URLSearchParams;

const on =
  (change: (row: Json) => void): (() => Interceptor) =>
  () =>
    onRows(payments, change);
/** Changes payments that the suite did not create: other clauses compare its own. */
const onOthers = (change: (row: Json) => void): (() => Interceptor) =>
  on((row) => {
    if (!/^contract/i.test(String(row['description']))) change(row);
  });
const written =
  (field: string, write: (value: unknown) => unknown) =>
  (row: Json): void =>
    void Object.assign(row, { [field]: write(row[field]) });
const without = (field: string): (() => Interceptor) => onOthers((row) => removeField(row, field));
const older = (field: string, write: (value: unknown) => unknown): (() => Interceptor) =>
  onOthers(written(field, write));
const as = (field: string, write: (value: unknown) => unknown): (() => Interceptor) => on(written(field, write));

/** Text before a description is part of what `description` matches. */
function prefixDescription(): Interceptor {
  return chain(
    onRequest('GET', payments, ({ query }) => {
      const text = query.get('description');
      if (text !== null) query.set('description', text.replace(/^p?ayment for /i, ''));
    }),
    as('description', (text) => `Payment for ${text}`)(),
  );
}

/** Whether exactly these filters are used. */
const given =
  (...names: readonly string[]) =>
  (query: Query): boolean =>
    filters.every((name) => query.has(name) === names.includes(name));
const filters = ['description', 'status', 'from', 'to'];

/** Ignores a filter in combination with exactly some others. */
const ignoreFilter =
  (isSelected: (query: Query) => boolean, ...names: readonly string[]): (() => Interceptor) =>
  () =>
    onRequest('GET', payments, ({ query }) => {
      if (isSelected(query)) for (const name of names) query.delete(name);
    });
/** Finds nothing if exactly these filters are used. */
const findNothing =
  (...names: readonly string[]): (() => Interceptor) =>
  () =>
    onList(payments, (rows, { query }) => (given(...names)(query) ? [] : rows));
const withStatus =
  (status: string) =>
  (query: Query): boolean =>
    given('status')(query) && query.get('status') === status;

/** Replaces the matching rule of `description`, if it is the only filter. */
const matching = (matches: (row: Json, text: string) => boolean) => (): Interceptor =>
  onList(payments, (rows, { query }) => {
    const text = query.get('description');
    return text === null || !given('description')(query) ? rows : rows.filter((row) => matches(row, text));
  });

/** Whether a range of days ends before today. */
const isPast = (query: Query): boolean => Date.parse(query.get('to') ?? '') < Date.now();

const day = 86_400_000;

const isOfToday = (row: Json): boolean => Date.parse(String(row['created_at'])) > Date.now() - day;
const isOlder = (row: Json): boolean => !isOfToday(row);

const everything = { from: '1970-01-01', to: '2999-12-31' };

/** A filter that also finds what it should exclude, if it is the only one. */
const widenFilter =
  (name: 'from' | 'to', isFound: (row: Json) => boolean): (() => Interceptor) =>
  () =>
    chain(
      onRequest('GET', payments, ({ query }) => {
        if (given(name)(query)) query.set(name, everything[name]);
      }),
      onList(payments, (rows, { query }) => (query.get(name) === everything[name] ? rows.filter(isFound) : rows)),
    );

const textOf = (query: Query): string => query.get('description') ?? '';

/** Matches only the part of a description before a character. */
const upTo = (sign: string) => (): Interceptor =>
  onRequest('GET', payments, ({ query }) => {
    const [before = ''] = textOf(query).split(sign);
    if (query.has('description')) query.set('description', before);
  });

/** `description` finds nothing if it contains some text. */
const findNoText =
  (isLost: (text: string) => boolean): (() => Interceptor) =>
  () =>
    onList(payments, (rows, { query }) => (isLost(textOf(query)) ? [] : rows));

const inAsciiCase = (text: unknown): string => String(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The `total` of a page stays the first one of all payments. */
function frozenTotal(): Interceptor {
  const change = keepFirst('total');
  return onRecord('GET', payments, (page, { query }) => given()(query) && change(page));
}

/** Mutants of payments. */
export const paymentMutants: readonly Mutant[] = mutantsOf([
  [
    'PAY-LIST-21',
    'No payment is listed.',
    () => onRecord('GET', payments, (page) => void Object.assign(page, { data: [], total: 0 })),
  ],
  ['PAY-FIELD-01', 'The `id` of a payment is a text.', older('id', String)],
  ['PAY-FIELD-02', 'The `description` of a payment is null.', older('description', () => null)],
  ['PAY-FIELD-03', 'The `amount` of a payment has a sign.', older('amount', (amount) => `${amount} €`)],
  [
    'PAY-FIELD-04',
    'The `currency` of a payment is in lower case.',
    older('currency', (currency) => String(currency).toLowerCase()),
  ],
  [
    'PAY-FIELD-05',
    'A paid payment has the status `succeeded`.',
    older('status', (status) => (status === 'paid' ? 'succeeded' : status)),
  ],
  ['PAY-FIELD-06', 'Payments have no `payment_method`.', without('payment_method')],
  [
    'PAY-FIELD-07',
    'The `payment_link_id` of a payment is a text.',
    older('payment_link_id', (id) => (id === null ? id : String(id))),
  ],
  ['PAY-FIELD-08', 'Payments have no `payment_link_url`.', without('payment_link_url')],
  ['PAY-FIELD-09', 'Payments have no `reference`.', without('reference')],
  ['PAY-FIELD-10', 'Payments have no `paid_at`.', older('paid_at', () => null)],
  ['PAY-FIELD-11', 'The `created_at` of a payment is a day.', older('created_at', (time) => String(time).slice(0, 10))],
  ['PAY-FIELD-12', 'Payments have no `customer`.', without('customer')],
  ['PAY-FIELD-13', 'The customers of payments have no `id`.', without('customer.id')],
  ['PAY-FIELD-14', 'The customers of payments have no `name`.', without('customer.name')],
  ['PAY-FIELD-15', 'The customers of payments have no `email`.', without('customer.email')],
  [
    'PAY-LINK-01',
    'A payment refers to the wrong link.',
    as('payment_link_id', (id) => (id === null ? id : Number(id) + 1)),
  ],
  [
    'PAY-LINK-02',
    'A payment has another URL than its link.',
    as('payment_link_url', (url) => (url === null ? url : `${url}/pay`)),
  ],
  ['PAY-LINK-03', 'All payments have the same description.', as('description', () => 'A payment')],
  ['PAY-LINK-04', 'The description of a payment has a prefix.', prefixDescription],
  ['PAY-LINK-05', 'Payments are in cents.', as('amount', (amount) => Number(amount) * 100)],
  ['PAY-LINK-06', 'All payments are in USD.', as('currency', () => 'USD')],
  ['PAY-LINK-07', 'Payments stay pending.', as('status', () => 'pending')],
  [
    'PAY-FILTER-01',
    '`description` matches only the whole text.',
    matching(({ description }, text) => caseFolded(description) === caseFolded(text)),
  ],
  [
    'PAY-FILTER-02',
    '`description` is case-sensitive.',
    matching(({ description }, text) => String(description).includes(text)),
  ],
  ['PAY-FILTER-03', '`description` alone is ignored.', ignoreFilter(given('description'), 'description')],
  ['PAY-FILTER-04', '`status=paid` alone is ignored.', ignoreFilter(withStatus('paid'), 'status')],
  ['PAY-FILTER-05', '`status=open` alone is ignored.', ignoreFilter(withStatus('open'), 'status')],
  ['PAY-FILTER-06', '`status=pending` alone is ignored.', ignoreFilter(withStatus('pending'), 'status')],
  ['PAY-FILTER-07', '`status=failed` alone is ignored.', ignoreFilter(withStatus('failed'), 'status')],
  ['PAY-FILTER-08', '`status` with `description` finds nothing.', findNothing('status', 'description')],
  [
    'PAY-FILTER-09',
    '`status` is ignored beside `description`.',
    ignoreFilter(given('status', 'description'), 'status'),
  ],
  ['PAY-FILTER-10', '`from` alone finds just what is older.', widenFilter('from', isOlder)],
  ['PAY-FILTER-11', '`from` with `description` finds nothing.', findNothing('from', 'description')],
  ['PAY-FILTER-12', '`from` alone finds just what is of today.', widenFilter('from', isOfToday)],
  ['PAY-FILTER-13', '`to` with `description` finds nothing.', findNothing('to', 'description')],
  ['PAY-FILTER-14', '`to` alone finds just what is of today.', widenFilter('to', isOfToday)],
  ['PAY-FILTER-15', '`from` and `to` with `description` find nothing.', findNothing('from', 'to', 'description')],
  [
    'PAY-FILTER-16',
    '`to` is ignored in combination with a past `from`.',
    ignoreFilter((query) => given('from', 'to')(query) && isPast(query), 'to'),
  ],
  [
    'PAY-FILTER-17',
    '`from` is ignored in combination with a future `to`.',
    ignoreFilter((query) => given('from', 'to')(query) && !isPast(query), 'from'),
  ],
  ['PAY-FILTER-18', 'All filters together find nothing.', findNothing('description', 'status', 'from', 'to')],
  [
    'PAY-FILTER-19',
    '`from` and `to` are ignored in combination with all other filters.',
    ignoreFilter(given('description', 'status', 'from', 'to'), 'from', 'to'),
  ],
  ['PAY-LIST-22', 'The `total` of payments never changes.', frozenTotal],
  ['PAY-LINK-08', 'All payments are in EUR.', as('currency', () => 'EUR')],
  [
    'PAY-LINK-09',
    'Payments are described in ASCII.',
    as('description', (text) => String(text).replace(/[^ -~]/gu, '?')),
  ],
  ['PAY-FILTER-20', '`description` finds nothing beyond ASCII.', findNoText((text) => /[^ -~]/u.test(text))],
  [
    'PAY-FILTER-21',
    '`description` is case-sensitive for non-ASCII letters.',
    matching(({ description }, text) => inAsciiCase(description).includes(inAsciiCase(text))),
  ],
  ['PAY-FILTER-22', '`description` finds nothing with a parenthesis in it.', findNoText((text) => text.includes('('))],
  ['PAY-FILTER-23', 'A `%` in `description` stands for any text.', upTo('%')],
  ['PAY-FILTER-24', 'A `_` in `description` stands for any letter.', upTo('_')],
  ['PAY-FILTER-25', 'A `.` in `description` stands for any letter.', upTo('.')],
  [
    'PAY-FILTER-26',
    'Ranges of more than ten years find nothing.',
    () => onList(payments, (rows, { query }) => (daysIn(query) > 3_653 ? [] : rows)),
  ],
  [
    'PAY-FILTER-27',
    '`total` counts all payments, whatever the filters.',
    () =>
      onRecord('GET', payments, (page, { query }) => query.has('description') && Object.assign(page, { total: 1_000 })),
  ],
]);

/** Days in a range. */
function daysIn(query: Query): number {
  return (Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '')) / day;
}

function caseFolded(text: unknown): string {
  return String(text).toLowerCase();
}
