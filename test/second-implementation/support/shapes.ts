import { expect } from 'vitest';
import type { Json, JsonObject } from '../json.js';
import { listAt, objectAt, type Reply } from './client.js';

/** Expects a decimal, as a JSON number or a string, and returns it as a number. */
export function expectDecimal(value: Json | undefined): number {
  if (typeof value === 'string') expect(value).toMatch(/^-?\d+(\.\d+)?$/);
  else expect(value).toBeTypeOf('number');
  return Number(value);
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const optionalText = expect.toBeOneOf([expect.any(String), null, undefined]);
const integer = expect.toSatisfy(Number.isSafeInteger);
const currency = expect.stringMatching(/^[A-Z]{3}$/);
const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

export function expectRateHeaders({ headers }: Reply): void {
  expect(headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
  expect(headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
  const reset = headers.get('X-RateLimit-Reset') ?? '';
  if (!timestamp.test(reset)) expect(reset).toMatch(/^\d+$/);
}

export function expectClientError(reply: Reply, ...statuses: number[]): void {
  expectRateHeaders(reply);
  expect(statuses).toContain(reply.status);
  expect(reply.headers.get('Content-Type')).toContain('application/json');
  expect(reply.body).toMatchObject({ success: false, error: expect.any(String) });
  const { errors } = reply.body;
  if (errors === undefined) return;
  for (const messages of Object.values(objectAt(errors))) {
    expect(messages).toEqual(expect.arrayContaining([expect.any(String)]));
  }
}

export function expectSuccess(reply: Reply, ...statuses: number[]): void {
  expectRateHeaders(reply);
  expect(statuses).toContain(reply.status);
  expect(reply.headers.get('Content-Type')).toContain('application/json');
  expect(reply.body['success']).toBe(true);
}

/** Expects a page, and returns its records. */
export function expectPage(reply: Reply, page: number, size: number): JsonObject[] {
  expectSuccess(reply, 200);
  expect(reply.body['data']).toMatchObject({ current_page: page, per_page: size, total: integer });
  const records = listAt(reply.body, 'data', 'data');
  expect(records.length).toBeLessThanOrEqual(size);
  return records;
}

export function expectInvoice(invoice: JsonObject): void {
  expect(invoice).toMatchObject({
    id: integer,
    invoice_number: expect.any(String),
    currency,
    status: expect.toBeOneOf(['draft', 'pending', 'sent', 'viewed', 'paid', 'partial', 'overdue', 'cancelled']),
    date: day,
    due_date: day,
    customer: { id: integer, name: expect.any(String), email: expect.any(String) },
  });
  expect(invoice['reference']).toEqual(optionalText);
  expectDecimal(invoice['amount']);
  expect(String(invoice['due_date']) >= String(invoice['date'])).toBe(true);
  for (const item of listAt(invoice, 'invoice_items')) {
    expect(item['description']).toBeTypeOf('string');
    for (const field of ['quantity', 'unit_price', 'tax_rate', 'total']) expectDecimal(item[field]);
  }
}

export function expectLink(link: JsonObject): void {
  expect(link).toMatchObject({
    id: integer,
    url: expect.stringMatching(/^https?:\/\//),
    description: expect.any(String),
    currency,
    created_at: expect.stringMatching(timestamp),
  });
  expectDecimal(link['amount']);
}

export function expectPayment(payment: JsonObject): void {
  expect(payment).toMatchObject({
    id: integer,
    description: expect.any(String),
    currency,
    status: expect.toBeOneOf(['paid', 'open', 'pending', 'failed']),
    payment_method: expect.any(String),
    reference: expect.any(String),
    created_at: expect.stringMatching(timestamp),
    customer: { id: integer, name: expect.any(String), email: expect.any(String) },
  });
  expectDecimal(payment['amount']);
  if (payment['status'] === 'paid') expect(payment['paid_at']).toMatch(timestamp);
}
