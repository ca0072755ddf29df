import type { Exchange } from '../../engine/exchange.js';
import { isRecord, recordsAt, succeeded, valueAt } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { type Fact, fact, type Scene } from '../../engine/session.js';
import { Blocked, Skip } from '../../engine/verdict.js';

/** A record as the target has returned it. */
export type Row = Readonly<Record<string, unknown>>;

/** The customer that the suite's invoices are for: the one that was named, a new one, or that of an invoice that is there. */
export const customerId = fact('a customer', async (scene) => {
  const { customerId: given } = scene.session.options;
  if (given !== undefined) return given;
  if (scene.session.driver.createCustomer) {
    const id = valueAt(await scene.drive('createCustomer'), 'id');
    if (typeof id === 'number' || typeof id === 'bigint') return id;
    throw new Blocked('createCustomer of the driver has returned no `id`');
  }
  const list = await scene.get('/invoices?per_page=1');
  const id = valueAt(list.json, 'data.data.0.customer.id');
  if (typeof id === 'number' || typeof id === 'bigint') return id;
  throw new Skip('--customer-id', 'the API creates no customers, and no invoice is there to take one from');
});

/** An item with tax, and one that leaves it out. */
export function itemsFor(scene: Scene) {
  return {
    taxed: { description: scene.text('room'), quantity: 2, unit_price: 49.95, tax_rate: 5 },
    untaxed: { description: scene.text('breakfast'), quantity: 0.5, unit_price: 10.5 },
  };
}

/** A day so many days from now, as YYYY-MM-DD. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The body of an invoice that every rule admits and that will not be overdue soon, with what is given in its place. */
export async function invoiceBody(scene: Scene, own: Row = {}): Promise<Row> {
  const { taxed, untaxed } = itemsFor(scene);
  return {
    customer_id: await scene.at(customerId),
    reference: scene.text('invoice'),
    date: dayIn(0),
    due_date: dayIn(5 * 365),
    notes: scene.text('notes'),
    items: [taxed, untaxed],
    ...own,
  };
}

/** What came of sending a new record: the exchange, and the body that was sent. */
export interface Creation {
  readonly exchange: Exchange;
  readonly body: Row;
}

/** A record that was created, as it was returned. */
export interface Created extends Creation {
  readonly record: Row;
}

/** Sends an invoice. A field of it that is undefined is left out. */
export async function createInvoice(scene: Scene, own: Row = {}): Promise<Creation> {
  const body = await invoiceBody(scene, own);
  return { exchange: await scene.post('/invoices', body), body };
}

function creation(name: string, own: (scene: Scene) => Row): Fact<Creation> {
  return fact(name, (scene) => createInvoice(scene, own(scene)));
}

/** An invoice with all fields but a number, and two lines. */
export const fullCreation = creation('a new invoice', () => ({}));
/** One with what is required and nothing else. */
export const plainCreation = creation('a new invoice with the required fields alone', (scene) => ({
  reference: undefined,
  notes: undefined,
  items: [itemsFor(scene).untaxed],
}));
export const sameDayCreation = creation('a new invoice due on its date', (scene) => ({
  reference: scene.text('due on its date'),
  due_date: dayIn(0),
}));
export const leastQuantityCreation = creation('a new invoice of the least quantity', (scene) => ({
  reference: scene.text('least quantity'),
  items: [{ ...itemsFor(scene).untaxed, quantity: 0.01, unit_price: 100 }],
}));
/** Two that were due long ago; from date to due date, the second took longer. */
export const lateCreation = creation('a new invoice that was due long ago', (scene) => ({
  reference: scene.text('due long ago'),
  date: '2020-01-01',
  due_date: '2020-01-31',
}));
export const laterCreation = creation('another new invoice that was due long ago', (scene) => ({
  reference: scene.text('due long ago, too'),
  date: '2020-01-01',
  due_date: '2020-06-30',
}));

/** The invoice with all fields, as its creation has returned it. */
export const createdInvoice = created(fullCreation);
/** The one without a reference, notes or a number of its own. */
export const plainInvoice = created(plainCreation);
export const lateInvoice = created(lateCreation);
export const laterInvoice = created(laterCreation);
export const leastQuantityInvoice = created(leastQuantityCreation);

/** What was created. @throws Blocked unless it was */
function created(creating: Fact<Creation>): Fact<Created> {
  return fact(`${creating.name}, as returned`, async (scene) => {
    const { exchange, body } = await scene.at(creating);
    return { exchange, body, record: recordOf(exchange) };
  });
}

/** An invoice that is there: one of the suite's own, or the first of the list where nothing may be written. */
export const someInvoice = fact('an invoice', async (scene): Promise<Row> => {
  const own = await ifPossible(scene.at(createdInvoice));
  if (own) return own.record;
  const [first] = recordsAt(succeeded(await scene.get('/invoices?per_page=1')).json, 'data.data');
  if (!first) throw new Skip('an invoice', 'the account has none, and none can be made');
  return first;
});

/** That invoice in detail view. */
export const readInvoice = fact('an invoice, read', async (scene) => {
  const { id } = await scene.at(someInvoice);
  return scene.get(`/invoices/${id}`);
});

/** The record that an answer returns in `data`. @throws Blocked unless the answer is a success that has one */
export function recordOf(exchange: Exchange): Row {
  const { method, path } = exchange.call;
  const record = valueAt(succeeded(exchange).json, 'data');
  if (!isRecord(record)) throw new Blocked(`${method} ${path} has returned no record in \`data\``, exchange);
  return record;
}
