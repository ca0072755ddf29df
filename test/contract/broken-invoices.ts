import { accept, inTurn, onAny, onOverdue, refuse } from './invoice-patches.js';
import type { Asked, Json, Patch } from './patched.js';
import { changed, drop, onAnswer, onList, onRecord, onRequest, onRows } from './patches.js';

const list = '/invoices';
const detail = /^\/invoices\/\d+$/;

type Change = (record: Json) => void;

/** Where invoices are shown, and how they are changed there. */
const views = {
  'INV-CREATE': { from: 11, change: (change: Change) => onRecord('POST', list, change) },
  'INV-LIST': { from: 21, change: (change: Change) => onRows(list, change) },
  'INV-DETAIL': { from: 11, change: (change: Change) => onRecord('GET', detail, change) },
  'INV-OVERDUE': {
    from: 11,
    change: (change: Change) =>
      onOverdue((rows) => {
        rows.forEach(change);
        return rows;
      }),
  },
};

const put =
  (fields: Json): Change =>
  (record) =>
    void Object.assign(record, fields);

const customer =
  (change: Change): Change =>
  (record) =>
    void Object.assign(record, changed(record, 'customer', change));

const lines =
  (change: Change): Change =>
  (record) => {
    const items = record['invoice_items'];
    if (!Array.isArray(items)) return;
    record['invoice_items'] = items.map((item) => {
      const copy = { ...item };
      change(copy);
      return copy;
    });
  };

/** What may be wrong with the fields of an invoice, in the order of their clauses. */
const wrongFields: readonly Change[] = [
  (invoice) => put({ id: String(invoice['id']) })(invoice),
  (invoice) => drop(invoice, 'invoice_number'),
  put({ reference: 5 }),
  (invoice) => put({ amount: { value: invoice['amount'] } })(invoice),
  put({ currency: '€' }),
  put({ status: 'unpaid' }),
  put({ date: '01.03.2026' }),
  (invoice) => put({ due_date: `${invoice['due_date']}T00:00:00Z` })(invoice),
  put({ customer: null }),
  customer(put({ id: 'K-1' })),
  customer((one) => drop(one, 'name')),
  customer(put({ email: 7 })),
  (invoice) => drop(invoice, 'invoice_items'),
  lines(put({ description: null })),
  lines((line) => put({ quantity: `${line['quantity']} pcs` })(line)),
  lines((line) => drop(line, 'unit_price')),
  lines((line) => drop(line, 'tax_rate')),
  lines(put({ total: null })),
];

const fieldPatches = Object.entries(views).flatMap(([prefix, { from, change }]) =>
  wrongFields.map((wrong, index) => [`${prefix}-${from + index}`, change(wrong)] as const),
);

const isCreation = ({ method, path }: Asked): boolean => method === 'POST' && path === list;

/** Bodies are refused that should not be. */
const refusing = (isMeant: (body: Json) => boolean): Patch =>
  onAny(
    (asked) => isCreation(asked) && isMeant(asked.body),
    (answered) => refuse(answered),
  );

/** Bodies are admitted that should be refused. */
const admitting = (isMeant: (body: Json) => boolean): Patch =>
  onAny((asked) => isCreation(asked) && isMeant(asked.body), accept);

const itemsOf = ({ items }: Json): Json[] => (Array.isArray(items) ? items : []);
const anItem =
  (isMeant: (item: Json) => boolean): ((body: Json) => boolean) =>
  (body) =>
    itemsOf(body).some(isMeant);

const page = (change: Change): Patch => onRecord('GET', list, change);
const rows = (change: Change): Patch => onRows(list, change);
const read = (change: Change): Patch => onRecord('GET', detail, change);
const created = (change: Change): Patch => onRecord('POST', list, change);
const listing = (change: (asked: Asked) => void): Patch => onRequest('GET', list, change);

