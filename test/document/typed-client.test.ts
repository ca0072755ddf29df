import { readFileSync } from 'node:fs';
import createClient, { type Client } from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { type paths, type Simulator, startSimulator } from '../../src/index.js';
import { createCheckedFetch } from '../support/checked-fetch.js';

// A client with types from the OpenAPI document, as TypeScript users would create it. The compiler is a part of the
// test: this file compiles only if request bodies and responses have the right types.

let simulator: Simulator;
let client: Client<paths>;

beforeAll(async () => {
  simulator = await startSimulator({ now: '2026-03-01T09:00:00Z' });
  client = createClient<paths>({
    baseUrl: simulator.baseUrl,
    headers: { Authorization: 'Bearer demo_full' },
    fetch: createCheckedFetch({ choices: {} }),
  });
});

afterAll(() => simulator.close());

test('the exported types are the same as those generated from the served document', async () => {
  const generated = await openapiTS(new URL(`${simulator.url}/openapi.json`));
  // The first line says that the file is generated.
  const [, ...exported] = readFileSync(new URL('../../src/generated/billing-types.ts', import.meta.url), 'utf8').split(
    '\n',
  );
  expect(astToString(generated)).toBe(exported.join('\n'));
});

describe('invoices', () => {
  test('are listed', async () => {
    const { data } = await client.GET('/invoices', { params: { query: { per_page: 2, page: 1 } } });
    expect(data?.data.data.map((invoice) => invoice.customer.name)).toEqual(['Ada Lovelace', 'Ada Lovelace']);
    expect(data?.data.last_page).toBe(5);
  });

  test('are created', async () => {
    const { data, response } = await client.POST('/invoices', {
      body: {
        customer_id: 2,
        date: '2026-03-01',
        due_date: '2026-03-31',
        items: [{ description: 'Translation', quantity: 2, unit_price: 100, tax_rate: 5.5 }],
      },
    });
    expect(response.status).toBe(201);
    expect(data?.message).toBe('Invoice created successfully');
    expect(data?.data.invoice_items[0]?.total).toBe(211);
  });

  test('are read', async () => {
    const { data } = await client.GET('/invoices/{invoice}', { params: { path: { invoice: 5 } } });
    expect(data?.data.subscription?.interval).toBe('month');
    expect(data?.data.transactions[0]?.payment_method).toBe('card');
    expect(data?.data.customer.city).toBeNull();
  });

  test('have statistics', async () => {
    const { data } = await client.GET('/invoices/stats');
    expect(data?.data.total_overdue).toBe(912);
  });

  test('that are overdue are listed', async () => {
    const { data } = await client.GET('/invoices/overdue');
    expect(data?.count).toBe(2);
    expect(data?.data.map((invoice) => invoice.days_overdue)).toEqual([10, 15]);
  });

  test('can have a reminder sent', async () => {
    const { data } = await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 7 } } });
    expect(data?.message).toBe('Invoice reminder sent successfully');
  });
});

describe('payment links', () => {
  test('are created', async () => {
    const { data } = await client.POST('/payment-links', {
      body: { description: 'Typed', amount: 12.5, currency: 'CHF' },
    });
    expect(data?.data.url).toBe(`${simulator.url}/pay/typed`);
  });

  test('are listed', async () => {
    const { data } = await client.GET('/payment-links', { params: { query: { per_page: 1, page: 3 } } });
    expect(data?.data.data[0]?.revenue).toBe(149.9);
  });
});

test('payments are listed', async () => {
  const { data } = await client.GET('/payments', {
    params: { query: { description: 'atelier', status: 'paid', from: '2026-02-01', to: '2026-02-28' } },
  });
  expect(data?.data.data.map((payment) => payment.customer.name)).toEqual(['Ada Lovelace']);
});

describe('deposits', () => {
  test('are created', async () => {
    const { data } = await client.POST('/deposits', {
      params: { header: { 'Idempotency-Key': 'typed' } },
      body: {
        booking_reference: 'BK-T',
        amount: 80,
        currency: 'EUR',
        customer: { name: 'Ada', email: 'ada@guest.example' },
        metadata: { room: '12', guests: 2 },
      },
    });
    expect(data?.data.status).toBe('pending');
    expect(data?.data.authorization_url).toBe(`${simulator.url}/authorize/8`);
  });

  test('are created with only the required fields', async () => {
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-U', amount: 80 } });
    expect(data?.data.currency).toBe('EUR');
  });

  test('are listed', async () => {
    const { data } = await client.GET('/deposits', { params: { query: { status: 'partially_captured' } } });
    expect(data?.data.data.map((deposit) => deposit.remaining_amount)).toEqual([379.5]);
  });

  test('are read', async () => {
    const { data } = await client.GET('/deposits/{id}', { params: { path: { id: 2 } } });
    expect(data?.data.expires_at).toBe('2026-03-06T09:00:00+00:00');
  });

  test('are captured', async () => {
    const { data } = await client.POST('/deposits/{id}/capture', {
      params: { path: { id: 2 } },
      body: { amount: 50, description: 'Towels' },
    });
    expect(data?.data.captured_amount).toBe(50);
  });

  test('are released', async () => {
    const { data } = await client.POST('/deposits/{id}/release', { params: { path: { id: 3 } } });
    expect(data?.data.released_at).toBe('2026-03-01T09:00:00+00:00');
  });
});

test('errors have their own type', async () => {
  const { data, error, response } = await client.GET('/deposits', { params: { query: { per_page: 0 } } });
  expect(response.status).toBe(422);
  expect(data).toBeUndefined();
  expect(error?.errors?.['per_page']).toEqual(['The per page field must be at least 1.']);
});

// Only `npm run types` checks these: at run time, `expectTypeOf` does nothing.
describe('the types do not allow', () => {
  test('an unknown status', () => {
    expectTypeOf<{ status: 'pending' }>().toExtend<Query<'/deposits'>>();
    expectTypeOf<{ status: 'lost' }>().not.toExtend<Query<'/deposits'>>();
  });

  test('a body without a required field', () => {
    expectTypeOf<{ description: string; amount: number; currency: 'EUR' }>().toExtend<Body<'/payment-links'>>();
    expectTypeOf<{ description: string; currency: 'EUR' }>().not.toExtend<Body<'/payment-links'>>();
  });
});

type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Inferred } } }
  ? Inferred
  : never;
type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Inferred } } };
}
  ? Inferred
  : never;
