import { isRecord } from '../../../lib/is-record.js';
import type { Exchange } from '../../engine/exchange.js';
import { recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';

/** A record as returned by the target. */
export type Row = Readonly<Record<string, unknown>>;

/** Customer of the suite's invoices: a given one, a new one, or that of an existing invoice. */
export const customerId = setup('a customer', async (context) => {
  const { customerId: given } = context.session.options;
  if (given !== undefined) return given;
  if (context.session.driver.createCustomer) {
    const id = valueAt(await context.drive('createCustomer'), 'id');
    if (typeof id === 'number' || typeof id === 'bigint') return id;
    throw new Blocked('createCustomer of the driver has returned no `id`');
  }
  const list = await context.get('/invoices?per_page=1');
  const id = valueAt(list.json, 'data.data.0.customer.id');
  if (typeof id === 'number' || typeof id === 'bigint') return id;
  throw new Skip('--customer-id', 'the API cannot create customers, and no invoice exists to take one from');
});

/** An item with tax, and one without. */
export function itemsFor(context: ClauseContext) {
  return {
    taxed: { description: context.text('room'), quantity: 2, unit_price: 49.95, tax_rate: 5 },
    untaxed: { description: context.text('breakfast'), quantity: 0.5, unit_price: 10.5 },
  };
}

/** The date in a number of days, as YYYY-MM-DD. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Body of a valid invoice that is not due soon, with some fields replaced. */
export async function invoiceBody(context: ClauseContext, own: Row = {}): Promise<Row> {
  const { taxed, untaxed } = itemsFor(context);
  return {
    customer_id: await context.use(customerId),
    reference: context.text('invoice'),
    date: dayIn(0),
    due_date: dayIn(5 * 365),
    notes: context.text('notes'),
    items: [taxed, untaxed],
    ...own,
  };
}

/** An attempt to create a record: the exchange and the request body. */
export interface Creation {
  readonly exchange: Exchange;
  readonly body: Row;
}

/** A created record, as it was returned. */
export interface Created extends Creation {
  readonly record: Row;
}

/** Creates an invoice. A field that is undefined is omitted. */
export async function createInvoice(context: ClauseContext, own: Row = {}): Promise<Creation> {
  const body = await invoiceBody(context, own);
  return { exchange: await context.post('/invoices', body), body };
}

function creation(name: string, own: (context: ClauseContext) => Row): Setup<Creation> {
  return setup(name, (context) => createInvoice(context, own(context)));
}

/** An invoice with all fields except a number, and two lines. */
export const fullCreation = creation('a new invoice', () => ({}));
/** An invoice with required fields only. */
export const plainCreation = creation('a new invoice with the required fields alone', (context) => ({
  reference: undefined,
  notes: undefined,
  items: [itemsFor(context).untaxed],
}));
export const sameDayCreation = creation('a new invoice due on its date', (context) => ({
  reference: context.text('due on its date'),
  due_date: dayIn(0),
}));
export const leastQuantityCreation = creation('a new invoice of the least quantity', (context) => ({
  reference: context.text('least quantity'),
  items: [{ ...itemsFor(context).untaxed, quantity: 0.01, unit_price: 100 }],
}));
/** Two invoices that were due long ago; the second had a longer term. */
export const lateCreation = creation('a new invoice that was due long ago', (context) => ({
  reference: context.text('due long ago'),
  date: '2020-01-01',
  due_date: '2020-01-31',
}));
export const laterCreation = creation('another new invoice that was due long ago', (context) => ({
  reference: context.text('due long ago, too'),
  date: '2020-01-01',
  due_date: '2020-06-30',
}));

/** The invoice with all fields, as returned by its creation. */
export const createdInvoice = created(fullCreation);
/** The invoice without a reference, notes or a number. */
export const plainInvoice = created(plainCreation);
export const lateInvoice = created(lateCreation);
export const laterInvoice = created(laterCreation);
export const leastQuantityInvoice = created(leastQuantityCreation);

/** The created record. @throws Blocked if it was not created */
function created(creating: Setup<Creation>): Setup<Created> {
  return setup(`${creating.name}, as returned`, async (context) => {
    const { exchange, body } = await context.use(creating);
    return { exchange, body, record: recordOf(exchange) };
  });
}

/** An existing invoice: one of the suite's own, or the first of the list if the suite may not write. */
export const someInvoice = setup('an invoice', async (context): Promise<Row> => {
  const own = await ifPossible(context.use(createdInvoice));
  if (own) return own.record;
  const [first] = recordsAt(succeeded(await context.get('/invoices?per_page=1')).json, 'data.data');
  if (!first) throw new Skip('an invoice', 'the account has none, and none can be created');
  return first;
});

/** Detail of that invoice. */
export const readInvoice = setup('an invoice, read', async (context) => {
  const { id } = await context.use(someInvoice);
  return context.get(`/invoices/${id}`);
});

/** The record in `data` of a response. @throws Blocked unless the response is a success with a record */
export function recordOf(exchange: Exchange): Row {
  const { method, path } = exchange.call;
  const record = valueAt(succeeded(exchange).json, 'data');
  if (!isRecord(record)) throw new Blocked(`${method} ${path} has returned no record in \`data\``, exchange);
  return record;
}
