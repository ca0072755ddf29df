import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { expectRateLimitHeaders, expectServiceJson } from '../support/envelope.js';
import { type ReceivedResponse, sendHttpRequest } from '../support/send-http-request.js';

const options = { now: '2026-03-01T09:00:00Z', randomSeed: 'prefer' };

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ ...options, rateLimit: false });
});
afterAll(() => sim.close());

/** Sends a request with one or more Prefer headers. */
function prefer(
  preferences: string | readonly string[],
  path = '/invoices/1',
  overrides: object = {},
  url = sim.url,
): Promise<ReceivedResponse> {
  const values = typeof preferences === 'string' ? [preferences] : preferences;
  const headers = values.flatMap((value) => ['Prefer', value]);
  return sendHttpRequest(url, { path: `/api/v1${path}`, token: 'demo_full', headers, ...overrides });
}

describe('Prefer', () => {
  test('code=404 returns the example of the document, even for a record that exists', async () => {
    const reply = await prefer('code=404');
    expectServiceJson(reply, 404, { success: false, error: 'Invoice not found' });
    expect(reply.headers['preference-applied']).toBe('code=404');
  });

  test('example=NAME returns that example, with any status', async () => {
    expectServiceJson(await prefer('example=already-paid', '/invoices/2/reminder', { method: 'POST' }), 400, {
      success: false,
      error: 'Invoice is already paid',
    });
  });

  test('dynamic=true with a seed returns reproducible data', async () => {
    const [first, again, other] = [
      await prefer('dynamic=true, seed=7'),
      await prefer('dynamic=true; why="because, well", seed="7"'),
      await prefer('dynamic=true, seed=8'),
    ];
    expect(first.headers['preference-applied']).toBe('dynamic=true, seed=7');
    expect(again.text).toBe(first.text);
    expect(other.text).not.toBe(first.text);
  });

  test('dynamic=true without a seed uses one that depends on the account, and returns it', async () => {
    const sameSeed = await startSimulator(options);
    const otherSeed = await startSimulator({ ...options, randomSeed: 'another' });
    const replies = await Promise.all(
      [sim, sameSeed, otherSeed].map(({ url }) => prefer('dynamic=true', '/payments', {}, url)),
    );
    await Promise.all([sameSeed.close(), otherSeed.close()]);
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect(replies[2]?.text).not.toBe(replies[0]?.text);
    const applied = String(replies[0]?.headers['preference-applied']);
    expect(applied).toMatch(/^dynamic=true, seed=[0-9a-f]{16}$/);
    expect((await prefer(applied, '/payments')).text).toBe(replies[0]?.text);
  });

  test('code=429 has Retry-After, and the current rate window of the account', async () => {
    const { status, headers } = await prefer('code=429');
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '30' });
    expect(headers['x-ratelimit-limit']).toBe('100');
    // This is the reset time in the example of the document.
    expect(headers['x-ratelimit-reset']).not.toBe('1775034060');
  });

  test('several headers count as one, and the first of a repeated preference applies', async () => {
    expect((await prefer(['code=404', 'example=invoice'])).text).toContain('Invoice not found');
    expect((await prefer('code=404, code=429')).status).toBe(404);
    expect((await prefer('CODE = 404')).status).toBe(404);
  });

  test('changes nothing: no record, no key, no event', async () => {
    const headers = ['Prefer', 'code=201', 'Idempotency-Key', 'k-1'];
    const body = '{"booking_reference":"BK-1","amount":5}';
    const example = await prefer('', '/deposits', { method: 'POST', body, headers });
    expect(example.status).toBe(201);
    await prefer('dynamic=true', '/deposits/2/release', { method: 'POST' });
    await prefer('code=200', '/deposits/2/capture', { method: 'POST', body: '{"amount":10}' });
    expect(await countRecords(sim.url, 'demo_full')).toEqual(demoCounts);
    expect(await sim.account.webhooks.all()).toEqual([]);
    const created = await sendHttpRequest(sim.url, {
      path: '/api/v1/deposits',
      method: 'POST',
      token: 'demo_full',
      body,
      headers: ['Idempotency-Key', 'k-1'],
    });
    expect(JSON.parse(created.text).data.id).not.toBe(JSON.parse(example.text).data.id);
  });

  test('does not read the body, and keeps the connection usable', async () => {
    const reply = await prefer('code=201', '/payment-links', { method: 'POST', body: 'not even JSON'.repeat(50_000) });
    expect(reply.status).toBe(201);
  });

  test('applies to HEAD, without a body', async () => {
    const { status, text, headers } = await prefer('code=404', '/invoices/1', { method: 'HEAD' });
    expect({ status, text, applied: headers['preference-applied'] }).toEqual({
      status: 404,
      text: '',
      applied: 'code=404',
    });
  });

  test("follows the account's profile", async () => {
    const { tokens } = await sim.createAccount({ profile: { 'decimal.encoding': 'string', 'status.acted': '202' } });
    const mine = { token: tokens.full };
    expect((await prefer('example=partly-paid', '/invoices/1', mine)).text).toContain('"amount":"1181.38"');
    expect((await prefer('seed=1', '/invoices/1/reminder', { ...mine, method: 'POST' })).status).toBe(202);
  });
});

