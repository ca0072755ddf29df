import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalid } from '../support/envelope.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { addressOf, cases } from './every-operation.js';

/** What holds for every operation of the control API alike: that it succeeds, and how it refuses. */

let open: ControlServer;
let guarded: ControlServer;

beforeAll(async () => {
  open = await startControlServer();
  guarded = await startControlServer({ controlToken: 'open-sesame' });
});

afterAll(() => Promise.all([open.server.close(), guarded.server.close()]));

/** A new account with the data of demo. */
async function newAccount(sim: ControlServer): Promise<string> {
  const { body } = await sim.ask('POST', '/accounts', { seed: 'demo', now: '2026-03-01T09:00:00Z' });
  return String(Reflect.get(Object(body), 'id'));
}

const refusal = (error: string): object => ({ success: false, error });

describe.each(cases)('$id', ({ id: operation, method, path, sample: { status, id, body, before } }) => {
  const isFree = operation === 'getHealth' || operation === 'getDocument';
  const ofAccount = path.includes('{account}');
  const changes = method !== 'GET' && method !== 'HEAD';

  test('succeeds', async () => {
    const account = await newAccount(open);
    const made = await before?.(open, account);
    const answer = await open.ask(method, addressOf(path, account, id ?? made), body);
    expect(answer).toMatchObject({ status });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_\d+$/);
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
  });

  test.runIf(!isFree)('demands the control token', async () => {
    const without = { Authorization: 'Bearer open-sesam' };
    const answer = await guarded.ask(method, addressOf(path, 'demo', id ?? 1), body, without);
    expect(answer.status).toBe(401);
    if (method !== 'HEAD') expect(answer.body).toEqual(refusal('The control token is missing or wrong.'));
  });

  test.runIf(isFree)('demands no control token', async () => {
    const { status } = await guarded.ask(method, path, body, { Authorization: 'Bearer open-sesam' });
    expect(status).toBe(200);
  });

  test.runIf(changes)('refuses a page of another site', async () => {
    const foreign = { Origin: 'http://evil.example' };
    const answer = await open.ask(method, addressOf(path, 'demo', id ?? 1), body, foreign);
    expect(answer).toMatchObject({ status: 403, body: refusal('Requests from other origins are refused.') });
  });

  test.runIf(ofAccount)('knows no unknown account', async () => {
    for (const account of ['nobody', 'DEMO', '__proto__', 'constructor', '%00', '..%2fdemo', 'a'.repeat(500)]) {
      const answer = await open.ask(method, addressOf(path, account, id ?? 1), body);
      expect(answer.status, account).toBe(404);
      if (method !== 'HEAD') expect(answer.body).toEqual(refusal('Account not found'));
    }
  });

  test.runIf((id !== undefined || before !== undefined) && operation !== 'putScenario')(
    'knows no unknown record',
    async () => {
      for (const unknown of [
        '99',
        '0',
        '-1',
        '1.5',
        '99999999999999999999',
        'nothing',
        '__proto__',
        '%20',
        '%F0%9F%92%A5',
      ]) {
        const answer = await open.ask(method, addressOf(path, 'demo', unknown), body);
        expect(answer, unknown).toMatchObject({
          status: 404,
          body: refusal(expect.stringMatching(/^[A-Z][a-z ]+ not found$/)),
        });
      }
    },
  );

  test('has no other methods', async () => {
    const { status, body: refused, headers } = await open.ask('PATCH', addressOf(path, 'demo', id ?? 1), {});
    expect({ status, refused }).toEqual({ status: 405, refused: refusal('Method not allowed') });
    expect(headers.get('allow')?.split(', ')).toContain(method);
  });

  describe.runIf(changes)('of a body', () => {
    const send = (content: unknown, headers: Record<string, string> = {}) =>
      open.ask(method, addressOf(path, 'demo', id ?? 1), content, headers);

    test('refuses a field that it does not know', async () => {
      // The form of scenarios is told in its own words.
      const error = operation === 'putScenario' ? /unknown key `nonsense`/ : /^The nonsense field is prohibited\./;
      const { status, body: refused } = await send({ ...Object(body), nonsense: 1 });
      expect({ status, refused }).toMatchObject({
        status: 422,
        refused: { success: false, error: expect.stringMatching(error), errors: { nonsense: [expect.any(String)] } },
      });
    });

    test('refuses __proto__ and the like', async () => {
      for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
        const content = JSON.stringify({ ...Object(body), placeholder: { a: 1 } }).replace('placeholder', name);
        expect((await send(content)).status, name).toBe(422);
      }
      expect(Reflect.get({}, 'a')).toBeUndefined();
    });

    test('refuses what is no object', async () => {
      for (const content of ['[]', '"text"', '1', 'true', 'null']) {
        const message = 'The body field must be an object.';
        expect(await send(content), content).toMatchObject({ status: 422, body: invalid('body', message) });
      }
    });

    test('refuses what is no JSON', async () => {
      for (const content of ['{', '{"by":}', 'by=8d', '\ufeff', '{"by":"8d"} {}']) {
        const refused = refusal('The request body is not valid JSON.');
        expect(await send(content), content).toMatchObject({ status: 400, body: refused });
      }
    });

    test('refuses what is not declared as JSON', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
      ]) {
        const refused = refusal('The request body must be application/json.');
        expect(await send('{}', { 'Content-Type': type }), type).toMatchObject({ status: 415, body: refused });
      }
    });

    test('refuses one that is too large', async () => {
      const [limit, called] = operation === 'createAccount' ? [1_000_000, '1 MB'] : [100_000, '100 kB'];
      const { status, body: refused } = await send(JSON.stringify({ text: 'x'.repeat(limit) }));
      expect({ status, refused }).toEqual({
        status: 413,
        refused: refusal(`The request body is larger than ${called}.`),
      });
    });

    test('refuses one that nests too deep', async () => {
      for (const content of [
        `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
        `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`,
      ]) {
        expect(await send(content)).toMatchObject({
          status: 422,
          body: invalid('body', 'The body has more than 20 levels.'),
        });
      }
    });
  });

  test.runIf(method === 'GET')('refuses a parameter that it does not know', async () => {
    if (isFree) return;
    const made = await before?.(open, 'demo');
    const answer = await open.ask(method, `${addressOf(path, 'demo', id ?? made)}?nonsense=1`);
    expect(answer).toMatchObject({ status: 422, body: invalid('nonsense', 'The nonsense field is prohibited.') });
  });
});
