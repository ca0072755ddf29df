import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { createCheckedFetch, DeviationError } from '../support/checked-fetch.js';

/**
 * Many tests send requests with `createCheckedFetch`, which throws if a response does not match the OpenAPI document.
 * This file tests `createCheckedFetch` itself, with a server that sends whatever response a test wants.
 */

/** Response that the server of this test is to send. Omitted fields have valid values. */
interface ResponseToSend {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const rateLimitHeaders = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1775034060',
};
const statistics = {
  total_invoices: 1,
  pending_invoices: 1,
  paid_invoices: 0,
  overdue_invoices: 0,
  total_outstanding: 10.5,
  total_overdue: 0,
  currency: 'EUR',
};
const errorBody = '{"success":false,"error":"Unauthenticated."}';

function successBody(data: unknown): string {
  return JSON.stringify({ success: true, data });
}

let nextResponse: ResponseToSend = {};
let baseUrl = '';
const server = createServer((_request, response) => {
  const { status = 200, headers = rateLimitHeaders, body = successBody(statistics) } = nextResponse;
  // Closes each connection: compiling a document takes so long that an idle connection could time out just when it is
  // reused.
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

/** Makes the server send a response to a GET request, and returns the response if it matches the document. */
function fetchChecked(
  responseToSend: ResponseToSend,
  choices: Choices = {},
  path = '/invoices/stats',
): Promise<Response> {
  nextResponse = responseToSend;
  const checkedFetch = createCheckedFetch({ choices });
  return checkedFetch(`${baseUrl}${path}`, { headers: { Authorization: 'Bearer a-token' } });
}

describe('accepts', () => {
  test.each<[name: string, responseToSend: ResponseToSend, choices: Choices, path?: string]>([
    ['a response that matches the document', {}, {}],
    ['an optional field', { body: JSON.stringify({ success: true, message: 'Here', data: statistics }) }, {}],
    ['an error that the operation lists', { status: 401, body: errorBody }, {}],
    [
      'an unlisted error that a fault has caused',
      { status: 418, headers: { ...rateLimitHeaders, 'X-Sim-Fault': 'status' }, body: errorBody },
      {},
    ],
    ['any error of an unknown operation', { status: 418, body: errorBody }, {}, '/customers'],
    [
      'amounts as strings if the profile says so',
      { body: successBody({ ...statistics, total_outstanding: '10.50', total_overdue: '0.00' }) },
      { 'decimal.encoding': 'string' },
    ],
    [
      'a timestamp in X-RateLimit-Reset if the profile says so',
      { headers: { ...rateLimitHeaders, 'X-RateLimit-Reset': '2026-04-01T09:01:00+00:00' } },
      { 'rate.reset-unit': 'iso' },
    ],
  ])('%s', async (_name, responseToSend, choices, path) => {
    await expect(fetchChecked(responseToSend, choices, path)).resolves.toMatchObject({
      status: responseToSend.status ?? 200,
    });
  });
});

describe('throws for', () => {
  test.each<[name: string, responseToSend: ResponseToSend, message: string, choices?: Choices]>([
    ['an unlisted success status', { status: 204, body: '' }, '204 is not'],
    ['an unlisted error status', { status: 418, body: errorBody }, '418 is not'],
    [
      'an empty rate-limit header',
      { headers: { ...rateLimitHeaders, 'X-RateLimit-Reset': '' } },
      'header X-RateLimit-Reset',
    ],
    ['a missing rate-limit header', { headers: {} }, 'header X-RateLimit-Limit: is missing'],
    [
      'a header that is not a number',
      { headers: { ...rateLimitHeaders, 'X-RateLimit-Limit': 'many' } },
      'X-RateLimit-Limit: many',
    ],
    [
      'another content type',
      { headers: { ...rateLimitHeaders, 'Content-Type': 'text/html' } },
      'content type: text/html',
    ],
    ['a body that is not JSON', { body: '{' }, 'body: is not JSON'],
    ['a missing field', { body: successBody({}) }, "must have required property 'total_invoices'"],
    ['a missing envelope', { body: JSON.stringify(statistics) }, "must have required property 'success'"],
    ['status 200 and `success: false`', { body: '{"success":false}' }, 'body/success: must be equal to constant'],
    [
      'a field of another type',
      { body: successBody({ ...statistics, total_overdue: '0' }) },
      'body/data/total_overdue: must be number',
    ],
    [
      'an unknown field',
      { body: successBody({ ...statistics, color: 'red' }) },
      'body/data/color: the document does not name it',
    ],
    [
      'amounts as numbers if the profile says strings',
      {},
      'body/data/total_overdue: must be string',
      { 'decimal.encoding': 'string' },
    ],
  ])('%s', async (_name, responseToSend, message, choices) => {
    const checkedResponse = fetchChecked(responseToSend, choices);
    await expect(checkedResponse).rejects.toThrow(DeviationError);
    await expect(checkedResponse).rejects.toThrow(message);
  });
});

test('the error names the request', async () => {
  await expect(fetchChecked({ body: successBody({}) })).rejects.toThrow(
    'GET /api/v1/invoices/stats returned 200, which does not match the document',
  );
});

test('throws for an invoice whose due date is before its date', async () => {
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
  await expect(fetchChecked({ body: successBody(page) }, {}, '/invoices')).rejects.toThrow('body/data/data/0/due_date');
});
