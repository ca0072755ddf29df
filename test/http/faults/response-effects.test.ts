import { performance } from 'node:perf_hooks';
import got, { ParseError } from 'got';
import { describe, expect, test } from 'vitest';
import { sendRaw } from '../../support/raw.js';
import { deposit, errorCodeOf, eventually, headers, immediateRetries, startTestService } from './test-service.js';

/** Effects of faults that delay or change a response. `lost-responses.test.ts` tests those that suppress or cut it. */

describe('latency', () => {
  test('delays a response by 150 ms', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'latency=150ms' });
    const startedAt = performance.now();
    const response = await service.fetch('/invoices');
    expect(response.status).toBe(200);
    // A timer may fire up to a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    const [logged] = service.account.requests.newestFirst();
    expect(logged).toMatchObject({ status: 200, faults: ['latency'] });
    expect(logged?.milliseconds).toBeGreaterThanOrEqual(149);
  });

  test('delays only the response: the request is handled and its change stored before the delay', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'latency=10m', match: { operation: 'createDeposit' } });
    const clientAbort = new AbortController();
    const pendingErrorCode = errorCodeOf(
      fetch(`${service.baseUrl}/deposits`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(deposit),
        signal: clientAbort.signal,
      }),
    );
    await eventually(async () => {
      expect(await (await service.fetch('/deposits')).json()).toMatchObject({ data: { total: 1 } });
    });
    const faultsOfResponses = service.account.requests.newestFirst().flatMap(({ faults }) => faults);
    expect(faultsOfResponses).not.toContain('latency');
    clientAbort.abort();
    await pendingErrorCode;
    // The delay ends as soon as the client disconnects.
    await eventually(() =>
      expect(service.account.requests.newestFirst()[0]).toMatchObject({ status: null, faults: ['latency'] }),
    );
    await service.server.close();
    expect(service.internalErrors).toEqual([]);
  });

  test('makes the HTTP client `got` time out and retry', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'latency=10m', times: 1 });
    const { statusCode, retryCount } = await got(`${service.baseUrl}/invoices`, {
      headers,
      timeout: { response: 100 },
      retry: immediateRetries,
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

  test('applies to errors that other faults cause, and to errors of the service', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'latency=20ms', match: { status: '5xx' } });
    service.addFault({ effect: 'latency=30ms', match: { status: 404 } });
    service.addFault({ effect: 'status=503', match: { operation: 'listInvoices' } });
    const statusAndFaults = async (path: string): Promise<unknown[]> => {
      const response = await service.fetch(path);
      return [response.status, response.headers.get('x-sim-fault')];
    };
    expect(await statusAndFaults('/invoices')).toEqual([503, 'status (fault 3), latency (fault 1)']);
    expect(await statusAndFaults('/invoices/999')).toEqual([404, 'latency (fault 2)']);
    expect(await statusAndFaults('/nothing')).toEqual([404, 'latency (fault 2)']);
    expect(await statusAndFaults('/payments')).toEqual([200, null]);
    expect(service.account.requests.newestFirst().map(({ faults }) => faults)).toEqual([
      [],
      ['latency'],
      ['latency'],
      ['status', 'latency'],
    ]);
  });

  test('keeps the order of pipelined responses on one connection', async () => {
    const service = await startTestService();
    const get = (path: string, fault: string, moreHeaders = ''): string =>
      `GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer demo_full\r\nX-Sim-Fault: ${fault}\r\n${moreHeaders}\r\n`;
    const responses = await sendRaw(
      service.server.url,
      get('/invoices', 'latency=50ms, slow-body=1ms;bytes=1000') +
        get('/invoices/stats', 'slow-body=1ms') +
        get('/nothing', 'latency=1ms') +
        get('/payments', 'truncate=10', 'Connection: close\r\n'),
    );
    expect(responses.map(({ status, body }) => [status, body.slice(0, 16)])).toEqual([
      [200, '{"success":true,'],
      [200, '{"success":true,'],
      [404, '{"success":false'],
      [200, '{"success"'],
    ]);
    expect(responses.slice(0, 3).map(({ body }) => JSON.parse(body).success)).toEqual([true, true, false]);
  });
});

