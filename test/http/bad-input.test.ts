import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { expectJson, expectServiceJson, invalidFieldBody } from '../support/envelope.js';
import { sendRaw } from '../support/raw.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** Authorization, paths, methods and bodies that are invalid as a whole. `bad-values.test.ts` tests invalid fields. */

const log: string[] = [];
let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'bad input',
    rateLimit: false,
    log: (line) => log.push(line),
  });
});

afterAll(() => sim.close());

const callService = (request: RequestToSend): Promise<ReceivedResponse> =>
  sendHttpRequest(sim.url, { ...request, path: `/api/v1${request.path}` });

/** Sends bytes over a new connection, and returns the first response. */
async function sendBytes(bytes: string): Promise<ReceivedResponse> {
  const [response] = await sendRaw(sim.url, bytes);
  if (!response) throw new Error('no response');
  const { status, headers, body: text } = response;
  return { status, headers, text };
}

const unauthenticated = { success: false, error: 'Unauthenticated.' };
const missingScope = { success: false, error: 'Invalid scope(s) provided.' };
const routeNotFound = { success: false, error: 'Route not found' };
const invoiceNotFound = { success: false, error: 'Invoice not found' };
const depositNotFound = { success: false, error: 'Deposit not found' };
const methodNotAllowed = { success: false, error: 'Method not allowed' };
const invalidJson = { success: false, error: 'The request body is not valid JSON.' };
const unsupportedContentType = { success: false, error: 'The request body must be application/json.' };
const tooLarge = { success: false, error: 'The request body is larger than 100 kB.' };

