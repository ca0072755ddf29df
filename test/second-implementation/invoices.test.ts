import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centsOf } from './decimals.js';
import type { Json, JsonObject } from './json.js';
import { type SecondImplementation, startSecondImplementation } from './server.js';
import { dayFromNow, get, listAt, objectAt, post, valueAt } from './support/client.js';
import { expectClientError, expectDecimal, expectInvoice, expectPage, expectSuccess } from './support/shapes.js';
import { simpleVariants } from './variants.js';

test('amounts are rounded to cents as decimals, not as binary fractions', () => {
  expect(centsOf(1.005)).toBe(101);
  expect(centsOf(-1.005)).toBe(-101);
  expect(centsOf(3, 19.99, 1.19)).toBe(7136);
});

describe.each(simpleVariants)('the second implementation as the variant %s', (_name, variant) => {
  const { hasOtherClients = false } = variant;
  let service: SecondImplementation;
  let customer: number;

  beforeAll(async () => {
    service = await startSecondImplementation(variant);
    customer = Number((await service.createCustomer()).id);
  });
  afterAll(() => service.close());

  const invoiceBody = (changes: JsonObject = {}): JsonObject => ({
    customer_id: customer,
    date: dayFromNow(0),
    due_date: dayFromNow(14),
    items: [{ description: 'Night', quantity: 2, unit_price: 50.25 }],
    ...changes,
  });
  const create = async (changes: JsonObject = {}): Promise<JsonObject> =>
    objectAt((await post(service, '/invoices', invoiceBody(changes))).body, 'data');

  test('creates an invoice', async () => {
    const reply = await post(
      service,
      '/invoices',
      invoiceBody({
        invoice_number: 'OWN-1',
        reference: 'R 1',
        notes: 'Thanks',
        items: [
          { description: 'Night', quantity: 0.01, unit_price: 19.99, tax_rate: 7.5 },
          { description: 'Cleaning', quantity: 1, unit_price: 35 },
        ],
      }),
    );
    expectSuccess(reply, 201);
    expect(reply.body['message']).toBe('Invoice created successfully');
    const invoice = objectAt(reply.body, 'data');
    expectInvoice(invoice);
    expect(invoice).toMatchObject({
      status: 'pending',
      invoice_number: 'OWN-1',
      reference: 'R 1',
      date: dayFromNow(0),
      due_date: dayFromNow(14),
      customer: { id: customer },
    });
    const [night, cleaning] = listAt(invoice, 'invoice_items');
    expect([night?.['quantity'], night?.['unit_price'], night?.['tax_rate']].map(expectDecimal)).toEqual([
      0.01, 19.99, 7.5,
    ]);
    expect(expectDecimal(cleaning?.['tax_rate'])).toBe(0);

    const detail = await get(service, `/invoices/${invoice['id']}`);
    expectSuccess(detail, 200);
    expectInvoice(objectAt(detail.body, 'data'));
    expect(detail.body['data']).toMatchObject({ id: invoice['id'], notes: 'Thanks', subscription: null });
    expect(listAt(detail.body, 'data', 'transactions')).toEqual([]);
    expect(valueAt(detail.body, 'data', 'customer', 'phone')).toBeTypeOf('string');
    expect(valueAt(detail.body, 'data', 'customer', 'country')).toBeTypeOf('string');
  });

  test('generates a different number for each invoice', async () => {
    const invoices = [await create({ due_date: dayFromNow(0) }), await create()];
    const numbers = invoices.map((invoice) => invoice['invoice_number']);
    expect(numbers).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(numbers).size).toBe(2);
  });

  test.each<[string, JsonObject]>([
    ['no customer', { customer_id: null }],
    ['an unknown customer', { customer_id: 99_999 }],
    ['no date', { date: null }],
    ['no due date', { due_date: null }],
    ['a due date before the date', { due_date: dayFromNow(-1) }],
    ['no items', { items: null }],
    ['an empty list of items', { items: [] }],
    ['an item without a description', { items: [{ quantity: 1, unit_price: 1 }] }],
    ['an item without a quantity', { items: [{ description: 'x', unit_price: 1 }] }],
    ['a quantity below 0.01', { items: [{ description: 'x', quantity: 0.009, unit_price: 1 }] }],
    ['an item without a price', { items: [{ description: 'x', quantity: 1 }] }],
  ])('refuses an invoice with %s', async (_, changes) => {
    expectClientError(await post(service, '/invoices', invoiceBody(changes)), 400, 422);
  });

  test('lists invoices in pages', async () => {
    for (let index = 0; index < 8; index += 1) await create();
    expectPage(await get(service, '/invoices'), 1, 25).forEach(expectInvoice);
    const ids: Json[] = [];
    let lastPage = 1;
    for (let page = 1; page <= lastPage; page += 1) {
      const reply = await get(service, `/invoices?per_page=7&page=${page}`);
      ids.push(...expectPage(reply, page, 7).map(({ id = null }) => id));
      const total = Number(valueAt(reply.body, 'data', 'total'));
      lastPage = Number(valueAt(reply.body, 'data', 'last_page'));
      expect(lastPage).toBe(Math.ceil(total / 7));
      if (!hasOtherClients && page === lastPage) expect(ids.length).toBe(total);
    }
    if (!hasOtherClients) expect(new Set(ids).size).toBe(ids.length);
  });

  test('counts and sums invoices in the statistics', async () => {
    const readStats = async (): Promise<JsonObject> => objectAt((await get(service, '/invoices/stats')).body, 'data');
    const before = await readStats();
    const invoice = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const afterCreation = await readStats();
    await service.markInvoicePaid(invoice);
    const afterPayment = await readStats();
    expect(afterPayment['currency']).toBe(invoice['currency']);
    const increase = (field: string, from: JsonObject, to: JsonObject): number =>
      expectDecimal(to[field]) - expectDecimal(from[field]);
    if (hasOtherClients) {
      expect(increase('total_invoices', before, afterCreation)).toBeGreaterThanOrEqual(1);
      expect(increase('paid_invoices', afterCreation, afterPayment)).toBeGreaterThanOrEqual(1);
    } else {
      expect(increase('total_invoices', before, afterCreation)).toBe(1);
      expect(increase('overdue_invoices', before, afterCreation)).toBe(1);
      expect(increase('paid_invoices', afterCreation, afterPayment)).toBe(1);
      expect(increase('total_outstanding', before, afterCreation)).toBeCloseTo(expectDecimal(invoice['amount']));
      expect(increase('total_overdue', before, afterPayment)).toBeCloseTo(0);
    }
    expect(expectDecimal(afterPayment['pending_invoices'])).toBeLessThanOrEqual(
      expectDecimal(afterPayment['total_invoices']),
    );
  });

  test('lists overdue invoices', async () => {
    const late = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const paid = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const notYetDue = await create();
    await service.markInvoicePaid(paid);
    const reply = await get(service, '/invoices/overdue');
    expectSuccess(reply, 200);
    const overdue = listAt(reply.body, 'data');
    expect(reply.body['count']).toBe(overdue.length);
    expectDecimal(reply.body['total_outstanding']);
    expect(reply.body['currency']).toMatch(/^[A-Z]{3}$/);
    for (const invoice of overdue) {
      expectInvoice(invoice);
      expect(Object.keys(invoice)).toContain('payment_link');
      if (invoice['payment_link'] !== null) expect(invoice['payment_link']).toMatch(/^http:/);
      expect(valueAt(invoice, 'customer', 'phone')).toBeTypeOf('string');
    }
    const ids = overdue.map(({ id }) => id);
    expect(ids).toContain(late['id']);
    expect(ids).not.toContain(paid['id']);
    expect(ids).not.toContain(notYetDue['id']);
    // The account's time zone may be two hours ahead of UTC, in which this test computes dates.
    expect([3, 4]).toContain(overdue.find(({ id }) => id === late['id'])?.['days_overdue']);
  });

  test('sends reminders only for unpaid invoices', async () => {
    const invoice = await create();
    const sent = await post(service, `/invoices/${invoice['id']}/reminder`);
    expectSuccess(sent, 200, 201, 202);
    expect(sent.body['message']).toBe('Invoice reminder sent successfully');
    await service.markInvoicePaid(invoice);
    const paid = await post(service, `/invoices/${invoice['id']}/reminder`);
    expectClientError(paid, 400);
    expect(paid.body['error']).toBe('Invoice is already paid');
    const unknown = await post(service, '/invoices/99999/reminder');
    expectClientError(unknown, 404);
    expect(unknown.body['error']).toBe('Invoice not found');
  });
});