describe('slow-body', () => {
  test('sends the whole body in pieces', async () => {
    const service = await startTestService();
    const original = await (await service.fetch('/invoices')).text();
    service.addFault({ effect: 'slow-body=5ms;bytes=500' });
    const response = await service.fetch('/invoices');
    const chunks: Buffer[] = [];
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk));
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).toString()).toBe(original);
    expect(await got(`${service.baseUrl}/invoices`, { headers }).text()).toBe(original);
  });

  test('stops sending when the client disconnects', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'slow-body=10m;bytes=1' });
    const clientAbort = new AbortController();
    const response = await service.fetch('/invoices', { signal: clientAbort.signal });
    expect(response.status).toBe(200);
    const read = errorCodeOf(response.text());
    clientAbort.abort();
    expect(await read).toBe('AbortError');
    await eventually(() =>
      expect(service.account.requests.newestFirst()).toMatchObject([{ status: 200, faults: ['slow-body'] }]),
    );
  });

  test.each([
    ['a response to HEAD', 'HEAD', 'slow-body=10m'],
    ['a response with an empty body', 'GET', 'status=500;body=, slow-body=10m'],
  ])('has no effect on %s, which has no body to slow down', async (_name, method, effect) => {
    const service = await startTestService();
    service.addFault({ effect });
    expect(await (await service.fetch('/invoices', { method })).text()).toBe('');
  });

  test('can be combined with truncate', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'slow-body=1ms;bytes=100, truncate=250' });
    const response = await service.fetch('/invoices');
    const chunks: Uint8Array[] = [];
    const readAll = async () => {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    };
    expect(await errorCodeOf(readAll())).toBe('UND_ERR_SOCKET');
    expect(Buffer.concat(chunks)).toHaveLength(250);
    expect(chunks.length).toBeGreaterThan(1);
  });
});

describe('malformed-json', () => {
  // `warning` puts a warning in HTML, as PHP prints it, before the body.
  test.each(['cut', 'trailing-comma', 'single-quotes', 'warning'])(
    '`malformed-json=%s` makes the body invalid JSON',
    async (how) => {
      const service = await startTestService();
      service.addFault({ effect: `malformed-json=${how}` });
      const response = await service.fetch('/invoices');
      const type = response.headers.get('content-type');
      expect([response.status, type]).toEqual([200, 'application/json; charset=utf-8']);
      expect(await errorCodeOf(response.json())).toBe('SyntaxError');
      await expect(got(`${service.baseUrl}/invoices`, { headers }).json()).rejects.toThrow(ParseError);
    },
  );
});

describe('wrong-content-type', () => {
  test.each([
    ['wrong-content-type', 'text/html'],
    ['wrong-content-type=text/plain', 'text/plain'],
  ])('`%s` sends the same body with the Content-Type %s', async (effect, type) => {
    const service = await startTestService();
    const original = await (await service.fetch('/invoices')).json();
    service.addFault({ effect });
    const response = await service.fetch('/invoices');
    expect([response.headers.get('content-type'), await response.json()]).toEqual([type, original]);
  });
});

