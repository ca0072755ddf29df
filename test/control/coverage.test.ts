import { createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effectStages } from '../../src/domain/faults.js';
import { effects } from '../../src/faults/index.js';
import { operationIds } from '../../src/generated/billing-document.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, dataOf, startControlServer } from './control-server.js';

/** Coverage of a client that calls the service over HTTP. */

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

interface Sent {
  readonly path?: string;
  readonly key?: string;
  readonly body?: object;
  /** Response timeout of the client, in milliseconds. */
  readonly testTimeoutMs?: number;
}

async function openAccount(own: { webhook_url?: string; rate_limit?: boolean } = {}) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', rate_limit: false, ...own };
  const { id: account, tokens, webhook_secret } = dataOf(await sim.control.POST('/accounts', { body }));
  const params = { params: { path: { account } } };
  const callControl = (method: string, path: string, content?: unknown) =>
    sim.callControl(method, `/accounts/${account}${path}`, content);
  return {
    account,
    tokens,
    webhook_secret,
    callControl,
    coverage: async () => dataOf(await sim.control.GET('/accounts/{account}/coverage', params)),
    resetCoverage: async () => dataOf(await sim.control.DELETE('/accounts/{account}/coverage', params)),
    get: (path: string, token = tokens.full) => sim.callService(token, 'GET', path),
    fault: async (effect: string, own: object = {}) => {
      expect(await callControl('POST', '/faults', { effect, ...own })).toMatchObject({ status: 201 });
    },
    /** Sends a POST request. @returns the status, or undefined if there was no response or it was not complete JSON */
    post: async ({ path = '/deposits', key, body = newDeposit, testTimeoutMs = 5_000 }: Sent = {}) => {
      try {
        const response = await fetch(`${sim.url}/api/v1${path}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${tokens.full}`,
            'Content-Type': 'application/json',
            ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(testTimeoutMs),
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

/** Maps ids of requests to their position among the account's requests, from 1. */
async function numbersOf({ callControl }: Awaited<ReturnType<typeof openAccount>>) {
  const { data: requests } = Object((await callControl('GET', '/requests')).body);
  const ids: string[] = requests.map(({ id }: { id: string }) => id).reverse();
  return (id: string | null) => (id === null ? null : ids.indexOf(id) + 1);
}

describe('operations', () => {
  test('are all missing at first', async () => {
    const { coverage } = await openAccount();
    const { requests, operations, errors, events, keys, retries, forged_webhooks } = await coverage();
    expect({ requests, operations: operations.missing, errors: errors.all }).toEqual({
      requests: 0,
      operations: [...operationIds],
      errors: [],
    });
    expect(events.missing).toHaveLength(8);
    expect(keys).toEqual({ missing: [], all: [{ operation: 'createDeposit', calls: 0, without: 0 }] });
    expect({ retries, forged_webhooks }).toEqual({
      retries: { lost: 0, missing: [], unsafe: [], safe: [] },
      forged_webhooks: { sent: 0, refused: 0, accepted: [] },
    });
  });

  test('are covered once they have succeeded; HEAD counts as GET, and unknown operations are counted separately', async () => {
    const { coverage, get, post, tokens } = await openAccount();
    await get('/invoices');
    await get('/invoices/99');
    await sim.callService(tokens.full, 'HEAD', '/invoices/stats');
    await post({ key: 'a' });
    await get('/nothing');
    await sim.callService(tokens.full, 'DELETE', '/invoices');
    const { requests, operations, errors } = await coverage();
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

  test('are recorded for requests that were refused earlier', async () => {
    const { coverage, get, callControl, post, tokens } = await openAccount({ rate_limit: true });
    await get('/invoices/stats', tokens.read);
    const { requests } = sim.server.world.accounts.get('demo') ?? expect.unreachable();
    const before = requests.latest().length;
    await callControl('DELETE', '/tokens/2');
    await sim.callService(tokens.read, 'HEAD', '/invoices/stats');
    await get('/invoices/7', tokens.read);
    // An unknown token has no account whose coverage could count it.
    await get('/invoices/7', 'wrong');
    while ((await post()) !== 429);
    const { errors, operations } = await coverage();
    expect(errors.all).toEqual([
      { status: 401, count: 2, operations: ['getInvoiceStats', 'getInvoice'] },
      { status: 429, count: 1, operations: ['createDeposit'] },
    ]);
    expect(operations.unknown).toBe(0);
    expect(requests.latest().length).toBeGreaterThan(before);
  });

  test('are recorded with errors caused by faults, and with lost responses', async () => {
    const { coverage, get, fault } = await openAccount();
    await fault('status=503', { match: { operation: 'listInvoices' }, times: 1 });
    await get('/invoices');
    await fault('reset', { times: 1 });
    await get('/invoices').catch(() => undefined);
    const { errors, operations, faults } = await coverage();
    expect(errors).toMatchObject({ unanswered: 1, all: [{ status: 503, count: 1, operations: ['listInvoices'] }] });
    expect(operations.all[0]).toMatchObject({ operation: 'listInvoices', calls: 2, unanswered: 1 });
    expect(faults.all.filter(({ count }) => count > 0)).toEqual([
      { effect: 'status', count: 1 },
      { effect: 'reset', count: 1 },
    ]);
    expect(faults.missing).toEqual(Object.keys(effectStages).filter((name) => name !== 'status' && name !== 'reset'));
  });

  test('are those of the profile, with its statuses', async () => {
    const { coverage, callControl, get } = await openAccount();
    await get('/invoices?per_page=0');
    await callControl('PATCH', '/settings', { profile: { 'validation.status': '400' } });
    await get('/invoices?per_page=0');
    const { operations } = await coverage();
    expect(operations.all[0]).toMatchObject({
      statuses: [
        { status: 400, count: 1 },
        { status: 422, count: 1 },
      ],
      missing: [200, 401, 403, 429],
    });
  });
});

describe.each(effects)('the fault $name', ({ name, example }) => {
  test('is covered once it has fired', async () => {
    const receiver = await openReceiver();
    const { coverage, fault, callControl, post } = await openAccount({ webhook_url: receiver.url });
    // Some faults need a retired secret, and others an earlier message.
    await callControl('PATCH', '/settings', { webhook_secret: 'another' });
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '0s' });
    await fault(example);
    expect((await coverage()).faults.missing).toContain(name);
    await post({ testTimeoutMs: 300 });
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '1h' });
    expect((await coverage()).faults.missing).not.toContain(name);
  });
});

describe('tokens', () => {
  test('are listed with unused and missing scopes', async () => {
    const { coverage, get, tokens, callControl } = await openAccount();
    await get('/invoices');
    await get('/deposits');
    await sim.callService(tokens.read, 'POST', '/deposits', newDeposit);
    await callControl('POST', '/tokens', { name: 'till', scopes: ['billing.write'] });
    const { scopes } = await coverage();
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
  const losses = ['lose-response', 'reset', 'truncate=10', 'malformed-json', 'status=503', 'status=502;body=<html>'];

  test.each(losses)('by %s is retried with the same key', async (effect) => {
    const opened = await openAccount();
    await opened.fault(effect, { match: { operation: 'createDeposit' }, times: 1 });
    await opened.post({ key: 'booking-1' });
    expect(await opened.post({ key: 'booking-1' })).toBe(201);
    const { retries } = await opened.coverage();
    const number = await numbersOf(opened);
    expect(retries).toMatchObject({ lost: 1, missing: [], unsafe: [], safe: [{ operation: 'createDeposit' }] });
    const [safe] = retries.safe;
    expect(safe).toMatchObject({ how: effect.split('=')[0], outcome: 'same-key' });
    expect([number(safe?.request ?? ''), number(safe?.retry ?? '')]).toEqual([1, 2]);
  });

  test.each([
    ['another key', { key: 'booking-2' }, 'other-key'],
    ['no key', {}, 'no-key'],
  ] as const)('is retried with %s', async (_description, again, outcome) => {
    const opened = await openAccount();
    await opened.fault('lose-response', { times: 1 });
    expect(await opened.post({ key: 'booking-1' })).toBeUndefined();
    expect(await opened.post(again)).toBe(201);
    const { retries } = await opened.coverage();
    const number = await numbersOf(opened);
    expect(retries).toMatchObject({ lost: 1, missing: [], safe: [], unsafe: [{ outcome, how: 'lose-response' }] });
    expect([number(retries.unsafe[0]?.request ?? ''), number(retries.unsafe[0]?.retry ?? '')]).toEqual([1, 2]);
  });

  test('that is not retried is reported, even if other deposits are created', async () => {
    const { fault, post, coverage } = await openAccount();
    await fault('lose-response', { times: 1 });
    await post({ key: 'booking-1' });
    await post({ key: 'booking-2', body: { ...newDeposit, booking_reference: 'BK-2' } });
    expect((await coverage()).retries).toMatchObject({ lost: 1, missing: [{ outcome: 'none', retry: null }] });
  });

  test('that is only looked up is safe', async () => {
    const { fault, post, get, coverage } = await openAccount();
    await fault('lose-response', { times: 1 });
    await post({ key: 'booking-1' });
    // Neither of these shows the result of the lost request.
    await get('/invoices');
    await get('/deposits?per_page=0');
    expect((await coverage()).retries.missing).toHaveLength(1);
    await get('/deposits?booking_reference=BK-1');
    expect((await coverage()).retries).toMatchObject({ missing: [], safe: [{ outcome: 'looked-up' }] });
  });

  test('to a capture should be looked up before a retry', async () => {
    const { fault, post, get, coverage } = await openAccount();
    const capture = { path: '/deposits/2/capture', body: { amount: 1 } };
    await fault('lose-response', { match: { operation: 'captureDeposit' }, times: 2 });
    await post(capture);
    await post(capture);
    await get('/deposits/2');
    await post(capture);
    const { retries } = await coverage();
    expect(retries.unsafe).toMatchObject([{ operation: 'captureDeposit', key: null, outcome: 'repeated' }]);
    expect(retries.safe).toMatchObject([{ operation: 'captureDeposit', key: null, outcome: 'looked-up' }]);
  });

  test('includes a response that the client did not wait for', async () => {
    const { fault, post, coverage } = await openAccount();
    await fault('latency=2s', { times: 1 });
    expect(await post({ key: 'booking-1', testTimeoutMs: 100 })).toBeUndefined();
    expect(await post({ key: 'booking-1' })).toBe(201);
    expect((await coverage()).retries).toMatchObject({ lost: 1, safe: [{ how: 'latency', outcome: 'same-key' }] });
  });

  test('does not include late responses and those to reads', async () => {
    const { fault, post, get, coverage } = await openAccount();
    await fault('latency=20ms', { match: { operation: 'createDeposit' }, times: 1 });
    expect(await post({ key: 'booking-1' })).toBe(201);
    await fault('slow-body=1ms;bytes=100', { match: { operation: 'createDeposit' }, times: 1 });
    expect(await post({ key: 'booking-1' })).toBe(201);
    await fault('reset', { match: { operation: 'listDeposits' } });
    await get('/deposits').catch(() => undefined);
    expect((await coverage()).retries.lost).toBe(0);
  });

  test('is reported without its key, and operations without keys are listed', async () => {
    const { fault, post, coverage } = await openAccount();
    await fault('lose-response', { times: 1 });
    await post({ key: 'a-very-secret-key' });
    await post({ body: { ...newDeposit, booking_reference: 'BK-2' } });
    const reported = await coverage();
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
    'by %s is listed if the receiver accepts it',
    async (effect) => {
      const receiver = await openReceiver(acceptWithoutVerifying);
      const { fault, callControl, coverage } = await openAccount({ webhook_url: receiver.url });
      await fault(effect, { times: 1 });
      await callControl('POST', '/trigger', { event: 'deposit.created' });
      await callControl('POST', '/clock/advance', { by: '0s' });
      const { forged_webhooks, faults } = await coverage();
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

  test('is rejected by a receiver that verifies, which accepts the genuine ones', async () => {
    const secret: { text: string } = { text: '' };
    const receiver = await openReceiver((request, response) => {
      const body = receiver.received.at(-1)?.body ?? '';
      const expected = `sha256=${createHmac('sha256', secret.text).update(body).digest('hex')}`;
      response.writeHead(request.headers['x-service-signature'] === expected ? 200 : 400).end();
    });
    const { fault, callControl, coverage, webhook_secret } = await openAccount({ webhook_url: receiver.url });
    secret.text = webhook_secret;
    await fault('tamper-body', { times: 1 });
    await callControl('POST', '/trigger', { event: 'deposit.authorized' });
    await callControl('POST', '/clock/advance', { by: '1m' });
    const { forged_webhooks, events } = await coverage();
    expect(forged_webhooks).toEqual({ sent: 1, refused: 1, accepted: [] });
    expect(events.missing).not.toContain('deposit.authorized');
  });

  test('does not count if a fault responds instead of the receiver', async () => {
    const { fault, callControl, coverage } = await openAccount({ webhook_url: 'http://127.0.0.1:1/' });
    await fault('receiver-fails');
    await fault('tamper-body');
    await callControl('POST', '/trigger', { event: 'deposit.created' });
    await callControl('POST', '/clock/advance', { by: '0s' });
    const { forged_webhooks, events } = await coverage();
    expect(forged_webhooks).toEqual({ sent: 0, refused: 0, accepted: [] });
    expect(events.all).toContainEqual({ event: 'deposit.created', count: 1, unsent: 0, delivered: 0, refused: 0 });
  });
});

describe('the coverage', () => {
  test('survives a reset, like the request log', async () => {
    const { callControl, get, coverage } = await openAccount();
    await get('/invoices');
    await callControl('POST', '/deposits/1/authorize');
    await callControl('POST', '/reset');
    await get('/deposits');
    const { operations, transitions } = await coverage();
    expect(operations.missing).not.toContain('listInvoices');
    expect(operations.missing).not.toContain('listDeposits');
    expect(transitions.missing).not.toContain('pending → authorized (authorize)');
    expect(Object((await callControl('GET', '/requests')).body).data).toHaveLength(2);
  });

  test('starts over after a reset of the counters; the request log stays', async () => {
    const { callControl, get, coverage, resetCoverage } = await openAccount();
    await get('/invoices');
    const last = await coverage();
    expect(await resetCoverage()).toEqual(last);
    expect(await coverage()).toMatchObject({ requests: 0, errors: { all: [] } });
    expect(Object((await callControl('GET', '/requests')).body).data).toHaveLength(1);
  });

  test('of one account does not include another', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    await one.get('/invoices');
    await one.fault('lose-response', { times: 1 });
    await one.post({ key: 'a' });
    await other.post({ key: 'a' });
    expect(await one.coverage()).toMatchObject({ requests: 2, retries: { lost: 1, missing: [{}] } });
    expect(await other.coverage()).toMatchObject({ requests: 1, retries: { lost: 0 } });
  });

  test('of demo includes requests without a known token, and only those to the service', async () => {
    const read = async () =>
      dataOf(await sim.control.GET('/accounts/{account}/coverage', { params: { path: { account: 'demo' } } }));
    const before = await read();
    await sim.callService('nobody', 'GET', '/invoices');
    await sim.callControl('GET', '/accounts');
    await fetch(`${sim.url}/nothing`);
    await fetch(`${sim.url}/openapi.json`);
    const after = await read();
    expect(after.requests).toBe(before.requests + 1);
    expect(after.errors.all).toContainEqual(expect.objectContaining({ status: 401 }));
  });

  test('contains no tokens', async () => {
    const { get, tokens, coverage } = await openAccount();
    for (const token of Object.values(tokens)) await get(`/invoices?token=${token}`, token);
    const text = JSON.stringify(await coverage());
    for (const token of Object.values(tokens)) expect(text).not.toContain(token);
  });
});
