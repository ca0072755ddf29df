import got from 'got';
import { describe, expect, test } from 'vitest';
import { deposit, errorCodeOf, eventually, headers, immediateRetries, startTestService } from './test-service.js';

/** Effects of faults after which a client has no response, or only part of one. */

describe('reset', () => {
  test('resets the connection before the request is handled', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'reset', match: { operation: 'createDeposit' } });
    expect(await errorCodeOf(service.post('/deposits', deposit))).toBe('ECONNRESET');
    expect(
      await errorCodeOf(got.post(`${service.baseUrl}/deposits`, { headers, json: deposit, retry: { limit: 0 } })),
    ).toBe('ECONNRESET');
    expect(service.account.deposits.size).toBe(0);
    expect(service.account.requests.newestFirst()).toMatchObject([
      { operation: 'createDeposit', status: null, faults: ['reset'] },
      { operation: 'createDeposit', status: null, faults: ['reset'] },
    ]);
  });

  test('fires only as often as `times` says, so that a retry succeeds', async () => {
    const service = await startTestService();
    const { id } = service.addFault({ effect: 'reset', times: 2 });
    const response = await got.post(`${service.baseUrl}/deposits`, { headers, json: deposit, retry: immediateRetries });
    expect(response.statusCode).toBe(201);
    expect(service.account.faults.get(id)).toMatchObject({ times_matched: 2, times_fired: 2 });
    expect(service.account.deposits.size).toBe(1);
  });
});

describe('lose-response', () => {
  test('leaves one deposit, which a retry with the same Idempotency-Key returns', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
    const { body, retryCount } = await got.post<{ data: object }>(`${service.baseUrl}/deposits`, {
      headers: { ...headers, 'Idempotency-Key': 'key' },
      json: deposit,
      responseType: 'json',
      retry: immediateRetries,
    });
    expect(retryCount).toBe(1);
    expect(body.data).toMatchObject({ id: 1, booking_reference: 'BK-1' });
    expect(service.account.deposits.size).toBe(1);
    expect(service.account.requests.newestFirst()).toMatchObject([
      { status: 201, faults: [] },
      { status: null, faults: ['lose-response'] },
    ]);
  });

  test('leaves two deposits if the client retries without a key', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'lose-response', times: 1 });
    await got.post(`${service.baseUrl}/deposits`, { headers, json: deposit, retry: immediateRetries });
    expect(service.account.deposits.size).toBe(2);
  });

  test('resets the connection after the request was handled', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'lose-response' });
    expect(await errorCodeOf(service.post('/deposits', deposit))).toBe('ECONNRESET');
    expect(service.account.deposits.size).toBe(1);
  });
});

describe('hang', () => {
  test('does not respond, so that the client times out', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'hang', match: { method: 'POST' } });
    expect(await errorCodeOf(service.fetch('/deposits', { method: 'POST', signal: AbortSignal.timeout(100) }))).toBe(
      'TimeoutError',
    );
    const pendingResponse = got.post(`${service.baseUrl}/deposits`, {
      headers,
      json: deposit,
      timeout: { response: 100 },
      retry: { limit: 0 },
    });
    expect(await errorCodeOf(pendingResponse)).toBe('ETIMEDOUT');
    expect(service.account.deposits.size).toBe(0);
  });

  test('in a fault that matches a response status applies after the request was handled', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'hang', match: { status: 201 } });
    const clientAbort = new AbortController();
    const pendingErrorCode = errorCodeOf(
      service.fetch('/deposits', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(deposit),
        signal: clientAbort.signal,
      }),
    );
    await eventually(() =>
      expect(service.account.requests.newestFirst()).toMatchObject([{ status: null, faults: ['hang'] }]),
    );
    clientAbort.abort();
    expect(await pendingErrorCode).toBe('AbortError');
    expect(service.account.deposits.size).toBe(1);
  });

  test('does not keep the server from closing', async () => {
    const service = await startTestService();
    service.addFault({ effect: 'hang' });
    const pendingErrorCode = errorCodeOf(service.fetch('/invoices'));
    await eventually(() => expect(service.account.requests.newestFirst()).toHaveLength(1));
    await service.server.close();
    expect(await pendingErrorCode).toBe('UND_ERR_SOCKET');
  });
});

