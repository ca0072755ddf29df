import type { InterceptedRequest, Interceptor, Json } from '../../mutation/interceptor.js';
import {
  accept,
  drop,
  inTurn,
  onAnswer,
  onAny,
  onList,
  onRecord,
  onRequest,
  refuse,
} from '../../mutation/interceptors.js';
import { type Mutant, mutantsOf } from '../../mutation/mutant.js';
import { type Change, customer, having, lines } from '../invoice-detail/mutants.js';

const path = '/invoices';

const isCreation = (request: InterceptedRequest): boolean =>
  request.method === 'POST' && request.path === path && request.token === 'full';

/** Refuses valid bodies. */
const refusing = (isSelected: (body: Json) => boolean): Interceptor =>
  onAny(
    (request) => isCreation(request) && isSelected(request.body),
    (response) => refuse(response),
  );

/** Accepts invalid bodies. */
const admitting = (isSelected: (body: Json) => boolean): Interceptor =>
  onAny((request) => isCreation(request) && isSelected(request.body), accept);

const itemsOf = ({ items }: Json): Json[] => (Array.isArray(items) ? items : []);
const anItem =
  (isSelected: (item: Json) => boolean): ((body: Json) => boolean) =>
  (body) =>
    itemsOf(body).some(isSelected);

/** Maximum number of records on a page that is compared with others. */
const few = 4;

const created = (change: Change): Interceptor => onRecord('POST', path, change);

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** A refused invoice appears in a list. */
function keepingWhatIsRefused(): Interceptor {
  let reference: unknown;
  return inTurn(
    onAny(isCreation, (response, { body }) => {
      if (response.status >= 400) reference ??= body['reference'];
    }),
    onList(path, (rows) =>
      rows.length > few && reference !== undefined ? [...rows.slice(0, -1), { ...rows.at(-1), reference }] : rows,
    ),
  );
}

/** Invoices dated before this year are long overdue. */
const year2021 = '2021';

const isFebruary30 = (value: unknown): boolean => /-02-30$/.test(String(value));

const unequalLines: Change = (invoice) => {
  const items = itemsOf({ items: invoice['invoice_items'] });
  const texts = items.map((item) => JSON.stringify(item));
  having({ invoice_items: items.filter((_item, index) => texts.indexOf(texts[index] ?? '') === index) })(invoice);
};