describe('patch', () => {
  /** Fetches an invoice without and with a patch. */
  const fetchPatched = async (patch: object[], path = '/invoices/1') => {
    const service = await startTestService();
    const original: { data: { invoice_items: unknown[]; customer: object; [field: string]: unknown } } = JSON.parse(
      await (await service.fetch(path)).text(),
    );
    service.addFault({ effect: { name: 'patch', patch } });
    const response = await service.fetch(path);
    const hint = response.headers.get('x-sim-hint');
    return { original, hint, body: await response.json(), contentLength: response.headers.get('content-length') };
  };

  test('applies its operations to the body, and adapts Content-Length', async () => {
    const { original, body, hint, contentLength } = await fetchPatched([
      { op: 'move', from: '/data/invoice_number', path: '/data/number' },
      { op: 'replace', path: '/data/amount', value: '12,50 €' },
      { op: 'remove', path: '/data/notes' },
      { op: 'add', path: '/data/invoice_items/-', value: null },
      { op: 'copy', from: '/data/currency', path: '/data/customer/currency' },
      { op: 'test', path: '/success', value: true },
    ]);
    const { invoice_number: number, notes: _notes, ...data } = original.data;
    expect(body).toEqual({
      success: true,
      data: {
        ...data,
        number,
        amount: '12,50 €',
        invoice_items: [...data.invoice_items, null],
        customer: { ...data.customer, currency: 'EUR' },
      },
    });
    expect([hint, contentLength]).toEqual([null, String(Buffer.byteLength(JSON.stringify(body)))]);
  });

  test.each<{ name: string; patch: object[] }>([
    { name: 'it removes an unknown path', patch: [{ op: 'remove', path: '/data/nothing' }] },
    { name: 'it adds a field to a boolean', patch: [{ op: 'add', path: '/success/x', value: 1 }] },
    { name: 'it adds below an unknown path', patch: [{ op: 'add', path: '/data/nothing/x', value: 1 }] },
    { name: 'an index is invalid', patch: [{ op: 'add', path: '/data/invoice_items/first', value: 1 }] },
    {
      name: 'it copies to an invalid index',
      patch: [{ op: 'copy', from: '/success', path: '/data/invoice_items/first' }],
    },
    {
      name: 'it copies to an index beyond the end of the array',
      patch: [{ op: 'copy', from: '/success', path: '/data/invoice_items/99' }],
    },
    {
      name: 'it moves to an invalid index',
      patch: [{ op: 'move', from: '/success', path: '/data/invoice_items/first' }],
    },
    { name: 'it moves a field into itself', patch: [{ op: 'move', from: '/data', path: '/data/self' }] },
    {
      name: 'it sets the length of an array',
      patch: [{ op: 'replace', path: '/data/invoice_items/length', value: -1 }],
    },
    { name: 'it moves the document into itself', patch: [{ op: 'move', from: '', path: '/data/self' }] },
    { name: 'its `test` operation fails', patch: [{ op: 'test', path: '/success', value: false }] },
    {
      name: 'its second operation fails',
      patch: [
        { op: 'remove', path: '/data/id' },
        { op: 'remove', path: '/data/id' },
      ],
    },
    {
      name: 'the result would be too large',
      patch: Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` })),
    },
  ])('leaves the response unchanged, and a hint says so, if $name', async ({ patch }) => {
    const { original, body, hint } = await fetchPatched(patch);
    expect(body).toEqual(original);
    expect(hint).toMatch(/^the patch could not be applied, so the response is unchanged: `\w+ \S*` failed: \S/);
  });

  test('leaves a body that is not JSON unchanged', async () => {
    const service = await startTestService();
    service.addFault({ effect: ['status=502;body=<p>', { name: 'patch', patch: [{ op: 'remove', path: '/data' }] }] });
    const response = await service.fetch('/invoices');
    expect([await response.text(), response.headers.get('x-sim-hint')]).toEqual([
      '<p>',
      expect.stringContaining('so the response is unchanged: reading the body failed: '),
    ]);
  });

  test('changes errors of the service and responses of other faults', async () => {
    const service = await startTestService();
    service.addFault({
      effect: { name: 'patch', patch: [{ op: 'move', from: '/error', path: '/message' }] },
      match: { status: '4xx' },
    });
    expect(await (await service.fetch('/nothing')).json()).toEqual({ success: false, message: 'Route not found' });
    service.addFault({ effect: 'status=418' });
    expect(await (await service.fetch('/invoices')).json()).toEqual({ success: false, message: "I'm a Teapot" });
  });
});
