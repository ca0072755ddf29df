import got from 'got';
import { describe, expect, test } from 'vitest';
import { again, codeOf, deposit, eventually, headers, startFaulty } from './faulty-service.js';

/** Effects after which a client has no response, or none that is whole. */

describe('reset', () => {
  test('resets the connection, and nothing was created', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'reset', match: { operation: 'createDeposit' } });
    expect(await codeOf(sim.post('/deposits', deposit))).toBe('ECONNRESET');
    expect(await codeOf(got.post(`${sim.baseUrl}/deposits`, { headers, json: deposit, retry: { limit: 0 } }))).toBe(
      'ECONNRESET',
    );
    expect(sim.account.deposits.size).toBe(0);
    expect(sim.account.requests.latest()).toMatchObject([
      { operation: 'createDeposit', status: null, faults: ['reset'] },
      { operation: 'createDeposit', status: null, faults: ['reset'] },
    ]);
  });

  test('ends after enough attempts', async () => {
    const sim = await startFaulty();
    const { id } = sim.add({ effect: 'reset', times: 2 });
    const answer = await got.post(`${sim.baseUrl}/deposits`, { headers, json: deposit, retry: again });
    expect(answer.statusCode).toBe(201);
    expect(sim.account.faults.get(id)).toMatchObject({ seen: 2, hits: 2 });
    expect(sim.account.deposits.size).toBe(1);
  });
});

describe('lose-response', () => {
  test('leaves one deposit, which a retry with the same Idempotency-Key returns', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
    const { body, retryCount } = await got.post<{ data: object }>(`${sim.baseUrl}/deposits`, {
      headers: { ...headers, 'Idempotency-Key': 'key' },
      json: deposit,
      responseType: 'json',
      retry: again,
    });
    expect(retryCount).toBe(1);
    expect(body.data).toMatchObject({ id: 1, booking_reference: 'BK-1' });
    expect(sim.account.deposits.size).toBe(1);
    expect(sim.account.requests.latest()).toMatchObject([
      { status: 201, faults: [] },
      { status: null, faults: ['lose-response'] },
    ]);
  });

  test('leaves two deposits if the client retries without a key', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'lose-response', times: 1 });
    await got.post(`${sim.baseUrl}/deposits`, { headers, json: deposit, retry: again });
    expect(sim.account.deposits.size).toBe(2);
  });

  test('resets the connection', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'lose-response' });
    expect(await codeOf(sim.post('/deposits', deposit))).toBe('ECONNRESET');
  });
});

describe('hang', () => {
  test('never responds, until the client times out', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'hang', match: { method: 'POST' } });
    expect(await codeOf(sim.fetch('/deposits', { method: 'POST', signal: AbortSignal.timeout(100) }))).toBe(
      'TimeoutError',
    );
    const requested = got.post(`${sim.baseUrl}/deposits`, {
      headers,
      json: deposit,
      timeout: { response: 100 },
      retry: { limit: 0 },
    });
    expect(await codeOf(requested)).toBe('ETIMEDOUT');
    expect(sim.account.deposits.size).toBe(0);
  });

  test('of a response comes after the request was handled', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'hang', match: { status: 201 } });
    const leaving = new AbortController();
    const requested = codeOf(
      sim.fetch('/deposits', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(deposit),
        signal: leaving.signal,
      }),
    );
    await eventually(() => expect(sim.account.requests.latest()).toMatchObject([{ status: null, faults: ['hang'] }]));
    leaving.abort();
    expect(await requested).toBe('AbortError');
    expect(sim.account.deposits.size).toBe(1);
  });

  test('does not keep the server from ending', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'hang' });
    const requested = codeOf(sim.fetch('/invoices'));
    await eventually(() => expect(sim.account.requests.latest()).toHaveLength(1));
    await sim.server.close();
    expect(await requested).toBe('UND_ERR_SOCKET');
  });
});

describe('truncate', () => {
  const page = '/invoices?per_page=100';

  test.each([
    ['half of the body', 'truncate', (length: number) => Math.floor(length / 2)],
    ['so many bytes', 'truncate=20', () => 20],
    ['nothing of it', 'truncate=0', () => 0],
    ['all but a byte, where it is to be more than there is', 'truncate=9999999', (length: number) => length - 1],
  ])('sends %s, and a client sees that there is more to come', async (_what, effect, leaving) => {
    const sim = await startFaulty();
    const whole = Buffer.from(await (await sim.fetch(page)).arrayBuffer());
    sim.add({ effect });
    const answer = await sim.fetch(page);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(whole.length));
    const chunks: Buffer[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of answer.body ?? []) chunks.push(Buffer.from(chunk));
    };
    expect(await codeOf(read())).toBe('UND_ERR_SOCKET');
    expect(Buffer.concat(chunks)).toEqual(whole.subarray(0, leaving(whole.length)));
    expect(await codeOf(got(sim.baseUrl + page, { headers, retry: { limit: 0 } }))).toBe('ReadError');
  });

  test('does not affect other requests', async () => {
    const sim = await startFaulty();
    sim.add({ effect: 'truncate', times: 1 });
    const answer = await got(`${sim.baseUrl}/invoices`, { headers, retry: { calculateDelay: () => 1 } }).json();
    expect(answer).toMatchObject({ success: true });
  });

  test.each([
    ['an answer to HEAD', 'HEAD', 'truncate', 200],
    ['an empty body', 'GET', 'status=500;body="", truncate', 500],
    ['a 204', 'GET', 'status=204, truncate', 204],
  ])('%s stays whole, as there is nothing to truncate', async (_what, method, effect, status) => {
    const sim = await startFaulty();
    sim.add({ effect });
    for (let count = 0; count < 2; count++) {
      const answer = await sim.fetch('/invoices', { method });
      expect([answer.status, await answer.text()]).toEqual([status, '']);
    }
  });
});
