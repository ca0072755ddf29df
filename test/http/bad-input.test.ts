import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { expectJson, expectServiceJson, invalidFieldBody } from '../support/envelope.js';
import { sendRaw } from '../support/raw.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** Requests that are wrong before any field is looked at. Fields are in `bad-values.test.ts`. */

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

const service = (question: RequestToSend): Promise<ReceivedResponse> =>
  sendHttpRequest(sim.url, { ...question, path: `/api/v1${question.path}` });

const unauthenticated = { success: false, error: 'Unauthenticated.' };
const scopeMissing = { success: false, error: 'Invalid scope(s) provided.' };
const routeUnknown = { success: false, error: 'Route not found' };
const invoiceUnknown = { success: false, error: 'Invoice not found' };
const depositUnknown = { success: false, error: 'Deposit not found' };
const methodUnknown = { success: false, error: 'Method not allowed' };
const brokenJson = { success: false, error: 'The request body is not valid JSON.' };
const notJson = { success: false, error: 'The request body must be application/json.' };
const tooLarge = { success: false, error: 'The request body is larger than 100 kB.' };

describe('authorization', () => {
  test.each<{ name: string; headers: string[] }>([
    { name: 'no header', headers: [] },
    { name: 'an empty header', headers: ['Authorization', ''] },
    { name: 'a scheme alone', headers: ['Authorization', 'Bearer'] },
    { name: 'a scheme and a space', headers: ['Authorization', 'Bearer '] },
    { name: 'a token alone', headers: ['Authorization', 'demo_full'] },
    { name: 'another scheme', headers: ['Authorization', 'Basic ZGVtb19mdWxsOg=='] },
    { name: 'a token that is unknown', headers: ['Authorization', 'Bearer demo_fool'] },
    { name: 'a token in another case', headers: ['Authorization', 'Bearer DEMO_FULL'] },
    { name: 'a token of 8,000 characters', headers: ['Authorization', `Bearer ${'a'.repeat(8000)}`] },
    { name: 'a token and something else', headers: ['Authorization', 'Bearer demo_full demo_full'] },
    { name: 'two tokens in one header', headers: ['Authorization', 'Bearer demo_full, Bearer demo_read'] },
    { name: 'two headers', headers: ['Authorization', 'Bearer demo_full', 'Authorization', 'Bearer demo_read'] },
    { name: 'two equal headers', headers: ['Authorization', 'Bearer demo_full', 'Authorization', 'Bearer demo_full'] },
  ])('is refused with $name', async ({ headers }) => {
    expectServiceJson(await service({ path: '/invoices', headers }), 401, unauthenticated);
  });

  test('is refused with the token in the query', async () => {
    expectServiceJson(await service({ path: '/invoices?access_token=demo_full' }), 401, unauthenticated);
  });

  test.each(['bearer demo_full', 'BEARER demo_full', 'Bearer  demo_full'])('is accepted as `%s`', async (value) => {
    const { status } = await service({ path: '/invoices', headers: ['Authorization', value] });
    expect(status).toBe(200);
  });

  test.each<{ name: string; question: RequestToSend }>([
    { name: 'a read with a write token', question: { path: '/invoices', token: 'demo_write' } },
    {
      name: 'a write with a read token',
      question: { method: 'POST', path: '/deposits', body: '{}', token: 'demo_read' },
    },
    {
      name: 'a write of broken JSON with a read token',
      question: { method: 'POST', path: '/deposits', body: '{', token: 'demo_read' },
    },
  ])('is not enough for $name', async ({ question }) => {
    expectServiceJson(await service(question), 403, scopeMissing);
  });

  test('is checked before the path', async () => {
    expectServiceJson(await service({ path: '/nothing' }), 401, unauthenticated);
  });
});

