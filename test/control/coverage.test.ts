import { createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effectStages } from '../../src/domain/faults.js';
import { eventNames } from '../../src/domain/records.js';
import { effects } from '../../src/faults/index.js';
import { operationIds } from '../../src/generated/billing-document.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, findAccount, requireData, startControlServer } from './control-server.js';

/** The coverage report: which operations, errors, events, faults and retries a client has exercised. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

interface PostOptions {
  readonly path?: string;
  readonly idempotencyKey?: string;
  readonly body?: object;
  /** Default: the token with all scopes. */
  readonly token?: string;
  /** Time after which the client stops waiting for the response. */
  readonly clientTimeoutMs?: number;
}

/** Creates an account, and returns functions that send requests and read the coverage report. */
async function openAccount(
  settings: { webhook_url?: string; rate_limit?: boolean; profile?: Record<string, unknown> } = {},
) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false, ...settings };
  const { id: account, tokens, webhook_secret } = requireData(await sim.control.POST('/accounts', { body }));
  const params = { params: { path: { account } } };
  /** Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`. */
  const callControl = (method: string, path: string, content?: unknown) =>
    sim.callControl(method, `/accounts/${account}${path}`, content);
  return {
    account,
    tokens,
    webhook_secret,
    callControl,
    readCoverage: async () => requireData(await sim.control.GET('/accounts/{account}/coverage', params)),
    resetCoverage: async () => requireData(await sim.control.DELETE('/accounts/{account}/coverage', params)),
    get: (path: string, token = tokens.full) => sim.callService(token, 'GET', path),
    addFault: async (effect: string, options: object = {}) => {
      expect(await callControl('POST', '/faults', { effect, ...options })).toMatchObject({ status: 201 });
    },
    /** Sends a POST request. @returns the status, or undefined if there was no response or it was not complete JSON */
    post: async ({
      path = '/deposits',
      idempotencyKey,
      body = newDeposit,
      token = tokens.full,
      clientTimeoutMs = 5_000,
    }: PostOptions = {}) => {
      try {
        const response = await fetch(`${sim.url}/api/v1${path}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(clientTimeoutMs),
        });
        await response.json();
        return response.status;
      } catch {
        return undefined;
      }
    },
  };
}

const newDeposit = { booking_reference: 'BK-1', amount: 300 };

/** Returns a function that converts the id of a request to its position among the account's requests: 1 is the first. */
async function createPositionLookup({ callControl }: Awaited<ReturnType<typeof openAccount>>) {
  const { data: requests } = Object((await callControl('GET', '/requests')).body);
  const ids: string[] = requests.map(({ id }: { id: string }) => id).reverse();
  return (id: string | null | undefined) => ids.indexOf(id ?? '') + 1;
}

describe('operations in the coverage report', () => {
  test('are all missing before the first request', async () => {
    const { readCoverage } = await openAccount();
    const { requests, operations, errors, events, keys, retries, forged_webhooks } = await readCoverage();
    expect({ requests, operations: operations.missing, errors: errors.all }).toEqual({
      requests: 0,
      operations: [...operationIds],
      errors: [],
    });
    expect(events.missing).toHaveLength(eventNames.length);
    expect(keys).toEqual({ missing: [], all: [{ operation: 'createDeposit', calls: 0, without: 0 }] });
    expect({ retries, forged_webhooks }).toEqual({
      retries: { lost: 0, missing: [], unsafe: [], safe: [] },
      forged_webhooks: { sent: 0, refused: 0, accepted: [] },
    });
  });

  test('are covered once they have succeeded, even with HEAD, and requests to unknown operations are counted separately', async () => {
    const { readCoverage, get, post, tokens } = await openAccount();
    await get('/invoices');
    await get('/invoices/99');
    await sim.callService(tokens.full, 'HEAD', '/invoices/stats');
    await post({ idempotencyKey: 'a' });
    await get('/nothing');
    await sim.callService(tokens.full, 'DELETE', '/invoices');
    const { requests, operations, errors } = await readCoverage();
    expect(requests).toBe(6);
    expect(operations.unknown).toBe(2);
    expect(operations.missing).toEqual(
      operationIds.filter((id) => !['listInvoices', 'getInvoiceStats', 'createDeposit'].includes(id)),
    );
    expect(operations.all).toContainEqual({
      operation: 'getInvoice',
      method: 'GET',
      path: '/invoices/{invoice}',
      calls: 1,
      unanswered: 0,
      statuses: [{ status: 404, count: 1 }],
      missing: [200, 401, 403, 429],
    });
    expect(errors.all).toEqual([
      { status: 404, count: 2, operations: ['getInvoice'] },
      { status: 405, count: 1, operations: [] },
    ]);
  });

  test('are recorded for requests that are refused before they are handled', async () => {
    const { readCoverage, get, callControl, post, tokens } = await openAccount({ rate_limit: true });
    await get('/invoices/stats', tokens.read);
    const { requests: demoRequests } = findAccount(sim, 'demo');
    const countBefore = demoRequests.newestFirst().length;
    await callControl('DELETE', '/tokens/2');
    await sim.callService(tokens.read, 'HEAD', '/invoices/stats');
    await get('/invoices/7', tokens.read);
    // A request with an unknown token is counted in the `demo` account.
    await get('/invoices/7', 'wrong');
    // Repeats the request until it exceeds the rate limit.
    while ((await post()) !== 429);
    const { errors, operations } = await readCoverage();
    expect(errors.all).toEqual([
      { status: 401, count: 2, operations: ['getInvoiceStats', 'getInvoice'] },
      { status: 429, count: 1, operations: ['createDeposit'] },
    ]);
    expect(operations.unknown).toBe(0);
    expect(demoRequests.newestFirst().length).toBeGreaterThan(countBefore);
  });

  test('are recorded with errors caused by faults, and with lost responses', async () => {
    const { readCoverage, get, addFault } = await openAccount();
    await addFault('status=503', { match: { operation: 'listInvoices' }, times: 1 });
    await get('/invoices');
    await addFault('reset', { times: 1 });
    await get('/invoices').catch(() => undefined);
    const { errors, operations, faults } = await readCoverage();
    expect(errors).toMatchObject({ unanswered: 1, all: [{ status: 503, count: 1, operations: ['listInvoices'] }] });
    expect(operations.all[0]).toMatchObject({ operation: 'listInvoices', calls: 2, unanswered: 1 });
    expect(faults.all.filter(({ count }) => count > 0)).toEqual([
      { effect: 'status', count: 1 },
      { effect: 'reset', count: 1 },
    ]);
    expect(faults.missing).toEqual(Object.keys(effectStages).filter((name) => name !== 'status' && name !== 'reset'));
  });

  test('are listed with the missing statuses of the current profile', async () => {
    const { readCoverage, callControl, get } = await openAccount();
    await get('/invoices?per_page=0');
    await callControl('PATCH', '/settings', { profile: { 'validation.status': '400' } });
    await get('/invoices?per_page=0');
    const { operations } = await readCoverage();
    expect(operations.all[0]).toMatchObject({
      statuses: [
        { status: 400, count: 1 },
        { status: 422, count: 1 },
      ],
      missing: [200, 401, 403, 429],
    });
  });
});

describe.each(effects)('the effect $name', ({ name, example }) => {
  test('is covered once it has fired', async () => {
    const receiver = await openReceiver();
    const { readCoverage, addFault, callControl, post } = await openAccount({ webhook_url: receiver.url });
    // Some effects need a retired secret, and others an earlier message.
    await callControl('PATCH', '/settings', { webhook_secret: 'another' });
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '0s' });
    await addFault(example);
    expect((await readCoverage()).faults.missing).toContain(name);
    await post({ clientTimeoutMs: 300 });
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '1h' });
    expect((await readCoverage()).faults.missing).not.toContain(name);
  });
});

describe('tokens in the coverage report', () => {
  test('are listed with the scopes that were not used or not granted', async () => {
    const { readCoverage, get, tokens, callControl } = await openAccount();
    await get('/invoices');
    await get('/deposits');
    await sim.callService(tokens.read, 'POST', '/deposits', newDeposit);
    await callControl('POST', '/tokens', { name: 'till', scopes: ['billing.write'] });
    const { scopes } = await readCoverage();
    // Tokens without any request, such as `write` and `till`, are left out here.
    expect(scopes.unused).toEqual([
      { token: 'full', scope: 'billing.write' },
      { token: 'read', scope: 'billing.read' },
    ]);
    const [full, read, write, till] = scopes.all;
    expect(full).toMatchObject({ used: [{ scope: 'billing.read', operations: ['listInvoices', 'listDeposits'] }] });
    expect(read).toMatchObject({ used: [], lacking: [{ scope: 'billing.write', operations: ['createDeposit'] }] });
    expect(write).toMatchObject({ name: 'write', calls: 0 });
    expect(till).toEqual({
      id: 4,
      name: 'till',
      calls: 0,
      granted: ['billing.write'],
      used: [],
      unused: ['billing.write'],
      lacking: [],
    });
  });
});

describe('a lost response', () => {
  const lossEffects = [
    'lose-response',
    'reset',
    'truncate=10',
    'malformed-json',
    'status=503',
    'status=502;body=<html>',
  ];

  test.each(lossEffects)('because of %s is safe if the client retries with the same key', async (effect) => {
    const account = await openAccount();
    await account.addFault(effect, { match: { operation: 'createDeposit' }, times: 1 });
    await account.post({ idempotencyKey: 'booking-1' });
    expect(await account.post({ idempotencyKey: 'booking-1' })).toBe(201);
    const { retries } = await account.readCoverage();
    const positionOf = await createPositionLookup(account);
    expect(retries).toMatchObject({ lost: 1, missing: [], unsafe: [], safe: [{ operation: 'createDeposit' }] });
    const [safe] = retries.safe;
    expect(safe).toMatchObject({ how: effect.split('=')[0], outcome: 'same-key' });
    expect([positionOf(safe?.request), positionOf(safe?.retry)]).toEqual([1, 2]);
  });

  test.each(
    lossEffects.flatMap((effect) => [
      [effect, 'another key', { idempotencyKey: 'booking-2' }, 'other-key'] as const,
      [effect, 'no key', {}, 'no-key'] as const,
    ]),
  )('because of %s is unsafe if the client retries with %s', async (effect, _description, retry, outcome) => {
    const account = await openAccount();
    await account.addFault(effect, { match: { operation: 'createDeposit' }, times: 1 });
    // A handled request gets defaults, such as the currency. They must not make a retry look like another request.
    const body = { booking_reference: 'BK-1', amount: 300 };
    await account.post({ idempotencyKey: 'booking-1', body });
    expect(await account.post({ ...retry, body })).toBe(201);
    const { retries } = await account.readCoverage();
    const positionOf = await createPositionLookup(account);
    const how = effect.split('=')[0];
    expect(retries).toMatchObject({ lost: 1, missing: [], safe: [], unsafe: [{ outcome, how }] });
    const [unsafe] = retries.unsafe;
    expect([positionOf(unsafe?.request), positionOf(unsafe?.retry)]).toEqual([1, 2]);
  });

  test('is unsafe if the client retries with the same key after it has expired', async () => {
    const { addFault, post, callControl, readCoverage } = await openAccount();
    await addFault('lose-response', { times: 1 });
    await post({ idempotencyKey: 'booking-1' });
    await callControl('POST', '/clock/advance', { by: '25h' });
    expect(await post({ idempotencyKey: 'booking-1' })).toBe(201);
    const { retries } = await readCoverage();
    expect(retries).toMatchObject({ lost: 1, safe: [], unsafe: [{ outcome: 'expired-key' }] });
  });

  test('is safe if the request was not executed, however late the client retries with its key', async () => {
    const { addFault, post, callControl, readCoverage } = await openAccount();
    await addFault('status=503', { match: { operation: 'createDeposit' }, times: 1 });
    await post({ idempotencyKey: 'booking-1' });
    await callControl('POST', '/clock/advance', { by: '25h' });
    expect(await post({ idempotencyKey: 'booking-1' })).toBe(201);
    expect((await readCoverage()).retries).toMatchObject({ unsafe: [], safe: [{ outcome: 'same-key' }] });
  });

  test('is unsafe if the client retries with the same key and another token, and keys belong to tokens', async () => {
    const { addFault, callControl, tokens, post, readCoverage } = await openAccount();
    await callControl('PUT', '/profile/deposit.key-owner', { choice: 'token' });
    await addFault('lose-response', { times: 1 });
    await post({ idempotencyKey: 'booking-1' });
    expect(await post({ idempotencyKey: 'booking-1', token: tokens.write })).toBe(201);
    expect((await readCoverage()).retries).toMatchObject({ safe: [], unsafe: [{ outcome: 'other-key' }] });
  });

  test('counts as not retried, even if the client creates another deposit', async () => {
    const { addFault, post, readCoverage } = await openAccount();
    await addFault('lose-response', { times: 1 });
    await post({ idempotencyKey: 'booking-1' });
    await post({ idempotencyKey: 'booking-2', body: { ...newDeposit, booking_reference: 'BK-2' } });
    expect((await readCoverage()).retries).toMatchObject({ lost: 1, missing: [{ outcome: 'none', retry: null }] });
  });

  test('is safe if the client reads the list of deposits instead of retrying', async () => {
    const { addFault, post, get, readCoverage } = await openAccount();
    await addFault('lose-response', { times: 1 });
    await post({ idempotencyKey: 'booking-1' });
    // Neither of these shows the result of the lost request.
    await get('/invoices');
    await get('/deposits?per_page=0');
    expect((await readCoverage()).retries.missing).toHaveLength(1);
    await get('/deposits?booking_reference=BK-1');
    expect((await readCoverage()).retries).toMatchObject({ missing: [], safe: [{ outcome: 'looked-up' }] });
  });

  test('of a capture is looked up by a read of a path with a slash at its end, if the profile ignores that', async () => {
    const { addFault, post, get, readCoverage } = await openAccount({
      profile: { 'request.trailing-slash': 'ignored' },
    });
    await addFault('lose-response', { times: 1 });
    await post({ path: '/deposits/2/capture', body: { amount: 1 } });
    await get('/deposits/2/');
    expect((await readCoverage()).retries).toMatchObject({ missing: [], safe: [{ outcome: 'looked-up' }] });
  });

  test('of a capture is safe only if the client reads the deposit before it retries', async () => {
    const { addFault, post, get, readCoverage } = await openAccount();
    const capture = { path: '/deposits/2/capture', body: { amount: 1 } };
    await addFault('lose-response', { match: { operation: 'captureDeposit' }, times: 2 });
    await post(capture);
    // Another deposit does not show the result.
    await get('/deposits/1');
    await post(capture);
    await get('/deposits/2');
    await post(capture);
    const { retries } = await readCoverage();
    expect(retries.unsafe).toMatchObject([{ operation: 'captureDeposit', key: null, outcome: 'repeated' }]);
    expect(retries.safe).toMatchObject([{ operation: 'captureDeposit', key: null, outcome: 'looked-up' }]);
  });

  test('of a capture is unsafe even if the client retries with the same key, which a capture ignores', async () => {
    const { addFault, post, readCoverage } = await openAccount();
    const capture = { path: '/deposits/2/capture', body: { amount: 1 }, idempotencyKey: 'capture-1' };
    await addFault('lose-response', { match: { operation: 'captureDeposit' }, times: 1 });
    await post(capture);
    await post(capture);
    expect((await readCoverage()).retries).toMatchObject({ safe: [], unsafe: [{ key: null, outcome: 'repeated' }] });
  });

  test.each(['lose-response', 'truncate', 'malformed-json', 'status=200'])(
    'of a capture is not looked up by a read whose response has the fault %s',
    async (effect) => {
      const { addFault, post, get, readCoverage } = await openAccount();
      const capture = { path: '/deposits/2/capture', body: { amount: 1 } };
      await addFault('lose-response', { match: { operation: 'captureDeposit' }, times: 1 });
      await addFault(effect, { match: { operation: 'getDeposit' } });
      await post(capture);
      await get('/deposits/2').catch(() => undefined);
      await post(capture);
      expect((await readCoverage()).retries).toMatchObject({ safe: [], unsafe: [{ outcome: 'repeated' }] });
    },
  );

  test('is also counted if the client gave up waiting for the response', async () => {
    const { addFault, post, readCoverage } = await openAccount();
    await addFault('latency=2s', { times: 1 });
    expect(await post({ idempotencyKey: 'booking-1', clientTimeoutMs: 100 })).toBeUndefined();
    expect(await post({ idempotencyKey: 'booking-1' })).toBe(201);
    expect((await readCoverage()).retries).toMatchObject({ lost: 1, safe: [{ how: 'latency', outcome: 'same-key' }] });
  });

  test('is not counted if the response was only late, or if the request only reads', async () => {
    const { addFault, post, get, readCoverage } = await openAccount();
    await addFault('latency=20ms', { match: { operation: 'createDeposit' }, times: 1 });
    expect(await post({ idempotencyKey: 'booking-1' })).toBe(201);
    await addFault('slow-body=1ms;bytes=100', { match: { operation: 'createDeposit' }, times: 1 });
    expect(await post({ idempotencyKey: 'booking-1' })).toBe(201);
    await addFault('reset', { match: { operation: 'listDeposits' } });
    await get('/deposits').catch(() => undefined);
    expect((await readCoverage()).retries.lost).toBe(0);
  });

  test('is reported with a hash of its key, and operations that were called without a key are listed', async () => {
    const { addFault, post, readCoverage } = await openAccount();
    await addFault('lose-response', { times: 1 });
    await post({ idempotencyKey: 'a-very-secret-key' });
    await post({ body: { ...newDeposit, booking_reference: 'BK-2' } });
    const reported = await readCoverage();
    expect(JSON.stringify(reported)).not.toContain('a-very-secret-key');
    expect(reported.retries.missing).toMatchObject([{ key: expect.stringMatching(/^[0-9a-f]{12}$/) }]);
    expect(reported.keys).toEqual({
      missing: ['createDeposit'],
      all: [{ operation: 'createDeposit', calls: 2, without: 1 }],
    });
  });
});

describe('a forged webhook', () => {
  const acceptWithoutVerifying: RequestListener = (_request, response) => void response.writeHead(204).end();

  test.each(['tamper-body', 'wrong-secret', 'no-signature'])(
    'with the effect %s is listed if the receiver accepts it',
    async (effect) => {
      const receiver = await openReceiver(acceptWithoutVerifying);
      const { addFault, callControl, readCoverage } = await openAccount({ webhook_url: receiver.url });
      await addFault(effect, { times: 1 });
      await callControl('POST', '/trigger', { event: 'deposit.created' });
      await callControl('POST', '/clock/advance', { by: '0s' });
      const { forged_webhooks, faults } = await readCoverage();
      expect(forged_webhooks).toEqual({
        sent: 1,
        refused: 0,
        accepted: [
          {
            delivery: expect.stringMatching(/^evt_/),
            attempt: expect.any(Number),
            event: 'deposit.created',
            how: effect,
            status: 204,
            at: '2026-03-01T09:00:00.000Z',
          },
        ],
      });
      expect(faults.missing).not.toContain(effect);
    },
  );

  test('counts as refused if the receiver verifies signatures, and genuine webhooks as delivered', async () => {
    let secret = '';
    const receiver = await openReceiver((request, response) => {
      const body = receiver.received.at(-1)?.body ?? '';
      const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      response.writeHead(request.headers['x-service-signature'] === expected ? 200 : 400).end();
    });
    const { addFault, callControl, readCoverage, webhook_secret } = await openAccount({ webhook_url: receiver.url });
    secret = webhook_secret;
    await addFault('tamper-body', { times: 1 });
    await callControl('POST', '/trigger', { event: 'deposit.authorized' });
    await callControl('POST', '/clock/advance', { by: '1m' });
    const { forged_webhooks, events } = await readCoverage();
    expect(forged_webhooks).toEqual({ sent: 1, refused: 1, accepted: [] });
    expect(events.missing).not.toContain('deposit.authorized');
  });

  test('is not counted if a fault responds instead of the receiver', async () => {
    const { addFault, callControl, readCoverage } = await openAccount({ webhook_url: 'http://127.0.0.1:1/' });
    await addFault('receiver-fails');
    await addFault('tamper-body');
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '0s' });
    const { forged_webhooks, events } = await readCoverage();
    expect(forged_webhooks).toEqual({ sent: 0, refused: 0, accepted: [] });
    expect(events.all).toContainEqual({ event: 'deposit.created', count: 1, unsent: 0, delivered: 0, refused: 0 });
  });
});

describe('the coverage report', () => {
  test('survives a reset, like the request log', async () => {
    const { callControl, get, readCoverage } = await openAccount();
    await get('/invoices');
    await callControl('POST', '/deposits/1/authorize');
    await callControl('POST', '/reset');
    await get('/deposits');
    const { operations, transitions } = await readCoverage();
    expect(operations.missing).not.toContain('listInvoices');
    expect(operations.missing).not.toContain('listDeposits');
    expect(transitions.missing).not.toContain('pending → authorized (authorize)');
    expect(Object((await callControl('GET', '/requests')).body).data).toHaveLength(2);
  });

  test('can be reset, which leaves the request log unchanged', async () => {
    const { callControl, get, readCoverage, resetCoverage } = await openAccount();
    await get('/invoices');
    const lastCoverage = await readCoverage();
    expect(await resetCoverage()).toEqual(lastCoverage);
    expect(await readCoverage()).toMatchObject({ requests: 0, errors: { all: [] } });
    expect(Object((await callControl('GET', '/requests')).body).data).toHaveLength(1);
  });

  test('of an account does not include requests to another account', async () => {
    const [account, otherAccount] = [await openAccount(), await openAccount()];
    await account.get('/invoices');
    await account.addFault('lose-response', { times: 1 });
    await account.post({ idempotencyKey: 'a' });
    await otherAccount.post({ idempotencyKey: 'a' });
    expect(await account.readCoverage()).toMatchObject({ requests: 2, retries: { lost: 1, missing: [{}] } });
    expect(await otherAccount.readCoverage()).toMatchObject({ requests: 1, retries: { lost: 0 } });
  });

  test('of `demo` includes requests to the service without a known token', async () => {
    const readDemoCoverage = async () =>
      requireData(await sim.control.GET('/accounts/{account}/coverage', { params: { path: { account: 'demo' } } }));
    const coverageBefore = await readDemoCoverage();
    await sim.callService('nobody', 'GET', '/invoices');
    await sim.callControl('GET', '/accounts');
    await fetch(`${sim.url}/nothing`);
    await fetch(`${sim.url}/openapi.json`);
    const coverageAfter = await readDemoCoverage();
    expect(coverageAfter.requests).toBe(coverageBefore.requests + 1);
    expect(coverageAfter.errors.all).toContainEqual(expect.objectContaining({ status: 401 }));
  });

  test('contains no tokens', async () => {
    const { get, tokens, readCoverage } = await openAccount();
    for (const token of Object.values(tokens)) await get(`/invoices?token=${token}`, token);
    const text = JSON.stringify(await readCoverage());
    for (const token of Object.values(tokens)) expect(text).not.toContain(token);
  });
});
