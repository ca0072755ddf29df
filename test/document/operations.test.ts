import type { OpenAPIV3_1 } from 'openapi-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingDocument, type OperationId, operationIds } from '../../src/generated/billing-document.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { type AppServer, openAppServer } from '../support/app-server.js';
import { createCheckedFetch } from '../support/checked-fetch.js';

/**
 * Every operation can respond with every status that the document lists for it, and error messages are those of the
 * document's examples. `createCheckedFetch` also checks each response against the schemas of the document.
 */

const now = '2026-03-01T09:00:00Z';

interface SampleRequest {
  readonly path: string;
  readonly body?: unknown;
}

/** Requests that succeed in the `demo` account, where deposit 1 is pending, 2 authorized and 3 partially captured. */
const successfulRequests: Record<OperationId, SampleRequest & { readonly method: 'GET' | 'POST' }> = {
  listInvoices: { method: 'GET', path: '/invoices?per_page=3&page=2' },
  createInvoice: {
    method: 'POST',
    path: '/invoices',
    body: {
      customer_id: 1,
      invoice_number: 'A-1',
      reference: 'PO-1',
      date: '2026-03-01',
      due_date: '2026-03-01',
      notes: 'Thank you.',
      items: [{ description: 'Consulting', quantity: 0.01, unit_price: 100, tax_rate: 20 }],
    },
  },
  getInvoice: { method: 'GET', path: '/invoices/5' },
  getInvoiceStats: { method: 'GET', path: '/invoices/stats' },
  listOverdueInvoices: { method: 'GET', path: '/invoices/overdue' },
  sendInvoiceReminder: { method: 'POST', path: '/invoices/2/reminder' },
  createPaymentLink: { method: 'POST', path: '/payment-links', body: { description: 'March', amount: 19.99 } },
  listPaymentLinks: { method: 'GET', path: '/payment-links?per_page=2' },
  listPayments: { method: 'GET', path: '/payments?description=CONSULTING&status=paid&from=2026-01-01&to=2026-03-01' },
  createDeposit: {
    method: 'POST',
    path: '/deposits',
    body: {
      booking_reference: 'BK-1',
      amount: 100,
      currency: 'CHF',
      customer: { name: 'Ada', email: 'ada@guest.example' },
      check_in_date: '2026-03-10',
      check_out_date: '2026-03-10',
      metadata: { room: 'Sea view', guests: 2, breakfast: true, remark: null },
    },
  },
  listDeposits: { method: 'GET', path: '/deposits?booking_reference=BK-1002&status=authorized' },
  getDeposit: { method: 'GET', path: '/deposits/3' },
  captureDeposit: { method: 'POST', path: '/deposits/2/capture', body: { amount: 120, description: 'Lamp' } },
  releaseDeposit: { method: 'POST', path: '/deposits/3/release' },
};

/** Requests that an operation refuses with a status, keyed by operation and status. */
const refusedRequests: Partial<Record<`${OperationId} ${400 | 404 | 409 | 422}`, SampleRequest>> = {
  'sendInvoiceReminder 400': { path: '/invoices/5/reminder' },

  'getInvoice 404': { path: '/invoices/999999' },
  'sendInvoiceReminder 404': { path: '/invoices/999999/reminder' },
  'getDeposit 404': { path: '/deposits/999999' },
  'captureDeposit 404': { path: '/deposits/999999/capture', body: {} },
  'releaseDeposit 404': { path: '/deposits/999999/release' },

  'captureDeposit 409': { path: '/deposits/1/capture', body: {} },
  'releaseDeposit 409': { path: '/deposits/1/release' },

  'listInvoices 422': { path: '/invoices?per_page=0' },
  'createInvoice 422': { path: '/invoices', body: { items: [] } },
  'createPaymentLink 422': { path: '/payment-links', body: { description: 1 } },
  'listPaymentLinks 422': { path: '/payment-links?per_page=x' },
  'listPayments 422': { path: '/payments?from=yesterday' },
  'createDeposit 422': { path: '/deposits', body: [] },
  'listDeposits 422': { path: '/deposits?status=lost' },
  // More than the remaining amount, which is 379.50.
  'captureDeposit 422': { path: '/deposits/3/capture', body: { amount: 379.51 } },
};

const listedResponses = operationIds.flatMap((id) =>
  Object.entries(findOperation(id).responses ?? {}).flatMap(([status, response]) =>
    status === 'default' ? [] : [{ id, status: Number(status), response }],
  ),
);

let simulator: Simulator;
let rateLimitedSimulator: Simulator;
let serverWithFullDisk: AppServer;

beforeAll(async () => {
  simulator = await startSimulator({ now, rateLimit: false });
  rateLimitedSimulator = await startSimulator({ now });
  // Uses up the burst of 100 requests per minute.
  for (let used = 0; used < 100; used++) {
    await fetch(`${rateLimitedSimulator.baseUrl}/invoices/stats`, { headers: { Authorization: 'Bearer demo_full' } });
  }
  serverWithFullDisk = await openAppServer({
    seed: 'demo',
    now,
    append: () => Promise.reject(new Error('the disk is full')),
  });
});

afterAll(async () => {
  await Promise.all([simulator.close(), rateLimitedSimulator.close(), serverWithFullDisk.close()]);
});

describe.each(listedResponses)('$id', ({ id, status, response }) => {
  test(`can respond with ${status}`, async () => {
    const received = await causeStatus(id, status);
    expect(received.status).toBe(status);
    if (status >= 400 && status !== 422) expect(exampleErrors(response)).toContain(errorOf(await received.json()));
  });
});