describe('a path', () => {
  test.each<{ name: string; path: string; body: object }>([
    { name: 'that is unknown', path: '/customers', body: routeUnknown },
    { name: 'of the version alone', path: '', body: routeUnknown },
    { name: 'in upper case', path: '/Invoices', body: routeUnknown },
    { name: 'with a slash at the end', path: '/invoices/', body: routeUnknown },
    { name: 'with a slash after an id', path: '/invoices/1/', body: routeUnknown },
    { name: 'with a slash too many', path: '//invoices', body: routeUnknown },
    { name: 'with an encoded slash', path: '/invoices%2F1', body: routeUnknown },
    { name: 'with an encoded slash in the id', path: '/invoices/1%2Freminder', body: invoiceUnknown },
    { name: 'with an encoded letter', path: '/%69nvoices', body: routeUnknown },
    { name: 'with dots', path: '/invoices/../invoices', body: routeUnknown },
    { name: 'with a percent sign alone', path: '/invoices/%', body: routeUnknown },
    { name: 'with a percent sign before letters', path: '/invoices/%ZZ', body: routeUnknown },
    { name: 'with a byte that is not UTF-8', path: '/invoices/%FF', body: routeUnknown },
    { name: 'with a NUL', path: '/invoices/%00', body: invoiceUnknown },
    { name: 'of 10,000 characters', path: `/${'a'.repeat(10_000)}`, body: routeUnknown },
    { name: 'with an id of 10,000 digits', path: `/invoices/${'1'.repeat(10_000)}`, body: invoiceUnknown },
    { name: 'with a deposit id of 10,000 digits', path: `/deposits/${'1'.repeat(10_000)}`, body: depositUnknown },
  ])('$name is not found', async ({ path, body }) => {
    expectServiceJson(await service({ path, token: 'demo_full' }), 404, body);
  });

  test.each(['/', '/api', '/api/v2/invoices', '/API/v1/invoices', '/%2e%2e/invoices'])(
    '%s outside of the service is not found',
    async (path) => {
      const reply = await sendHttpRequest(sim.url, { path: path === '/' ? '/nothing' : path, token: 'demo_full' });
      expectJson(reply, 404, routeUnknown);
    },
  );

  test('with more than 16 kB of headers is refused with 431', async () => {
    const path = `/api/v1/${'a'.repeat(20_000)}`;
    const [answer] = await sendRaw(sim.url, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expectServiceJson({ status: 0, headers: {}, ...answer, text: answer?.body ?? '' }, 431, {
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
    const reply = await service({ method, path, token: 'demo_full' });
    expectServiceJson(reply, 405, methodUnknown);
    expect(reply.headers['allow']).toBe(allow);
  });

  test.each(['/nothing', '/invoices/', '/invoices/1/pay'])('is not found on the unknown path %s', async (path) => {
    expectServiceJson(await service({ method: 'DELETE', path, token: 'demo_full' }), 404, routeUnknown);
  });
});

const link = '{"description":"bad input","amount":1}';

describe('a body', () => {
  const post = (question: Omit<RequestToSend, 'path'>): Promise<ReceivedResponse> =>
    service({ method: 'POST', path: '/payment-links', token: 'demo_full', ...question });

  test.each<{ name: string; body: string | Buffer }>([
    { name: 'is text', body: 'hello' },
    { name: 'is spaces', body: '   ' },
    { name: 'is a form', body: 'description=a&amount=1' },
    { name: 'ends too early', body: '{"description":"a"' },
    { name: 'goes on after its end', body: `${link}}` },
    { name: 'is two objects', body: link + link },
    { name: 'has a comma too many', body: '{"description":"a","amount":1,}' },
    { name: 'has single quotes', body: "{'description':'a','amount':1}" },
    { name: 'has a comment', body: `/* a */${link}` },
    { name: 'has NaN', body: '{"description":"a","amount":NaN}' },
    { name: 'has a number in hex', body: '{"description":"a","amount":0x10}' },
    { name: 'has a raw line break in a text', body: '{"description":"a\nb","amount":1}' },
    { name: 'has a raw NUL in a text', body: '{"description":"a\0b","amount":1}' },
    { name: 'is a byte order mark alone', body: '\uFEFF' },
    { name: 'has two byte order marks', body: `\uFEFF\uFEFF${link}` },
    { name: 'is 100 kB of `[`', body: '['.repeat(100_000) },
    { name: 'has a byte that is not UTF-8', body: Buffer.from('{"description":"\xE9t\xE9","amount":1}', 'latin1') },
  ])('that $name is not valid JSON', async ({ body }) => {
    expectServiceJson(await post({ body }), 400, brokenJson);
  });

  test.each<{ name: string; body: string }>([
    { name: 'an array', body: '[]' },
    { name: 'an array of objects', body: `[${link}]` },
    { name: 'a text', body: '"a"' },
    { name: 'a number', body: '1' },
    { name: 'true', body: 'true' },
    { name: 'null', body: 'null' },
    { name: 'arrays, 49,000 deep', body: '['.repeat(49_000) + ']'.repeat(49_000) },
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
    expectServiceJson(await post({ body: link, headers: ['Content-Type', type] }), 415, notJson);
  });

  test('of two content types is refused', async () => {
    const headers = ['Content-Type', 'text/plain', 'Content-Type', 'application/json'];
    expectServiceJson(await post({ body: link, headers }), 415, notJson);
  });

  test('without a content type is refused', async () => {
    const [answer] = await sendRaw(
      sim.url,
      `POST /api/v1/payment-links HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nConnection: close\r\nContent-Length: ${link.length}\r\n\r\n${link}`,
    );
    expectServiceJson({ status: 0, headers: {}, ...answer, text: answer?.body ?? '' }, 415, notJson);
  });

  test.each(['gzip', 'deflate', 'br', 'nonsense'])('that is encoded as %s is refused', async (encoding) => {
    const headers = ['Content-Encoding', encoding];
    expectServiceJson(await post({ body: gzipSync(link), headers }), 415, notJson);
  });

  test.each<{ name: string; size: number; chunked: boolean }>([
    { name: 'one byte more than 100 kB', size: 100_001, chunked: false },
    { name: '101 kB', size: 101_000, chunked: false },
    { name: '101 kB in chunks', size: 101_000, chunked: true },
    { name: '10 MB', size: 10_000_000, chunked: false },
    { name: '10 MB in chunks', size: 10_000_000, chunked: true },
  ])('of $name is too large', async ({ size, chunked }) => {
    const reply = await post({ body: `"${'a'.repeat(size - 2)}"`, chunked });
    expectServiceJson(reply, 413, tooLarge);
  });

  test('of 100 kB is read', async () => {
    const reply = await post({ body: `"${'a'.repeat(99_998)}"` });
    expectServiceJson(reply, 422, invalidFieldBody('body', 'The body field must be an object.'));
  });
});

describe('a body that is accepted', () => {
  test.each<{ name: string; account: string; headers?: string[]; body: Buffer }>([
    { name: 'begins with a byte order mark', account: 'bom', body: Buffer.from(`\uFEFF${link}`) },
    {
      name: 'is declared in another case and with a charset',
      account: 'charset',
      headers: ['Content-Type', 'Application/JSON; Charset=UTF-8'],
      body: Buffer.from(link),
    },
    {
      name: 'is encoded as identity',
      account: 'identity',
      headers: ['Content-Encoding', 'identity'],
      body: Buffer.from(link),
    },
  ])('$name', async ({ account, headers = [], body }) => {
    const { tokens } = await sim.createAccount({ id: account, now: '2026-03-01T09:00:00Z', randomSeed: account });
    const reply = await service({ method: 'POST', path: '/payment-links', token: tokens.full, headers, body });
    expectServiceJson(reply, 201, {
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

  test.each<{ name: string; keyed: boolean }>([
    { name: 'without an Idempotency-Key', keyed: false },
    { name: 'with an Idempotency-Key', keyed: true },
  ])('has an unknown field, 49,000 deep, $name', async ({ keyed }) => {
    const { tokens } = await sim.createAccount({ id: `deep-${keyed}`, randomSeed: 'deep' });
    const deep = '['.repeat(49_000) + ']'.repeat(49_000);
    const { status } = await service({
      method: 'POST',
      path: '/deposits',
      token: tokens.full,
      headers: keyed ? ['Idempotency-Key', 'deep'] : [],
      body: `{"booking_reference":"BK-1","amount":1,"unknown":${deep}}`,
    });
    expect(status).toBe(201);
  });
});

describe.each<{ name: string; question: Pick<RequestToSend, 'body' | 'chunked'> }>([
  { name: 'no body', question: {} },
  { name: 'an empty body in chunks', question: { body: '', chunked: true } },
  { name: 'an empty object', question: { body: '{}' } },
])('a POST with $name', ({ question }) => {
  const post = (path: string): Promise<ReceivedResponse> =>
    service({ method: 'POST', path, token: 'demo_full', ...question });

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

  test('reminds of an invoice', async () => {
    expectServiceJson(await post('/invoices/2/reminder'), 200, {
      success: true,
      message: 'Invoice reminder sent successfully',
    });
  });
});

describe('an expectation other than 100-continue', () => {
  const headers = ['Expect', '200-ok'];

  test('is ignored', async () => {
    const reply = await service({ path: '/nothing', token: 'demo_full', headers });
    expectServiceJson(reply, 404, routeUnknown);
  });

  test('is ignored with a body', async () => {
    const reply = await service({ method: 'POST', path: '/payment-links', token: 'demo_full', body: '[]', headers });
    expectServiceJson(reply, 422, invalidFieldBody('body', 'The body field must be an object.'));
  });
});

describe('operations without a body', () => {
  test.each<{ name: string; question: Pick<RequestToSend, 'body' | 'headers'> }>([
    { name: 'text', question: { body: 'hello', headers: ['Content-Type', 'text/plain'] } },
    { name: 'broken JSON', question: { body: '{' } },
    { name: '101 kB', question: { body: 'a'.repeat(101_000) } },
  ])('ignore a body of $name', async ({ question }) => {
    const reply = await service({ method: 'POST', path: '/invoices/2/reminder', token: 'demo_full', ...question });
    expectServiceJson(reply, 200, { success: true, message: 'Invoice reminder sent successfully' });
  });
});

describe('afterwards', () => {
  test('the server still answers', async () => {
    const { status } = await service({ path: '/invoices/stats', token: 'demo_full' });
    expect(status).toBe(200);
  });

  test('the account has its original records', async () => {
    expect(await countRecords(sim.url, 'demo_full')).toStrictEqual(demoCounts);
  });

  test('the simulator has reported no internal errors', () => {
    expect(log).toStrictEqual([]);
  });
});