test('a URL with characters that are not ASCII is refused with a hint to encode them', async () => {
  const path = '/api/v1/deposits?booking_reference=Zoë';
  const response = await sendBytes(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(response.status).toBe(400);
  expect(response.headers['x-sim-hint']).toMatch(/^percent-encode characters of the URL that are not ASCII/);
});

describe('authorization', () => {
  test.each<{ name: string; headers: string[] }>([
    { name: 'no header', headers: [] },
    { name: 'an empty header', headers: ['Authorization', ''] },
    { name: 'only a scheme', headers: ['Authorization', 'Bearer'] },
    { name: 'a scheme and a space', headers: ['Authorization', 'Bearer '] },
    { name: 'a token without a scheme', headers: ['Authorization', 'demo_full'] },
    { name: 'another scheme', headers: ['Authorization', 'Basic ZGVtb19mdWxsOg=='] },
    { name: 'an unknown token', headers: ['Authorization', 'Bearer demo_fool'] },
    { name: 'a token in another case', headers: ['Authorization', 'Bearer DEMO_FULL'] },
    { name: 'a token of 8,000 characters', headers: ['Authorization', `Bearer ${'a'.repeat(8000)}`] },
    { name: 'a token twice in one header', headers: ['Authorization', 'Bearer demo_full demo_full'] },
    { name: 'two credentials in one header', headers: ['Authorization', 'Bearer demo_full, Bearer demo_read'] },
    { name: 'two headers', headers: ['Authorization', 'Bearer demo_full', 'Authorization', 'Bearer demo_read'] },
    { name: 'two equal headers', headers: ['Authorization', 'Bearer demo_full', 'Authorization', 'Bearer demo_full'] },
  ])('fails with $name', async ({ headers }) => {
    expectServiceJson(await callService({ path: '/invoices', headers }), 401, unauthenticated);
  });

  test('fails with the token in the query', async () => {
    expectServiceJson(await callService({ path: '/invoices?access_token=demo_full' }), 401, unauthenticated);
  });

  test.each(['bearer demo_full', 'BEARER demo_full', 'Bearer  demo_full'])('succeeds with `%s`', async (value) => {
    const { status } = await callService({ path: '/invoices', headers: ['Authorization', value] });
    expect(status).toBe(200);
  });

  test.each<{ name: string; request: RequestToSend }>([
    { name: 'a read with a write token', request: { path: '/invoices', token: 'demo_write' } },
    {
      name: 'a write with a read token',
      request: { method: 'POST', path: '/deposits', body: '{}', token: 'demo_read' },
    },
    {
      name: 'a write of broken JSON with a read token',
      request: { method: 'POST', path: '/deposits', body: '{', token: 'demo_read' },
    },
  ])('fails with 403 for $name', async ({ request }) => {
    expectServiceJson(await callService(request), 403, missingScope);
  });

  test('is checked before the path', async () => {
    expectServiceJson(await callService({ path: '/nothing' }), 401, unauthenticated);
  });
});

describe('a path', () => {
  test.each<{ name: string; path: string; body: object }>([
    { name: 'of an unknown resource', path: '/customers', body: routeNotFound },
    { name: 'with only the version', path: '', body: routeNotFound },
    { name: 'with a capital letter', path: '/Invoices', body: routeNotFound },
    { name: 'with a trailing slash', path: '/invoices/', body: routeNotFound },
    { name: 'with a slash after an id', path: '/invoices/1/', body: routeNotFound },
    { name: 'with a doubled slash', path: '//invoices', body: routeNotFound },
    { name: 'with an encoded slash', path: '/invoices%2F1', body: routeNotFound },
    { name: 'with an encoded slash in the id', path: '/invoices/1%2Freminder', body: invoiceNotFound },
    { name: 'with an encoded letter', path: '/%69nvoices', body: routeNotFound },
    { name: 'with a dot segment', path: '/invoices/../invoices', body: routeNotFound },
    { name: 'with only a percent sign after the slash', path: '/invoices/%', body: routeNotFound },
    { name: 'with a percent sign before letters', path: '/invoices/%ZZ', body: routeNotFound },
    { name: 'with a byte that is not UTF-8', path: '/invoices/%FF', body: routeNotFound },
    { name: 'with a NUL character as the id', path: '/invoices/%00', body: invoiceNotFound },
    { name: 'of 10,000 characters', path: `/${'a'.repeat(10_000)}`, body: routeNotFound },
    { name: 'with an id of 10,000 digits', path: `/invoices/${'1'.repeat(10_000)}`, body: invoiceNotFound },
    { name: 'with a deposit id of 10,000 digits', path: `/deposits/${'1'.repeat(10_000)}`, body: depositNotFound },
  ])('$name is not found', async ({ path, body }) => {
    expectServiceJson(await callService({ path, token: 'demo_full' }), 404, body);
  });

  test.each(['/nothing', '/api', '/api/v2/invoices', '/API/v1/invoices', '/%2e%2e/invoices'])(
    '%s, which is outside of the service, is not found',
    async (path) => {
      const response = await sendHttpRequest(sim.url, { path, token: 'demo_full' });
      expectJson(response, 404, routeNotFound);
    },
  );

  test('that is too long for the 16 kB limit on the request line and headers is refused with 431', async () => {
    const path = `/api/v1/${'a'.repeat(20_000)}`;
    expectServiceJson(await sendBytes(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`), 431, {
      success: false,
      error: 'The request line and headers are too large.',
    });
  });
});

describe('an unsupported method', () => {
  test.each([
    ['DELETE', '/invoices', 'GET, HEAD, POST'],
    ['PUT', '/invoices', 'GET, HEAD, POST'],
    ['PATCH', '/invoices/1', 'GET, HEAD'],
    ['POST', '/invoices/1', 'GET, HEAD'],
    ['POST', '/invoices/stats', 'GET, HEAD'],
    ['POST', '/invoices/overdue', 'GET, HEAD'],
    ['GET', '/invoices/1/reminder', 'POST'],
    ['DELETE', '/payment-links', 'GET, HEAD, POST'],
    ['POST', '/payments', 'GET, HEAD'],
    ['TRACE', '/deposits', 'GET, HEAD, POST'],
    ['DELETE', '/deposits/1', 'GET, HEAD'],
    ['GET', '/deposits/1/capture', 'POST'],
    ['PUT', '/deposits/1/release', 'POST'],
  ])('%s %s is answered with 405 and Allow: %s', async (method, path, allow) => {
    const response = await callService({ method, path, token: 'demo_full' });
    expectServiceJson(response, 405, methodNotAllowed);
    expect(response.headers['allow']).toBe(allow);
  });

  test.each(['/nothing', '/invoices/', '/invoices/1/pay'])(
    'on the unknown path %s is answered with 404 rather than 405',
    async (path) => {
      expectServiceJson(await callService({ method: 'DELETE', path, token: 'demo_full' }), 404, routeNotFound);
    },
  );
});

const paymentLinkBody = '{"description":"bad input","amount":1}';

describe('a body', () => {
  const post = (request: Omit<RequestToSend, 'path'>): Promise<ReceivedResponse> =>
    callService({ method: 'POST', path: '/payment-links', token: 'demo_full', ...request });

  test.each<{ name: string; body: string | Buffer }>([
    { name: 'is text', body: 'hello' },
    { name: 'consists of spaces', body: '   ' },
    { name: 'is an HTML form', body: 'description=a&amount=1' },
    { name: 'ends too early', body: '{"description":"a"' },
    { name: 'has a brace after its end', body: `${paymentLinkBody}}` },
    { name: 'is two objects', body: paymentLinkBody + paymentLinkBody },
    { name: 'has a trailing comma', body: '{"description":"a","amount":1,}' },
    { name: 'has single quotes', body: "{'description':'a','amount':1}" },
    { name: 'has a comment', body: `/* a */${paymentLinkBody}` },
    { name: 'has NaN', body: '{"description":"a","amount":NaN}' },
    { name: 'has a number in hex', body: '{"description":"a","amount":0x10}' },
    { name: 'has a raw line break in a string', body: '{"description":"a\nb","amount":1}' },
    { name: 'has a raw NUL in a string', body: '{"description":"a\0b","amount":1}' },
    { name: 'is only a byte order mark', body: '\uFEFF' },
    { name: 'has two byte order marks', body: `\uFEFF\uFEFF${paymentLinkBody}` },
    { name: 'is 100 kB of `[`', body: '['.repeat(100_000) },
    { name: 'has a byte that is not UTF-8', body: Buffer.from('{"description":"\xE9t\xE9","amount":1}', 'latin1') },
  ])('that $name is not valid JSON', async ({ body }) => {
    expectServiceJson(await post({ body }), 400, invalidJson);
  });

  test.each<{ name: string; body: string }>([
    { name: 'an array', body: '[]' },
    { name: 'an array of objects', body: `[${paymentLinkBody}]` },
    { name: 'a string', body: '"a"' },
    { name: 'a number', body: '1' },
    { name: 'true', body: 'true' },
    { name: 'null', body: 'null' },
    { name: 'an array nested 49,000 levels deep', body: '['.repeat(49_000) + ']'.repeat(49_000) },
  ])('that is $name is not an object', async ({ body }) => {
    expectServiceJson(await post({ body }), 422, invalidFieldBody('body', 'The body field must be an object.'));
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=a'],
    ['application/vnd.api+json'],
    ['application/jsonp'],
    ['json'],
    [''],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-99'],
  ])('of the content type `%s` is refused', async (type) => {
    expectServiceJson(
      await post({ body: paymentLinkBody, headers: ['Content-Type', type] }),
      415,
      unsupportedContentType,
    );
  });

  test('with two Content-Type headers is refused', async () => {
    const headers = ['Content-Type', 'text/plain', 'Content-Type', 'application/json'];
    expectServiceJson(await post({ body: paymentLinkBody, headers }), 415, unsupportedContentType);
  });

  test('without a Content-Type is refused', async () => {
    const response = await sendBytes(
      `POST /api/v1/payment-links HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nConnection: close\r\nContent-Length: ${paymentLinkBody.length}\r\n\r\n${paymentLinkBody}`,
    );
    expectServiceJson(response, 415, unsupportedContentType);
  });

  test.each(['gzip', 'deflate', 'br', 'nonsense'])('with the Content-Encoding %s is refused', async (encoding) => {
    const headers = ['Content-Encoding', encoding];
    expectServiceJson(await post({ body: gzipSync(paymentLinkBody), headers }), 415, unsupportedContentType);
  });

  test.each<{ name: string; sizeBytes: number; chunked: boolean }>([
    { name: '100 kB and 1 byte', sizeBytes: 100_001, chunked: false },
    { name: '101 kB', sizeBytes: 101_000, chunked: false },
    { name: '101 kB in chunks', sizeBytes: 101_000, chunked: true },
    { name: '10 MB', sizeBytes: 10_000_000, chunked: false },
    { name: '10 MB in chunks', sizeBytes: 10_000_000, chunked: true },
  ])('of $name is too large', async ({ sizeBytes, chunked }) => {
    const response = await post({ body: `"${'a'.repeat(sizeBytes - 2)}"`, chunked });
    expectServiceJson(response, 413, tooLarge);
  });

  test('of exactly 100 kB is parsed', async () => {
    const response = await post({ body: `"${'a'.repeat(99_998)}"` });
    expectServiceJson(response, 422, invalidFieldBody('body', 'The body field must be an object.'));
  });
});

describe('a body is accepted', () => {
  test.each<{ name: string; account: string; headers?: string[]; body: Buffer }>([
    { name: 'if it begins with a byte order mark', account: 'bom', body: Buffer.from(`\uFEFF${paymentLinkBody}`) },
    {
      name: 'if its Content-Type is in another case and has a charset',
      account: 'charset',
      headers: ['Content-Type', 'Application/JSON; Charset=UTF-8'],
      body: Buffer.from(paymentLinkBody),
    },
    {
      name: 'if its Content-Type has the charset `utf8`',
      account: 'utf8',
      headers: ['Content-Type', 'application/json; charset="utf8"'],
      body: Buffer.from(paymentLinkBody),
    },
    {
      name: 'if its Content-Encoding is identity',
      account: 'identity',
      headers: ['Content-Encoding', 'identity'],
      body: Buffer.from(paymentLinkBody),
    },
  ])('$name', async ({ account, headers = [], body }) => {
    const { tokens } = await sim.createAccount({ id: account, now: '2026-03-01T09:00:00Z', randomSeed: account });
    const response = await callService({ method: 'POST', path: '/payment-links', token: tokens.full, headers, body });
    expectServiceJson(response, 201, {
      success: true,
      data: {
        id: 1,
        url: `${sim.url}/pay/${account}/bad-input`,
        description: 'bad input',
        amount: 1,
        currency: 'EUR',
        created_at: '2026-03-01T09:00:00+00:00',
      },
    });
  });

  test.each<{ name: string; hasKey: boolean }>([
    { name: 'without an Idempotency-Key', hasKey: false },
    { name: 'with an Idempotency-Key', hasKey: true },
  ])('if an unknown field has arrays nested 49,000 levels deep, $name', async ({ hasKey }) => {
    const { tokens } = await sim.createAccount({ id: `deep-${hasKey}`, randomSeed: 'deep' });
    const nestedArray = '['.repeat(49_000) + ']'.repeat(49_000);
    const { status } = await callService({
      method: 'POST',
      path: '/deposits',
      token: tokens.full,
      headers: hasKey ? ['Idempotency-Key', 'deep'] : [],
      body: `{"booking_reference":"BK-1","amount":1,"unknown":${nestedArray}}`,
    });
    expect(status).toBe(201);
  });
});

describe.each<{ name: string; request: Pick<RequestToSend, 'body' | 'chunked' | 'headers'> }>([
  { name: 'no body', request: {} },
  { name: 'an empty body in chunks', request: { body: '', chunked: true } },
  {
    name: 'an empty body in chunks, of another type,',
    request: { body: '', chunked: true, headers: ['Content-Type', 'text/plain'] },
  },
  { name: 'an empty object', request: { body: '{}' } },
])('a POST with $name', ({ request }) => {
  const post = (path: string): Promise<ReceivedResponse> =>
    callService({ method: 'POST', path, token: 'demo_full', ...request });

  test('creates no invoice', async () => {
    expectServiceJson(await post('/invoices'), 422, {
      success: false,
      error: 'The customer id field is required. (and 3 more errors)',
      errors: {
        customer_id: ['The customer id field is required.'],
        date: ['The date field is required.'],
        due_date: ['The due date field is required.'],
        items: ['The items field is required.'],
      },
    });
  });

  test('creates no payment link', async () => {
    expectServiceJson(await post('/payment-links'), 422, {
      success: false,
      error: 'The description field is required. (and 1 more error)',
      errors: {
        description: ['The description field is required.'],
        amount: ['The amount field is required.'],
      },
    });
  });

  test('creates no deposit', async () => {
    expectServiceJson(await post('/deposits'), 422, {
      success: false,
      error: 'The booking reference field is required. (and 1 more error)',
      errors: {
        booking_reference: ['The booking reference field is required.'],
        amount: ['The amount field is required.'],
      },
    });
  });

  test('does not capture a pending deposit', async () => {
    expectServiceJson(await post('/deposits/1/capture'), 409, { success: false, error: 'Deposit cannot be captured' });
  });

  test('does not release a pending deposit', async () => {
    expectServiceJson(await post('/deposits/1/release'), 409, { success: false, error: 'Deposit cannot be released' });
  });

  test('sends a reminder for an invoice', async () => {
    expectServiceJson(await post('/invoices/2/reminder'), 200, {
      success: true,
      message: 'Invoice reminder sent successfully',
    });
  });
});

describe('an Expect header other than 100-continue', () => {
  const headers = ['Expect', '200-ok'];

  test('is ignored on a request without a body', async () => {
    const response = await callService({ path: '/nothing', token: 'demo_full', headers });
    expectServiceJson(response, 404, routeNotFound);
  });

  test('is ignored on a request with a body', async () => {
    const response = await callService({
      method: 'POST',
      path: '/payment-links',
      token: 'demo_full',
      body: '[]',
      headers,
    });
    expectServiceJson(response, 422, invalidFieldBody('body', 'The body field must be an object.'));
  });
});

describe('a payment reminder, which takes no body', () => {
  test.each<{ name: string; request: Pick<RequestToSend, 'body' | 'headers'> }>([
    { name: 'text', request: { body: 'hello', headers: ['Content-Type', 'text/plain'] } },
    { name: 'broken JSON', request: { body: '{' } },
    { name: '101 kB', request: { body: 'a'.repeat(101_000) } },
  ])('ignores a body of $name', async ({ request }) => {
    const response = await callService({
      method: 'POST',
      path: '/invoices/2/reminder',
      token: 'demo_full',
      ...request,
    });
    expectServiceJson(response, 200, { success: true, message: 'Invoice reminder sent successfully' });
  });
});

describe('after all these requests', () => {
  test('the server still answers', async () => {
    const { status } = await callService({ path: '/invoices/stats', token: 'demo_full' });
    expect(status).toBe(200);
  });

  test('the `demo` account has as many records as before', async () => {
    expect(await countRecords(sim.url, 'demo_full')).toStrictEqual(demoCounts);
  });

  test('the simulator has reported no internal errors', () => {
    expect(log).toStrictEqual([]);
  });
});