describe('truncate', () => {
  const listPath = '/invoices?per_page=100';

  test.each([
    ['half of the body by default', 'truncate', (length: number) => Math.floor(length / 2)],
    ['the first 20 bytes', 'truncate=20', () => 20],
    ['no byte of the body', 'truncate=0', () => 0],
    ['all but one byte if the body is shorter than the limit', 'truncate=9999999', (length: number) => length - 1],
  ])('sends %s, and the client sees that the body is incomplete', async (_name, effect, sentLength) => {
    const service = await startTestService();
    const fullBody = Buffer.from(await (await service.fetch(listPath)).arrayBuffer());
    service.addFault({ effect });
    const response = await service.fetch(listPath);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(fullBody.length));
    const chunks: Buffer[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk));
    };
    expect(await errorCodeOf(read())).toBe('UND_ERR_SOCKET');
    const sentBytes = fullBody.subarray(0, sentLength(fullBody.length));
    expect(Buffer.concat(chunks)).toEqual(sentBytes);
    // The log has what was sent, and only that.
    const { responseBody, responseHeaders } = service.account.requests.newestFirst()[0]?.recorded ?? {};
    const loggedText = responseBody && service.account.logs.bodies.read(responseBody);
    expect({ loggedText, size: responseBody?.wholeSize, responseHeaders }).toMatchObject({
      loggedText: sentBytes.toString(),
      size: Buffer.byteLength(sentBytes.toString()),
      responseHeaders: { 'Content-Length': fullBody.length, 'X-Sim-Fault': 'truncate (fault 1)' },
    });
    expect(await errorCodeOf(got(service.baseUrl + listPath, { headers, retry: { limit: 0 } }))).toBe('ReadError');
  });

  test('logs only whole characters, if the body ends within one', async () => {
    const service = await startTestService();
    await service.post('/deposits', { ...deposit, booking_reference: '漢' });
    const fullBody = Buffer.from(await (await service.fetch('/deposits/1')).arrayBuffer());
    const start = fullBody.indexOf('漢');
    service.addFault({ effect: `truncate=${start + 1}` });
    const response = await service.fetch('/deposits/1');
    expect(await errorCodeOf(response.text())).toBe('UND_ERR_SOCKET');
    const { responseBody } = service.account.requests.newestFirst()[0]?.recorded ?? {};
    expect(responseBody && service.account.logs.bodies.read(responseBody)).toBe(fullBody.toString('utf8', 0, start));
  });

  test('affects only one request if its fault has `times: 1`', async () => {
    const service = await startTestService();
    const { id } = service.addFault({ effect: 'truncate', times: 1 });
    const response = await got(`${service.baseUrl}/invoices`, { headers, retry: immediateRetries }).json();
    expect(response).toMatchObject({ success: true });
    expect(service.account.faults.get(id)).toMatchObject({ times_fired: 1 });
  });

  test.each([
    ['a response to HEAD', 'HEAD', 'truncate', 200],
    ['a response with an empty body', 'GET', 'status=500;body="", truncate', 500],
    ['a 204', 'GET', 'status=204, truncate', 204],
  ])('has no effect on %s, which has no body to truncate', async (_name, method, effect, status) => {
    const service = await startTestService();
    service.addFault({ effect });
    for (let count = 0; count < 2; count++) {
      const response = await service.fetch('/invoices', { method });
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
  });
});

describe('the response to a request with a deeply nested body', () => {
  test.each([
    { name: 'an unknown field', body: `{"booking_reference":"BK-1","amount":300,"x":${nestedArrays(3_000)}}` },
    { name: 'the whole body', body: nestedArrays(40_000) },
  ])('is lost, and the retry is recognized: $name', async ({ body }) => {
    const service = await startTestService();
    service.addFault({ effect: 'lose-response', times: 1 });
    const send = () =>
      service.fetch('/deposits', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(await errorCodeOf(send())).toBe('ECONNRESET');
    await send();
    expect(service.internalErrors).toEqual([]);
    expect(service.account.coverage.lostResponses.all).toMatchObject([{ how: 'lose-response', outcome: 'no-key' }]);
  });
});

function nestedArrays(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
