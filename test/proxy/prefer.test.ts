import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { countRecords, demoCounts } from '../support/counts.js';
import { expectRateLimitHeaders, expectServiceJson } from '../support/envelope.js';
import { type ReceivedResponse, type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';
import { dial } from './test-connection.js';

/** The `Prefer` header makes the simulator respond from the OpenAPI document instead of its records. */

const options = { now: '2026-03-01T09:00:00Z', randomSeed: 'prefer' };
/** Requests per minute that a token may send if it sent no more than the standard limit in the minute before. */
const burstLimit = 100;

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ ...options, rateLimit: false });
});
afterAll(() => sim.close());

/** Sends a request with one or more Prefer headers, to the simulator `sim` unless `url` is the URL of another one. */
function prefer(
  preferences: string | readonly string[],
  path = '/invoices/1',
  { url = sim.url, ...overrides }: Partial<RequestToSend> & { readonly url?: string } = {},
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

  test('example=NAME returns that example, whatever its status', async () => {
    expectServiceJson(await prefer('example=already-paid', '/invoices/2/reminder', { method: 'POST' }), 400, {
      success: false,
      error: 'Invoice is already paid',
    });
  });

  test('dynamic=true with a seed returns reproducible data', async () => {
    const [first, sameSeed, otherSeed] = [
      await prefer('dynamic=true, seed=7'),
      await prefer('dynamic=true; why="because, well", seed="7"'),
      await prefer('dynamic=true, seed=8'),
    ];
    expect(first.headers['preference-applied']).toBe('dynamic=true, seed=7');
    expect(sameSeed.text).toBe(first.text);
    expect(otherSeed.text).not.toBe(first.text);
  });

  test('dynamic=true without a seed uses one that depends on the random seed of the account, and returns it', async () => {
    const simWithSameSeed = await startSimulator(options);
    const simWithOtherSeed = await startSimulator({ ...options, randomSeed: 'another' });
    const replies = await Promise.all(
      [sim, simWithSameSeed, simWithOtherSeed].map(({ url }) => prefer('dynamic=true', '/payments', { url })),
    );
    await Promise.all([simWithSameSeed.close(), simWithOtherSeed.close()]);
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect(replies[2]?.text).not.toBe(replies[0]?.text);
    const applied = String(replies[0]?.headers['preference-applied']);
    expect(applied).toMatch(/^dynamic=true, seed=[0-9a-f]{16}$/);
    expect((await prefer(applied, '/payments')).text).toBe(replies[0]?.text);
  });

  test('code=429 returns a Retry-After header, and the current rate window of the account', async () => {
    const { status, headers } = await prefer('code=429');
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '30' });
    expect(headers['x-ratelimit-limit']).toBe(`${burstLimit}`);
    const secondsUntilReset = Number(headers['x-ratelimit-reset']) - Date.parse(options.now) / 1_000;
    expect(secondsUntilReset).toBeGreaterThan(0);
    expect(secondsUntilReset).toBeLessThanOrEqual(60);
  });

  test('may be sent in several headers, and the first of a repeated preference applies', async () => {
    const { headers } = await prefer(['code=200', 'seed=7']);
    expect(headers['preference-applied']).toBe('code=200, dynamic=true, seed=7');
    expect((await prefer('code=404, code=429')).status).toBe(404);
  });

  test('may have names in any case, and spaces around the equals sign', async () => {
    expect((await prefer('CODE = 404')).status).toBe(404);
  });

  test('changes nothing: it creates no record and no event, and uses up no idempotency key', async () => {
    const request = {
      method: 'POST',
      path: '/api/v1/deposits',
      token: 'demo_full',
      body: '{"booking_reference":"BK-1","amount":5}',
    };
    const key = ['Idempotency-Key', 'booking-1'];
    const example = await sendHttpRequest(sim.url, { ...request, headers: [...key, 'Prefer', 'code=201'] });
    expect(example.status).toBe(201);
    await prefer('dynamic=true', '/deposits/2/release', { method: 'POST' });
    await prefer('code=200', '/deposits/2/capture', { method: 'POST', body: '{"amount":10}' });
    expect(await countRecords(sim.url, 'demo_full')).toEqual(demoCounts);
    expect(await sim.account.webhooks.all()).toEqual([]);
    const created = await sendHttpRequest(sim.url, { ...request, headers: key });
    expect(JSON.parse(created.text).data.id).not.toBe(JSON.parse(example.text).data.id);
  });

  test('does not read the body, and keeps the connection usable', async () => {
    const client = dial(sim.url);
    const body = 'not JSON'.repeat(50_000);
    const authorization = 'Host: localhost\r\nAuthorization: Bearer demo_full\r\n';
    client.write(
      `POST /api/v1/payment-links HTTP/1.1\r\n${authorization}Prefer: code=201\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 201 /);
    client.write(`GET /api/v1/invoices/999 HTTP/1.1\r\n${authorization}Connection: close\r\n\r\n`);
    await client.until('HTTP/1.1 404 ');
  });

  test('applies to HEAD requests, whose response has no body', async () => {
    const { status, text, headers } = await prefer('code=404', '/invoices/1', { method: 'HEAD' });
    expect({ status, text, applied: headers['preference-applied'] }).toEqual({
      status: 404,
      text: '',
      applied: 'code=404',
    });
  });

  test("follows the account's profile", async () => {
    const { tokens } = await sim.createAccount({ profile: { 'decimal.encoding': 'string', 'status.acted': '202' } });
    const withToken = { token: tokens.full };
    expect((await prefer('example=partly-paid', '/invoices/1', withToken)).text).toContain('"amount":"1181.38"');
    expect((await prefer('seed=1', '/invoices/1/reminder', { ...withToken, method: 'POST' })).status).toBe(202);
  });
});

describe('a request is refused despite its preferences', () => {
  test.each<[title: string, overrides: Partial<RequestToSend>, status: number]>([
    ['without a token', { token: undefined }, 401],
    ['with an unknown token', { token: 'made_up' }, 401],
    ['without the scope', { token: 'demo_write' }, 403],
  ])('%s', async (_title, overrides, status) => {
    const reply = await prefer('code=200', '/invoices/1', overrides);
    expect(reply.status).toBe(status);
    expect(reply.headers['preference-applied']).toBeUndefined();
  });

  test('above the rate limit', async () => {
    const limited = await startSimulator(options);
    const replies = [];
    for (let count = 0; count <= burstLimit; count += 1)
      replies.push(await prefer('code=404', '/invoices/1', { url: limited.url }));
    await limited.close();
    expect(replies.map(({ status }) => status)).toEqual([...Array(burstLimit).fill(404), 429]);
    expect(replies.at(-1)?.headers['preference-applied']).toBeUndefined();
  });
});

describe('the error for invalid preferences says what is valid', () => {
  test.each<[preference: string, hint: string]>([
    [
      'code=299',
      'getInvoice has no code `299`; available: `200`, `401`, `403`, `404`, `429`, and any other from 400 to 599',
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

  test('an unknown example is refused, and the most similar one is suggested', async () => {
    const { headers } = await prefer('example=partlypaid');
    expect(headers['x-sim-hint']).toContain('did you mean `partly-paid`? Available: partly-paid (200), no-token (401)');
  });
});

describe('unknown and malformed preferences are ignored', () => {
  test.each([
    'return=minimal',
    'respond-async, wait=10',
    'handling=lenient; wait=10',
    'handling=lenient; why="because; code=404"',
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

  test.each([
    ['exampel=partly-paid', 'the preference `exampel` was ignored; did you mean example?'],
    ['cod=404', 'the preference `cod` was ignored; did you mean code?'],
    [
      'handling=lenient; Code=404',
      '`code` was ignored, since a semicolon makes it a parameter of another preference; write a comma',
    ],
    [
      'dynamic=true;seed=7',
      '`seed` was ignored, since a semicolon makes it a parameter of another preference; write a comma',
    ],
  ])('a misspelled or misplaced preference is ignored, and reported: %s', async (preference, hint) => {
    const { status, headers } = await prefer(preference);
    expect(status).toBe(200);
    expect(headers['x-sim-hint']).toBe(hint);
  });

  test('a misspelled preference is also reported if another one cannot be met', async () => {
    const { status, headers } = await prefer('cod=404, dynamic=maybe');
    expect([status, headers['x-sim-hint']]).toEqual([
      400,
      'dynamic must be true or false, not `maybe`; the preference `cod` was ignored; did you mean code?',
    ]);
  });

  test('a long header of quotes, backslashes and spaces is parsed quickly', async () => {
    // A regular expression with exponential backtracking would not finish before the timeout of the test.
    const { status } = await prefer(`${'"'.repeat(5_000)}${'\\'.repeat(5_000)}${' '.repeat(4_000)}`);
    expect(status).toBe(200);
  });
});
