import { performance } from 'node:perf_hooks';
import got, { ParseError } from 'got';
import { describe, expect, test } from 'vitest';
import type { FaultMatcher } from '../../../src/domain/faults.js';
import { sendRaw } from '../../support/raw.js';
import { codeOf, deposit, eventually, headers, startFaulty } from './faulty-service.js';

/** Effects on answers that come. */

describe('latency', () => {
  test('delays a response by the given time', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'latency=150ms' });
    const began = performance.now();
    const answer = await sim.fetch('/invoices');
    expect(answer.status).toBe(200);
    // A timer may go off up to a millisecond before its time.
    expect(performance.now() - began).toBeGreaterThanOrEqual(149);
    const [logged] = sim.account.requests.latest();
    expect(logged).toMatchObject({ status: 200, faults: ['latency'] });
    expect(logged?.milliseconds).toBeGreaterThanOrEqual(149);
  });

  test('applies after the request was handled and stored', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'latency=10m', match: { operation: 'createDeposit' } });
    const leaving = new AbortController();
    const requested = codeOf(
      fetch(`${sim.baseUrl}/deposits`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(deposit),
        signal: leaving.signal,
      }),
    );
    await eventually(async () => {
      expect(await (await sim.fetch('/deposits')).json()).toMatchObject({ data: { total: 1 } });
    });
    expect(sim.account.requests.latest().some(({ faults }) => faults.includes('latency'))).toBe(false);
    leaving.abort();
    await requested;
    // Waiting ends as soon as the client disconnects.
    await eventually(() =>
      expect(sim.account.requests.latest()[0]).toMatchObject({ status: null, faults: ['latency'] }),
    );
    await sim.server.close();
    expect(sim.failures).toEqual([]);
  });

  test('makes got time out and retry', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'latency=10m', times: 1 });
    const { statusCode, retryCount } = await got(`${sim.baseUrl}/invoices`, {
      headers,
      timeout: { response: 100 },
      retry: { calculateDelay: ({ computedValue }) => computedValue && 1 },
      hooks: {
        beforeRetry: [
          ({ options }) => {
            options.timeout = {};
          },
        ],
      },
    });
    expect([statusCode, retryCount]).toEqual([200, 1]);
  });

  test('applies to errors of faults, and to those of the service', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'latency=20ms', match: { status: '5xx' } });
    sim.add({ effect: 'latency=30ms', match: { status: 404 } });
    sim.add({ effect: 'status=503', match: { operation: 'listInvoices' } });
    const faulty = async (path: string): Promise<unknown[]> => {
      const answer = await sim.fetch(path);
      return [answer.status, answer.headers.get('x-sim-fault')];
    };
    expect(await faulty('/invoices')).toEqual([503, 'status (fault 3), latency (fault 1)']);
    expect(await faulty('/invoices/999')).toEqual([404, 'latency (fault 2)']);
    expect(await faulty('/nothing')).toEqual([404, 'latency (fault 2)']);
    expect(await faulty('/payments')).toEqual([200, null]);
    expect(sim.account.requests.latest().map(({ faults }) => faults)).toEqual([
      [],
      ['latency'],
      ['latency'],
      ['status', 'latency'],
    ]);
  });

  test('does not mix up the answers of one connection', async () => {
    const sim = await startFaulty();
    const get = (path: string, fault: string, more = ''): string =>
      `GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nX-Sim-Fault: ${fault}\r\n${more}\r\n`;
    const answers = await sendRaw(
      sim.server.url,
      get('/invoices', 'latency=50ms, slow-body=1ms;bytes=1000') +
        get('/invoices/stats', 'slow-body=1ms') +
        get('/nothing', 'latency=1ms') +
        get('/payments', 'truncate=10', 'Connection: close\r\n'),
    );
    expect(answers.map(({ status, body }) => [status, body.slice(0, 16)])).toEqual([
      [200, '{"success":true,'],
      [200, '{"success":true,'],
      [404, '{"success":false'],
      [200, '{"success"'],
    ]);
    expect(answers.slice(0, 3).map(({ body }) => JSON.parse(body).success)).toEqual([true, true, false]);
  });
});