describe('validation errors are the same as in the example of the document:', () => {
  test.each<[id: OperationId, example: string, request: Partial<SampleRequest>]>([
    ['listInvoices', 'query', { path: '/invoices?per_page=0' }],
    ['listPaymentLinks', 'query', { path: '/payment-links?per_page=0' }],
    ['listPayments', 'query', { path: '/payments?per_page=0' }],
    ['listPayments', 'filter', { path: '/payments?status=unknown' }],
    ['listDeposits', 'query', { path: '/deposits?per_page=0' }],
    ['listDeposits', 'filter', { path: '/deposits?status=unknown' }],
    [
      'createInvoice',
      'body',
      {
        body: {
          customer_id: 1,
          date: '2026-03-31',
          due_date: '2026-03-30',
          items: [{ description: 'Consulting', quantity: 0, unit_price: 450 }],
        },
      },
    ],
    ['createPaymentLink', 'body', { body: { amount: 'a lot' } }],
    [
      'createDeposit',
      'body',
      {
        body: {
          booking_reference: 'BK-1',
          amount: 'a lot',
          check_in_date: '2026-07-14',
          check_out_date: '2026-07-10',
        },
      },
    ],
    ['captureDeposit', 'body', { body: { amount: 'a lot' } }],
  ])('%s, %s', async (id, example, request) => {
    const response = await send(simulator.baseUrl, { ...successfulRequests[id], ...request });
    expect(responseExamples(findOperation(id).responses?.['422'])[example]).toEqual({ value: await response.json() });
  });
});

describe('an unknown operation is refused:', () => {
  test.each([
    ['DELETE', '/invoices', 405],
    ['PATCH', '/deposits/1', 405],
    ['POST', '/payments', 405],
    ['GET', '/customers', 404],
    ['GET', '/invoices/', 404],
  ])('%s %s with %d', async (method, path, status) => {
    const response = await send(simulator.baseUrl, { method, path });
    expect(response.status).toBe(status);
  });
});

describe('HEAD is accepted by the operation', () => {
  test.each(operationIds.filter((id) => successfulRequests[id].method === 'GET'))('%s', async (id) => {
    const response = await send(simulator.baseUrl, { method: 'HEAD', path: successfulRequests[id].path });
    expect(response.status).toBe(200);
  });
});

/** Sends a request to an operation that makes it respond with a status. */
function causeStatus(id: OperationId, status: number): Promise<Response> {
  const { method, path, body } = successfulRequests[id];
  const request = { method, path, body };
  switch (status) {
    case 401:
      return send(simulator.baseUrl, { ...request, token: 'made_up' });
    case 403:
      return send(simulator.baseUrl, { ...request, token: method === 'GET' ? 'demo_write' : 'demo_read' });
    case 413:
      return send(simulator.baseUrl, { ...request, body: { description: 'x'.repeat(100_001) } });
    case 415:
      return send(simulator.baseUrl, { ...request, contentType: 'application/x-www-form-urlencoded' });
    case 429:
      return send(rateLimitedSimulator.baseUrl, request);
    case 503:
      return send(serverWithFullDisk.baseUrl, request);
    case 400:
    case 404:
    case 409:
    case 422: {
      const refusedRequest = refusedRequests[`${id} ${status}`];
      if (refusedRequest) return send(simulator.baseUrl, { method, ...refusedRequest });
      if (status === 400) return send(simulator.baseUrl, { ...request, text: '{"amount": 1' });
      throw new Error(`${id} has no request in this test that causes ${status}`);
    }
    default:
      return send(simulator.baseUrl, request);
  }
}

interface RequestToSend {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`; it need not be JSON. */
  readonly text?: string;
  readonly token?: string;
  readonly contentType?: string;
}

const checkedFetch = createCheckedFetch({ choices: {} });

function send(baseUrl: string, request: RequestToSend): Promise<Response> {
  const { method, path, body, token = 'demo_full', contentType = 'application/json' } = request;
  const text = request.text ?? (body === undefined ? undefined : JSON.stringify(body));
  return checkedFetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(text === undefined ? {} : { 'Content-Type': contentType }) },
    ...(text === undefined ? {} : { body: text }),
  });
}

function findOperation(id: OperationId): OpenAPIV3_1.OperationObject {
  for (const { get, post } of Object.values(billingDocument.paths ?? {}).map((item) => item ?? {})) {
    if (get?.operationId === id) return get;
    if (post?.operationId === id) return post;
  }
  throw new Error(`the document has no operation ${id}`);
}

type ResponseOrReference = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject | undefined;

/** Returns the `error` field of each example of a response. */
function exampleErrors(response: ResponseOrReference): unknown {
  return Object.values(responseExamples(response)).map((example) =>
    'value' in example ? errorOf(example.value) : undefined,
  );
}

/** Returns the examples of a response by name. */
function responseExamples(
  response: ResponseOrReference,
): Readonly<Record<string, OpenAPIV3_1.ExampleObject | OpenAPIV3_1.ReferenceObject>> {
  if (!response || !('$ref' in response)) throw new Error('the response is not a reference to a shared response');
  const name = response.$ref.slice('#/components/responses/'.length);
  const definition = billingDocument.components?.responses?.[name];
  if (!definition || '$ref' in definition) throw new Error(`there is nothing at ${response.$ref}`);
  return definition.content?.['application/json']?.examples ?? {};
}

function errorOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