const isOwn = (row: Json): boolean => String(row['reference']).startsWith('contract-');
const more = (record: Json, field: string): void => void put({ [field]: Number(record[field]) + 1 })(record);

/** A list that shows an invoice that was refused. */
function keepingWhatIsRefused(): Patch {
  let reference: unknown;
  return inTurn(
    onAny(isCreation, (answered, { body }) => {
      if (answered.status >= 400) reference ??= body['reference'];
    }),
    onList(list, (found) => [{ id: 1, reference }, ...found]),
  );
}

/** What a target may do wrong with invoices, by the clause that has to see it. */
export const brokenInvoices: Readonly<Record<string, Patch>> = {
  ...Object.fromEntries(fieldPatches),

  'INV-CREATE-01': refusing((body) => itemsOf(body).length === 2),
  'INV-CREATE-02': refusing((body) => body['reference'] === undefined),
  'INV-CREATE-03': refusing((body) => body['due_date'] === body['date']),
  'INV-CREATE-04': refusing(anItem(({ quantity }) => quantity === 0.01)),
  'INV-CREATE-05': refusing((body) => body['invoice_number'] !== undefined),
  'INV-CREATE-06': onAny(isCreation, (answered) => {
    answered.status = 200;
  }),
  'INV-CREATE-07': onAnswer('POST', list, ({ body }) => put({ message: 'Invoice created' })(body)),
  'INV-CREATE-08': created(put({ status: 'draft' })),
  'INV-CREATE-09': created(put({ date: '2020-01-01' })),
  'INV-CREATE-10': created(lines((line) => put({ unit_price: Math.trunc(Number(line['unit_price'])) })(line))),
  'INV-CREATE-29': created(put({ invoice_number: '' })),
  'INV-CREATE-30': created(put({ invoice_number: 'INV-1' })),
  'INV-CREATE-31': onRequest('POST', list, ({ body }) => drop(body, 'invoice_number')),
  'INV-CREATE-32': created(lines(put({ tax_rate: 19 }))),
  'INV-CREATE-33': created(lines((line) => put({ total: Number(line['total']) * 2 })(line))),

  'INV-RULE-01': admitting(({ customer_id }) => customer_id === undefined),
  'INV-RULE-02': admitting(({ date }) => date === undefined),
  'INV-RULE-03': admitting(({ due_date }) => due_date === undefined),
  'INV-RULE-04': admitting(({ items }) => items === undefined),
  'INV-RULE-05': admitting(anItem(({ description }) => description === undefined)),
  'INV-RULE-06': admitting(anItem(({ quantity }) => quantity === undefined)),
  'INV-RULE-07': admitting(anItem(({ unit_price }) => unit_price === undefined)),
  'INV-RULE-08': admitting((body) => itemsOf(body).length === 0),
  'INV-RULE-09': admitting(({ date, due_date }) => String(due_date) < String(date)),
  'INV-RULE-10': admitting(anItem(({ quantity }) => quantity === 0.009)),
  'INV-RULE-11': admitting(anItem(({ quantity }) => quantity === 0)),
  'INV-RULE-12': admitting(({ customer_id }) => Number(customer_id) > 1_000_000),
  'INV-RULE-13': admitting(({ customer_id }) => typeof customer_id === 'string'),
  'INV-RULE-14': admitting(({ date }) => date === 'someday'),
  'INV-RULE-15': admitting(({ due_date }) => due_date === 'someday'),
  'INV-RULE-16': admitting(anItem(({ quantity }) => quantity === 'many')),
  'INV-RULE-17': admitting(anItem(({ unit_price }) => unit_price === 'cheap')),
  'INV-RULE-18': keepingWhatIsRefused(),
  'INV-RULE-19': onAny(
    (asked, { status }) => isCreation(asked) && status >= 400,
    ({ body }) => put({ errors: { base: ['Something is wrong.'] } })(body),
  ),

  'INV-LIST-01': onAnswer('GET', list, (answered) => {
    answered.status = 500;
  }),
  'INV-LIST-02': onAnswer('GET', list, ({ body }) => put({ data: [] })(body)),
  'INV-LIST-03': page((data) => put({ data: { ...Object(data['data']) } })(data)),
  'INV-LIST-04': page((data) => put({ current_page: String(data['current_page']) })(data)),
  'INV-LIST-05': page((data) => put({ per_page: String(data['per_page']) })(data)),
  'INV-LIST-06': page((data) => drop(data, 'total')),
  'INV-LIST-07': page((data) => put({ data: Array.isArray(data['data']) ? data['data'].slice(1) : null })(data)),
  'INV-LIST-08': page(put({ current_page: 2 })),
  'INV-LIST-09': page(put({ per_page: 25 })),
  'INV-LIST-10': page((data) => put({ data: Array.isArray(data['data']) ? data['data'].slice(0, 1) : null })(data)),
  'INV-LIST-11': page((data) => put({ total: Array.isArray(data['data']) ? data['data'].length : 0 })(data)),
  'INV-LIST-12': listing(({ query }) => query.has('per_page') || query.set('per_page', '20')),
  'INV-LIST-13': listing(({ query }) => query.get('per_page') === '100' && query.set('per_page', '50')),
  'INV-LIST-14': onRecord('GET', list, (data, { query }) => put({ per_page: Number(query.get('per_page')) })(data)),
  'INV-LIST-15': page(put({ current_page: 1 })),
  'INV-LIST-16': listing(({ query }) => query.delete('page')),
  'INV-LIST-17': page((data) => drop(data, 'last_page')),
  'INV-LIST-18': page((data) => more(data, 'last_page')),
  'INV-LIST-39': onList(list, (found) => found.filter((row) => !isOwn(row))),
  'INV-LIST-40': rows(put({ reference: 'another' })),
  'INV-LIST-41': rows((row) => put({ invoice_items: [Object(row['invoice_items'])[0]] })(row)),
  'INV-LIST-42': rows((row) => more(row, 'amount')),
  'INV-LIST-43': rows(put({ due_date: '2000-01-01' })),
  'INV-LIST-44': rows(customer(put({ phone: '+49 30 1' }))),
  'INV-LIST-45': rows(customer(put({ email: null }))),

  'INV-DETAIL-01': onAnswer('GET', detail, (answered) => refuse(answered, 404)),
  'INV-DETAIL-02': read((invoice) => more(invoice, 'id')),
  'INV-DETAIL-03': onAny(({ path }) => detail.test(path), accept),
  'INV-DETAIL-29': read(put({ notes: ['one'] })),
  'INV-DETAIL-30': read(customer(put({ phone: 49_301 }))),
  'INV-DETAIL-31': read(customer(put({ address: { street: 'High Street' } }))),
  'INV-DETAIL-32': read(customer(put({ city: 1 }))),
  'INV-DETAIL-33': read(customer(put({ postal_code: 10_115 }))),
  'INV-DETAIL-34': read(customer(put({ country: ['DE'] }))),
  'INV-DETAIL-35': read(put({ transactions: {} })),
  'INV-DETAIL-36': read((invoice) => drop(invoice, 'subscription')),
  'INV-DETAIL-37': read(put({ reference: 'another' })),
  'INV-DETAIL-38': read((invoice) => put({ invoice_items: [Object(invoice['invoice_items'])[0]] })(invoice)),
  'INV-DETAIL-39': read((invoice) => drop(invoice, 'notes')),
  'INV-DETAIL-40': read((invoice) => more(invoice, 'amount')),
  'INV-DETAIL-41': read(customer(put({ name: 'Somebody else' }))),
  'INV-DETAIL-42': read(put({ subscription: { id: 1 } })),
  'INV-DETAIL-43': read(put({ status: 'sent' })),
  'INV-DETAIL-44': read(put({ transactions: [] })),
};