describe('a request is refused despite its preferences', () => {
  test.each<[string, object, number]>([
    ['without a token', { token: undefined }, 401],
    ['with an unknown token', { token: 'made_up' }, 401],
    ['without the scope', { token: 'demo_write' }, 403],
  ])('%s', async (_, overrides, status) => {
    const reply = await prefer('code=200', '/invoices/1', overrides);
    expect(reply.status).toBe(status);
    expect(reply.headers['preference-applied']).toBeUndefined();
  });

  test('above the rate limit', async () => {
    const limited = await startSimulator(options);
    const replies = [];
    for (let count = 0; count < 101; count += 1) replies.push(await prefer('code=404', '/invoices/1', {}, limited.url));
    await limited.close();
    expect(replies.map(({ status }) => status)).toEqual([...Array(100).fill(404), 429]);
    expect(replies.at(-1)?.headers['preference-applied']).toBeUndefined();
  });
});

describe('unknown preferences are refused with the available ones', () => {
  test.each<[string, string]>([
    [
      'code=299',
      'getInvoice has no code `299`; did you mean 200? Available: 200, 401, 403, 404, 429, and any other from 400 to 599',
    ],
    ['dynamic=maybe', 'dynamic must be true or false, not `maybe`'],
    ['code=404, seed=', 'seed needs a value, for example seed=1'],
  ])('%s', async (preference, hint) => {
    const reply = await prefer(preference);
    expectServiceJson(reply, 400, {
      success: false,
      error: 'The preference cannot be met',
      errors: { Prefer: [hint] },
    });
    expect(reply.headers['x-sim-hint']).toBe(hint);
    expect(reply.headers['preference-applied']).toBeUndefined();
  });

  test('an unknown example is refused with the most similar name', async () => {
    const { headers } = await prefer('example=partlypaid');
    expect(headers['x-sim-hint']).toContain('did you mean partly-paid? Available: partly-paid (200), no-token (401)');
  });
});

describe('unknown and malformed preferences are ignored', () => {
  test.each([
    'return=minimal',
    'respond-async, wait=10',
    'handling=lenient; code=404',
    '',
    ',;="',
    'x="a, code=404, b"',
    '__proto__=1',
  ])('%s', async (preference) => {
    const reply = await prefer(preference);
    expect(reply.status).toBe(200);
    expectRateLimitHeaders(reply);
    expect(reply.headers['preference-applied']).toBeUndefined();
    expect(reply.headers['x-sim-hint']).toBeUndefined();
  });

  test('a misspelled preference is ignored, and reported', async () => {
    const { status, headers } = await prefer('exampel=partly-paid');
    expect(status).toBe(200);
    expect(headers['x-sim-hint']).toBe('the preference `exampel` was ignored; did you mean example?');
  });

  test('a long header of quotes, backslashes and spaces is parsed quickly', async () => {
    const { status } = await prefer(`${'"'.repeat(5_000)}${'\\'.repeat(5_000)}${' '.repeat(4_000)}`);
    expect(status).toBe(200);
  });
});
