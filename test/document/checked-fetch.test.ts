import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { createCheckedFetch, DeviationError } from '../support/checked-fetch.js';

/** The client that other tests ask by lets nothing pass that the document does not say. */

interface RecordedCall {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const limits = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1775034060' };
const statistics = {
  total_invoices: 1,
  pending_invoices: 1,
  paid_invoices: 0,
  overdue_invoices: 0,
  total_outstanding: 10.5,
  total_overdue: 0,
  currency: 'EUR',
};
const refusal = '{"success":false,"error":"Unauthenticated."}';

function dataOf(data: unknown): string {
  return JSON.stringify({ success: true, data });
}

let made: RecordedCall = {};
let baseUrl = '';
const server = createServer((_request, response) => {
  const { status = 200, headers = limits, body = dataOf(statistics) } = made;
  // A connection that idles while a document is compiled may end just when it is used again.
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close', ...headers });
  response.end(body);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address === 'object' && address !== null) baseUrl = `http://127.0.0.1:${address.port}/api/v1`;
});

afterAll(() => {
  server.close();
});

function ask(answer: RecordedCall, choices: Choices = {}, path = '/invoices/stats'): Promise<Response> {
  made = answer;
  const checkedFetch = createCheckedFetch({ choices });
  const token = answer.status === 401 ? 'unknown' : 'known';
  return checkedFetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

describe('lets pass', () => {
  test.each<[string, RecordedCall, Choices, string?]>([
    ['what the document says', {}, {}],
    ['a field that is optional', { body: JSON.stringify({ success: true, message: 'Here', data: statistics }) }, {}],
    ['an error that is listed', { status: 401, body: refusal }, {}],
    [
      'an error that only the default covers, where a fault has made it',
      { status: 418, headers: { ...limits, 'X-Sim-Fault': 'status' }, body: refusal },
      {},
    ],
    ['an error of what is not an operation', { status: 418, body: refusal }, {}, '/customers'],
    [
      'amounts as text, where the profile says so',
      { body: dataOf({ ...statistics, total_outstanding: '10.50', total_overdue: '0.00' }) },
      { 'decimal.encoding': 'string' },
    ],
    [
      'a timestamp as reset, where the profile says so',
      { headers: { ...limits, 'X-RateLimit-Reset': '2026-04-01T09:01:00+00:00' } },
      { 'rate.reset-unit': 'iso' },
    ],
  ])('%s', async (_what, answer, choices, path) => {
    await expect(ask(answer, choices, path)).resolves.toMatchObject({ status: answer.status ?? 200 });
  });
});

describe('refuses', () => {
  test.each<[string, RecordedCall, string, Choices?]>([
    ['a success that is not listed', { status: 204, body: '' }, '204 is not'],
    ['an error that is not listed', { status: 418, body: refusal }, '418 is not'],
    ['no rate-limit header', { headers: { ...limits, 'X-RateLimit-Reset': '' } }, 'header X-RateLimit-Reset'],
    ['a missing rate-limit header', { headers: {} }, 'header X-RateLimit-Limit: is missing'],
    ['another form of a header', { headers: { ...limits, 'X-RateLimit-Limit': 'many' } }, 'X-RateLimit-Limit: many'],
    ['another type of content', { headers: { ...limits, 'Content-Type': 'text/html' } }, 'content type: text/html'],
    ['what is not JSON', { body: '{' }, 'body: is not JSON'],
    ['a missing field', { body: dataOf({}) }, "must have required property 'total_invoices'"],
    ['a missing envelope', { body: JSON.stringify(statistics) }, "must have required property 'success'"],
    ['a 2xx with `success: false`', { body: '{"success":false}' }, 'body/success: must be equal to constant'],
    [
      'a field of another type',
      { body: dataOf({ ...statistics, total_overdue: '0' }) },
      'body/data/total_overdue: must be number',
    ],
    [
      'a field that the document does not name',
      { body: dataOf({ ...statistics, colour: 'red' }) },
      'body/data/colour: the document does not name it',
    ],
    [
      'amounts as numbers, where the profile says text',
      {},
      'body/data/total_overdue: must be string',
      { 'decimal.encoding': 'string' },
    ],
  ])('%s', async (_what, answer, why, choices) => {
    const refused = ask(answer, choices);
    await expect(refused).rejects.toThrow(DeviationError);
    await expect(refused).rejects.toThrow(why);
  });
});

test('names the request', async () => {
  await expect(ask({ body: dataOf({}) })).rejects.toThrow(
    'GET /api/v1/invoices/stats returned 200, which does not match the document',
  );
});

test('checks a due date against the date of its invoice', async () => {
  const invoice = {
    id: 1,
    invoice_number: 'A',
    amount: 1,
    currency: 'EUR',
    status: 'pending',
    date: '2026-03-02',
    due_date: '2026-03-01',
    customer: { id: 1, name: 'Ada', email: 'ada@guest.example' },
    invoice_items: [],
  };
  const page = { current_page: 1, data: [invoice], per_page: 25, total: 1, last_page: 1 };
  await expect(ask({ body: dataOf(page) }, {}, '/invoices')).rejects.toThrow('body/data/data/0/due_date');
});