describe('a fault for an operation, or for a path', () => {
  test.each<{ name: string; match: FaultMatcher; request: string; token?: string }>([
    { name: 'by its id', match: { operation: 'getInvoice' }, request: 'GET /api/v1/invoices/1' },
    {
      name: 'which is not the one beside it',
      match: { operation: 'getInvoiceStats' },
      request: 'GET /api/v1/invoices/stats',
    },
    { name: 'asked by HEAD', match: { operation: 'getInvoice', method: 'HEAD' }, request: 'HEAD /api/v1/invoices/1' },
    { name: 'with a query', match: { path: '/invoices' }, request: 'GET /api/v1/invoices?page=1' },
    {
      name: 'as a proxy would be asked',
      match: { path: '/invoices' },
      request: 'GET http://127.0.0.1/api/v1/invoices',
    },
    { name: 'that does not exist', match: { path: '/no*' }, request: 'GET /api/v1/nothing?x=/y' },
    { name: 'of an unknown method', match: { method: 'DELETE' }, request: 'DELETE /api/v1/invoices' },
    {
      name: 'that needs a token',
      match: { operation: 'getInvoiceStats', status: 401 },
      request: 'GET /api/v1/invoices/stats',
      token: 'wrong',
    },
    {
      name: 'that needs a scope',
      match: { operation: 'createDeposit', status: 403 },
      request: 'POST /api/v1/deposits',
      token: 'demo_read',
    },
    { name: 'asked with a token', match: { token: 'full' }, request: 'GET /api/v1/invoices' },
  ])('applies: $name', async ({ match, request, token = 'demo_full' }) => {
    const sim = await startFaulty();
    sim.add({ effect: 'wrong-content-type=text/plain', match });
    const send = (line: string) =>
      sendRaw(
        sim.server.url,
        `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    const [faulted] = await send(request);
    expect(faulted?.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-sim-fault': 'wrong-content-type (fault 1)',
    });
    if (match.token !== undefined) return;
    const [other] = await send('GET /api/v1/payments');
    expect(other?.headers).not.toHaveProperty('x-sim-fault');
  });
});

describe('slow-body', () => {
  test('arrives in pieces, and completely', async () => {
    const sim = await startFaulty();
    const whole = await (await sim.fetch('/invoices')).text();
    sim.add({ effect: 'slow-body=5ms;bytes=500' });
    const answer = await sim.fetch('/invoices');
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body ?? []) chunks.push(Buffer.from(chunk));
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).toString()).toBe(whole);
    expect(await got(`${sim.baseUrl}/invoices`, { headers }).text()).toBe(whole);
  });

  test('lasts longer than a client waits, and ends when it disconnects', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'slow-body=10m;bytes=1' });
    const leaving = new AbortController();
    const answer = await sim.fetch('/invoices', { signal: leaving.signal });
    expect(answer.status).toBe(200);
    const read = codeOf(answer.text());
    leaving.abort();
    expect(await read).toBe('AbortError');
    await eventually(() =>
      expect(sim.account.requests.latest()).toMatchObject([{ status: 200, faults: ['slow-body'] }]),
    );
  });

  test.each(['HEAD', 'GET'])('does nothing without a body: %s', async (method) => {
    const sim = await startFaulty();
    sim.add({ effect: method === 'HEAD' ? 'slow-body=10m' : 'status=500;body=, slow-body=10m' });
    expect(await (await sim.fetch('/invoices', { method })).text()).toBe('');
  });

  test('may be truncated, too', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'slow-body=1ms;bytes=100, truncate=250' });
    const answer = await sim.fetch('/invoices');
    expect(await codeOf(answer.text())).toBe('UND_ERR_SOCKET');
  });
});

describe('malformed-json', () => {
  test.each(['cut', 'trailing-comma', 'single-quotes', 'warning'])('is not valid JSON: %s', async (how) => {
    const sim = await startFaulty();
    sim.add({ effect: `malformed-json=${how}` });
    const answer = await sim.fetch('/invoices');
    const type = answer.headers.get('content-type');
    expect([answer.status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await codeOf(answer.json())).toBe('SyntaxError');
    await expect(got(`${sim.baseUrl}/invoices`, { headers }).json()).rejects.toThrow(ParseError);
  });
});

describe('wrong-content-type', () => {
  test.each([
    ['wrong-content-type', 'text/html'],
    ['wrong-content-type=text/plain', 'text/plain'],
  ])('%s declares the same body as %s', async (effect, type) => {
    const sim = await startFaulty();
    const whole = await (await sim.fetch('/invoices')).json();
    sim.add({ effect });
    const answer = await sim.fetch('/invoices');
    expect([answer.headers.get('content-type'), await answer.json()]).toEqual([type, whole]);
  });
});

describe('patch', () => {
  const patched = async (patch: object[], path = '/invoices/1') => {
    const sim = await startFaulty();
    const whole: { data: Record<string, unknown> } = JSON.parse(await (await sim.fetch(path)).text());
    sim.add({ effect: { name: 'patch', patch } });
    const answer = await sim.fetch(path);
    const hint = answer.headers.get('x-sim-hint');
    return { whole, hint, body: await answer.json(), length: answer.headers.get('content-length') };
  };

  test('changes the body as the operations say, and Content-Length with it', async () => {
    const { whole, body, hint, length } = await patched([
      { op: 'move', from: '/data/invoice_number', path: '/data/number' },
      { op: 'replace', path: '/data/amount', value: '12,50 €' },
      { op: 'remove', path: '/data/notes' },
      { op: 'add', path: '/data/invoice_items/-', value: null },
      { op: 'copy', from: '/data/currency', path: '/data/customer/currency' },
      { op: 'test', path: '/success', value: true },
    ]);
    const { invoice_number: number, notes: _notes, ...data } = whole.data;
    expect(body).toEqual({
      success: true,
      data: {
        ...data,
        number,
        amount: '12,50 €',
        invoice_items: [...[data['invoice_items']].flat(), null],
        customer: { ...Object(data['customer']), currency: 'EUR' },
      },
    });
    expect([hint, length]).toEqual([null, String(Buffer.byteLength(JSON.stringify(body)))]);
  });

  test.each<{ name: string; patch: object[] }>([
    { name: 'a path that is not there', patch: [{ op: 'remove', path: '/data/nothing' }] },
    { name: 'a path below what has no fields', patch: [{ op: 'add', path: '/success/x', value: 1 }] },
    { name: 'a path below nothing', patch: [{ op: 'add', path: '/data/nothing/x', value: 1 }] },
    { name: 'an invalid index', patch: [{ op: 'add', path: '/data/invoice_items/first', value: 1 }] },
    { name: 'the length of a list', patch: [{ op: 'replace', path: '/data/invoice_items/length', value: -1 }] },
    { name: 'the whole', patch: [{ op: 'move', from: '', path: '/data/self' }] },
    { name: 'a test that fails', patch: [{ op: 'test', path: '/success', value: false }] },
    {
      name: 'its second operation',
      patch: [
        { op: 'remove', path: '/data/id' },
        { op: 'remove', path: '/data/id' },
      ],
    },
    {
      name: 'more than there is room for',
      patch: Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` })),
    },
  ])('that does not fit leaves the response as it was, and says so: $name', async ({ patch }) => {
    const { whole, body, hint } = await patched(patch);
    expect(body).toEqual(whole);
    expect(hint).toMatch(/^the patch does not fit this response, which is unchanged: \w+ \S*: \S/);
  });

  test('leaves anything but JSON unchanged', async () => {
    const sim = await startFaulty();
    sim.add({ effect: ['status=502;body=<p>', { name: 'patch', patch: [{ op: 'remove', path: '/data' }] }] });
    const answer = await sim.fetch('/invoices');
    expect([await answer.text(), answer.headers.get('x-sim-hint')]).toEqual([
      '<p>',
      expect.stringContaining('read the body'),
    ]);
  });

  test('changes responses of other faults, and errors', async () => {
    const sim = await startFaulty();
    sim.add({
      effect: { name: 'patch', patch: [{ op: 'move', from: '/error', path: '/message' }] },
      match: { status: '4xx' },
    });
    expect(await (await sim.fetch('/nothing')).json()).toEqual({ success: false, message: 'Route not found' });
    sim.add({ effect: 'status=418' });
    expect(await (await sim.fetch('/invoices')).json()).toEqual({ success: false, message: "I'm a Teapot" });
  });
});
