import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** A request with its expected status. */
interface TestRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE' | 'OPTIONS';
  readonly path: string;
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Options of the request that the other properties do not cover. */
  readonly options?: Partial<RequestToSend>;
  /** `demo_full` by default. */
  readonly token?: string | undefined;
  /** Expected under the default profile. */
  readonly status: number;
}

const invoice = {
  customer_id: 1,
  date: '2026-03-01',
  due_date: '2026-03-31',
  items: [{ description: 'Work', quantity: 1.5, unit_price: 19.99, tax_rate: 19 }],
};
const deposit = {
  booking_reference: 'BK-77',
  amount: 300,
  currency: 'EUR',
  customer: { name: 'Ada', email: 'ada@a.example' },
  check_in_date: '2026-03-02',
  check_out_date: '2026-03-04',
  metadata: { room: '7', 'x.y/z~': 1, ['__proto__']: null },
};

const get = (path: string, status = 200, overrides: Partial<TestRequest> = {}): TestRequest => ({
  method: 'GET',
  path,
  status,
  ...overrides,
});
const post = (path: string, status: number, json?: unknown, overrides: Partial<TestRequest> = {}): TestRequest => ({
  method: 'POST',
  path,
  status,
  json,
  ...overrides,
});
const withHeaders = (...headers: string[]): Partial<TestRequest> => ({ options: { headers } });

/** Requests to the `demo` account in March 2026, in this order. Every operation succeeds at least once; many fail. */
const requests: readonly TestRequest[] = [
  get('/invoices'),
  get('/invoices?per_page=2&page=2'),
  get('/invoices?per_page=500'),
  get('/invoices?page=1000000'),
  get('/invoices?per_page=0', 422),
  get('/invoices?page=abc', 422),
  get('/invoices?page=1&page=2', 422),
  get('/invoices', 401, { token: undefined }),
  get('/invoices', 401, { token: 'made_up' }),
  get('/invoices', 403, { token: 'demo_write' }),
  { method: 'HEAD', path: '/invoices', status: 200 },
  { method: 'HEAD', path: '/invoices/1', status: 200 },
  get('/invoices/1'),
  get('/invoices/5'),
  get('/invoices/999', 404),
  get('/invoices/abc', 404),
  get('/invoices/', 404),
  get('/invoices/stats'),
  get('/invoices/overdue'),
  post('/invoices', 201, invoice),
  post('/invoices', 201, { ...invoice, reference: 'PO-9', invoice_number: 'MY-1', notes: 'Thanks' }),
  post('/invoices', 422, { ...invoice, invoice_number: 'MY-1' }),
  post('/invoices', 422, { ...invoice, customer_id: 999 }),
  post('/invoices', 422, { ...invoice, items: [] }),
  post('/invoices', 422, { ...invoice, due_date: '2026-02-01' }),
  post('/invoices', 422, {}),
  post('/invoices', 422, null),
  post('/invoices', 403, invoice, { token: 'demo_read' }),
  post('/invoices', 400, undefined, { options: { body: '{"customer_id":' } }),
  post('/invoices', 413, { ...invoice, notes: 'x'.repeat(100_001) }),
  post('/invoices', 415, undefined, { options: { body: 'a=b', headers: ['Content-Type', 'text/plain'] } }),
  post('/invoices/2/reminder', 200),
  post('/invoices/5/reminder', 400),
  post('/invoices/999/reminder', 404),
  post('/invoices/abc/reminder', 404),
  post('/invoices/2/reminder', 403, undefined, { token: 'demo_read' }),
  post('/payment-links', 201, { description: 'Consulting April', amount: 149.9 }),
  post('/payment-links', 201, { description: 'Consulting April', amount: 19.99, currency: 'USD' }),
  post('/payment-links', 422, { description: 'x', amount: 1.005 }),
  post('/payment-links', 422, { description: 'x', amount: -1 }),
  post('/payment-links', 422, { description: 'x'.repeat(256), amount: 5 }),
  post('/payment-links', 422, { description: 'x', amount: 5, currency: 'Euro' }),
  get('/payment-links'),
  get('/payment-links?per_page=1&page=2'),
  get('/payments'),
  get('/payments?description=CONSULT&status=paid&from=2020-01-01&to=2030-01-01'),
  get('/payments?status=lost', 422),
  get('/payments?from=yesterday', 422),
  post('/deposits', 201, deposit, withHeaders('Idempotency-Key', 'key-1')),
  post('/deposits', 201, deposit, withHeaders('Idempotency-Key', 'key-1')),
  post('/deposits', 422, { ...deposit, amount: 1 }, withHeaders('Idempotency-Key', 'key-1')),
  post('/deposits', 201, { booking_reference: 'BK-78', amount: 0.01 }),
  post('/deposits', 422, { ...deposit, check_out_date: '2026-03-01' }),
  post('/deposits', 422, { amount: 5 }),
  get('/deposits'),
  get('/deposits?booking_reference=BK-77&status=pending&per_page=1'),
  get('/deposits?per_page=500'),
  get('/deposits/1'),
  get('/deposits/999', 404),
  post('/deposits/2/capture', 200, { amount: 20.5, description: 'Window' }),
  post('/deposits/2/capture', 422, { amount: 99_999 }),
  post('/deposits/2/capture', 200),
  post('/deposits/1/capture', 409, {}),
  post('/deposits/3/release', 200),
  post('/deposits/3/release', 409),
  post('/deposits/999/release', 404),
  { method: 'DELETE', path: '/invoices', status: 405 },
  { method: 'OPTIONS', path: '/invoices', status: 405 },
  get('/customers', 404),
  get('/', 404),
];

/** Outcome of a request. */
export interface RequestOutcome {
  readonly name: string;
  readonly expectedStatus: number;
  readonly reply: ReceivedResponse;
}

/** Sends every test request to a service, with the `demo_full` token unless it has another. */
export async function sendAllRequests(baseUrl: string): Promise<RequestOutcome[]> {
  const outcomes: RequestOutcome[] = [];
  const { pathname } = new URL(baseUrl);
  for (const request of requests) {
    const { method, path, json, options, status } = request;
    const reply = await sendHttpRequest(baseUrl, {
      method,
      path: `${pathname}${path}`,
      token: 'token' in request ? request.token : 'demo_full',
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...options,
    });
    outcomes.push({ name: `${method} ${path}`, expectedStatus: status, reply });
  }
  return outcomes;
}
