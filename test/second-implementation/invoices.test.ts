import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centsOf } from './decimals.js';
import type { Json, JsonObject } from './json.js';
import { type SecondImplementation, startSecondImplementation } from './second.js';
import { dayFromNow, get, listAt, objectAt, post, valueAt } from './support/client.js';
import { decimal, expectClientError, expectInvoice, expectPage, expectSuccess } from './support/shapes.js';
import { promptVariants } from './variants.js';

test('cents are rounded as decimals, not as binary fractions', () => {
  expect(centsOf(1.005)).toBe(101);
  expect(centsOf(-1.005)).toBe(-101);
  expect(centsOf(3, 19.99, 1.19)).toBe(7136);
});

describe.each(promptVariants)('the second implementation as the variant %s', (name, variant) => {
  // Only in the variant `busy` do other clients change records between requests.
  const hasNoOtherClients = name !== 'busy';
  let service: SecondImplementation;
  let customer: number;

  beforeAll(async () => {
    service = await startSecondImplementation(variant);
    customer = Number((await service.createCustomer()).id);
  });
  afterAll(() => service.close());

  const draft = (changes: JsonObject = {}): JsonObject => ({
    customer_id: customer,
    date: dayFromNow(0),
    due_date: dayFromNow(14),
    items: [{ description: 'Night', quantity: 2, unit_price: 50.25 }],
    ...changes,
  });
  const create = async (changes: JsonObject = {}): Promise<JsonObject> =>
    objectAt((await post(service, '/invoices', draft(changes))).body, 'data');

  test('creates an invoice', async () => {
    const reply = await post(
      service,
      '/invoices',
      draft({
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
    expect([night?.['quantity'], night?.['unit_price'], night?.['tax_rate']].map(decimal)).toEqual([0.01, 19.99, 7.5]);
    expect(decimal(cleaning?.['tax_rate'])).toBe(0);

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
    ['an item without description', { items: [{ quantity: 1, unit_price: 1 }] }],
    ['an item without quantity', { items: [{ description: 'x', unit_price: 1 }] }],
    ['a quantity below 0.01', { items: [{ description: 'x', quantity: 0.009, unit_price: 1 }] }],
    ['an item without price', { items: [{ description: 'x', quantity: 1 }] }],
  ])('refuses an invoice with %s', async (_, changes) => {
    expectClientError(await post(service, '/invoices', draft(changes)), 400, 422);
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
      if (hasNoOtherClients && page === lastPage) expect(ids.length).toBe(total);
    }
    if (hasNoOtherClients) expect(new Set(ids).size).toBe(ids.length);
  });

  test('counts and sums invoices in the statistics', async () => {
    const readStats = async (): Promise<JsonObject> => objectAt((await get(service, '/invoices/stats')).body, 'data');
    const before = await readStats();
    const invoice = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const between = await readStats();
    await service.markInvoicePaid(invoice);
    const after = await readStats();
    expect(after['currency']).toBe(invoice['currency']);
    const increase = (field: string, from: JsonObject, to: JsonObject): number =>
      decimal(to[field]) - decimal(from[field]);
    if (hasNoOtherClients) {
      expect(increase('total_invoices', before, between)).toBe(1);
      expect(increase('overdue_invoices', before, between)).toBe(1);
      expect(increase('paid_invoices', between, after)).toBe(1);
      expect(increase('total_outstanding', before, between)).toBeCloseTo(decimal(invoice['amount']));
      expect(increase('total_overdue', before, after)).toBeCloseTo(0);
    } else {
      expect(increase('total_invoices', before, between)).toBeGreaterThanOrEqual(1);
      expect(increase('paid_invoices', between, after)).toBeGreaterThanOrEqual(1);
    }
    expect(decimal(after['pending_invoices'])).toBeLessThanOrEqual(decimal(after['total_invoices']));
  });

  test('lists overdue invoices', async () => {
    const late = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const paid = await create({ date: dayFromNow(-9), due_date: dayFromNow(-3) });
    const early = await create();
    await service.markInvoicePaid(paid);
    const reply = await get(service, '/invoices/overdue');
    expectSuccess(reply, 200);
    const overdue = listAt(reply.body, 'data');
    expect(reply.body['count']).toBe(overdue.length);
    decimal(reply.body['total_outstanding']);
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
    expect(ids).not.toContain(early['id']);
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