/** Mutants of new invoices. */
export const invoiceCreationMutants: readonly Mutant[] = mutantsOf([
  [
    'INV-CREATE-01',
    'An invoice of two items is refused.',
    () =>
      refusing(
        ({ invoice_number, ...body }) =>
          itemsOf(body).length === 2 && invoice_number === undefined && body['due_date'] !== body['date'],
      ),
  ],
  [
    'INV-CREATE-02',
    'An invoice without a reference is refused.',
    () => refusing((body) => body['reference'] === undefined),
  ],
  [
    'INV-CREATE-03',
    'An invoice that is due on its date is refused.',
    () => refusing((body) => body['due_date'] === body['date']),
  ],
  ['INV-CREATE-04', 'A quantity of 0.01 is refused.', () => refusing(anItem(({ quantity }) => quantity === 0.01))],
  [
    'INV-CREATE-05',
    'An invoice that brings its own number is refused.',
    () => refusing((body) => body['invoice_number'] !== undefined),
  ],
  [
    'INV-CREATE-06',
    'A new invoice is answered with 200.',
    () =>
      onAnswer('POST', path, (response) => {
        response.status = 200;
      }),
  ],
  [
    'INV-CREATE-07',
    'The message about a new invoice is in other words.',
    () => onAnswer('POST', path, ({ body }) => having({ message: 'Invoice created' })(body)),
  ],
  ['INV-CREATE-08', 'A new invoice is a draft.', () => created(having({ status: 'draft' }))],
  ['INV-CREATE-09', 'A new invoice is answered with another date.', () => created(having({ date: '2020-01-01' }))],
  [
    'INV-CREATE-10',
    'The prices of a new invoice are cut to whole numbers.',
    () => created(lines((line) => having({ unit_price: Math.trunc(Number(line['unit_price'])) })(line))),
  ],
  ['INV-CREATE-29', 'A new invoice has no number.', () => created(having({ invoice_number: '' }))],
  ['INV-CREATE-30', 'All invoices have one number.', () => created(having({ invoice_number: 'INV-1' }))],
  [
    'INV-CREATE-31',
    'The number that an invoice brings is ignored.',
    () => onRequest('POST', path, ({ body }) => drop(body, 'invoice_number')),
  ],
  [
    'INV-CREATE-32',
    'Items are taxed by 19 % unless they say otherwise.',
    () => created(lines(having({ tax_rate: 19 }))),
  ],
  [
    'INV-CREATE-33',
    'The total of a line is counted twice.',
    () => created(lines((line) => having({ total: Number(line['total']) * 2 })(line))),
  ],
  [
    'INV-CREATE-34',
    'An invoice is refused that was due before it is created.',
    () => refusing(({ due_date }) => String(due_date) < year2021),
  ],
  [
    'INV-CREATE-35',
    'A new invoice that was due long ago is overdue at once.',
    () => created((invoice) => String(invoice['due_date']) < year2021 && having({ status: 'overdue' })(invoice)),
  ],
  ['INV-CREATE-36', 'Of equal items of a new invoice, one is kept.', () => created(unequalLines)],
  [
    'INV-CREATE-37',
    'An invoice that was due weeks ago is for the next customer.',
    () =>
      created((invoice) => {
        const due = String(invoice['due_date']);
        const isRecent = due > year2021 && Date.parse(due) < Date.now() - 7 * 86_400_000;
        if (isRecent) customer((one) => having({ id: Number(one['id']) + 1 })(one))(invoice);
      }),
  ],
  [
    'INV-CREATE-38',
    'The tax rates of a new invoice are cut to whole numbers.',
    () => created(lines((line) => having({ tax_rate: Math.trunc(Number(line['tax_rate'])) })(line))),
  ],

  [
    'INV-RULE-01',
    'An invoice for nobody is accepted.',
    () => admitting(({ customer_id }) => customer_id === undefined),
  ],
  ['INV-RULE-02', 'An invoice without a date is accepted.', () => admitting(({ date }) => date === undefined)],
  [
    'INV-RULE-03',
    'An invoice without a due date is accepted.',
    () => admitting(({ due_date }) => due_date === undefined),
  ],
  ['INV-RULE-04', 'An invoice without `items` is accepted.', () => admitting(({ items }) => items === undefined)],
  [
    'INV-RULE-05',
    'An item without a description is accepted.',
    () => admitting(anItem(({ description }) => description === undefined)),
  ],
  [
    'INV-RULE-06',
    'An item without a quantity is accepted.',
    () => admitting(anItem(({ quantity }) => quantity === undefined)),
  ],
  [
    'INV-RULE-07',
    'An item without a price is accepted.',
    () => admitting(anItem(({ unit_price }) => unit_price === undefined)),
  ],
  [
    'INV-RULE-08',
    'An empty list of items is accepted.',
    () => admitting(({ items }) => Array.isArray(items) && items.length === 0),
  ],
  [
    'INV-RULE-09',
    'An invoice may be due before its date.',
    () => admitting(({ date, due_date }) => isDay(date) && isDay(due_date) && due_date < date),
  ],
  ['INV-RULE-10', 'A quantity of 0.009 is accepted.', () => admitting(anItem(({ quantity }) => quantity === 0.009))],
  ['INV-RULE-11', 'A quantity of 0 is accepted.', () => admitting(anItem(({ quantity }) => quantity === 0))],
  [
    'INV-RULE-12',
    'An invoice for a customer that does not exist is accepted.',
    () => admitting(({ customer_id }) => Number(customer_id) > 1_000_000),
  ],
  [
    'INV-RULE-13',
    'A text is accepted as the id of a customer.',
    () => admitting(({ customer_id }) => typeof customer_id === 'string'),
  ],
  ['INV-RULE-14', 'A word is accepted as a date.', () => admitting(({ date }) => date === 'someday')],
  ['INV-RULE-15', 'A word is accepted as a due date.', () => admitting(({ due_date }) => due_date === 'someday')],
  ['INV-RULE-16', 'A word is accepted as a quantity.', () => admitting(anItem(({ quantity }) => quantity === 'many'))],
  [
    'INV-RULE-17',
    'A word is accepted as a price.',
    () => admitting(anItem(({ unit_price }) => unit_price === 'cheap')),
  ],
  ['INV-RULE-20', 'There may be a 30 February as a date.', () => admitting(({ date }) => isFebruary30(date))],
  [
    'INV-RULE-21',
    'There may be a 30 February as a due date.',
    () => admitting(({ due_date }) => isFebruary30(due_date)),
  ],
  [
    'INV-RULE-22',
    'A date may be written as in Germany.',
    () => admitting(({ date }) => /^\d\d\.\d\d\.\d{4}$/.test(String(date))),
  ],
  ['INV-RULE-18', 'An invoice is created all the same when it is refused.', keepingWhatIsRefused],
  [
    'INV-RULE-19',
    '`errors` names no field, whatever is wrong.',
    () =>
      onAny(
        (request, { status }) => isCreation(request) && status >= 400,
        ({ body }) => having({ errors: { base: ['Something is wrong.'] } })(body),
      ),
  ],
]);
