import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalidFieldBody } from '../support/envelope.js';
import { type ControlServer, startControlServer } from './control-server.js';
import { addressOf, cases } from './every-operation.js';

/** Behavior common to all operations of the control API: success and error responses. */

let open: ControlServer;
let guarded: ControlServer;

beforeAll(async () => {
  open = await startControlServer();
  guarded = await startControlServer({ controlToken: 'open-sesame' });
});

afterAll(() => Promise.all([open.server.close(), guarded.server.close()]));

const refusal = (error: unknown): object => ({ success: false, error });

const withoutToken = cases.filter(({ operation }) => operation === 'getHealth' || operation === 'getDocument');
const withToken = cases.filter((each) => !withoutToken.includes(each));
const changing = cases.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
const reading = withToken.filter(({ method }) => method === 'GET');
const ofAccount = cases.filter(({ path }) => path.includes('{account}'));
// `putScenario` creates a scenario that does not exist, so no id is unknown to it.
const ofRecord = ofAccount.filter(({ path, operation }) => /\{(?!account)/.test(path) && operation !== 'putScenario');

test.each(cases)('$operation succeeds', async ({ method, path, status, id, body, prepare }) => {
  const made = await open.callControl('POST', '/accounts', { seed: 'demo', now: '2026-03-01T09:00:00Z' });
  const account = String(Reflect.get(Object(made.body), 'id'));
  const preparedId = await prepare?.(open, account);
  const answer = await open.callControl(method, addressOf(path, account, id ?? preparedId), body);
  expect(answer).toMatchObject({ status });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_\d+$/);
  expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
});

test.each(withToken)('$operation requires the control token', async ({ method, path, id = 1, body }) => {
  const wrong = { Authorization: 'Bearer open-sesam' };
  const answer = await guarded.callControl(method, addressOf(path, 'demo', id), body, wrong);
  expect(answer.status).toBe(401);
  if (method !== 'HEAD') expect(answer.body).toEqual(refusal('The control token is missing or wrong.'));
});

test.each(withoutToken)('$operation does not require a control token', async ({ path }) => {
  const { status } = await guarded.callControl('GET', path, undefined, { Authorization: 'Bearer open-sesam' });
  expect(status).toBe(200);
});

test.each(changing)('$operation refuses requests from another origin', async ({ method, path, id = 1, body }) => {
  const foreign = { Origin: 'http://evil.example' };
  const answer = await open.callControl(method, addressOf(path, 'demo', id), body, foreign);
  expect(answer).toMatchObject({ status: 403, body: refusal('Requests from other origins are refused.') });
});

test.each(ofAccount)('$operation refuses an unknown account', async ({ method, path, id = 1, body }) => {
  for (const account of ['nobody', 'DEMO', '__proto__', 'constructor', '%00', '..%2fdemo', 'a'.repeat(500)]) {
    const answer = await open.callControl(method, addressOf(path, account, id), body);
    expect(answer.status, account).toBe(404);
    if (method !== 'HEAD') expect(answer.body).toEqual(refusal('Account not found'));
  }
});

test.each(ofRecord)('$operation refuses an unknown record', async ({ method, path, body }) => {
  const unknown = ['99', '0', '-1', '1.5', '9'.repeat(20), 'nothing', '__proto__', '%20', '%F0%9F%92%A5'];
  for (const id of unknown) {
    const answer = await open.callControl(method, addressOf(path, 'demo', id), body);
    const notFound = refusal(expect.stringMatching(/^[A-Z][a-z ]+ not found$/));
    expect(answer, id).toMatchObject({ status: 404, body: notFound });
  }
});

test.each(cases)('$operation has no other methods', async ({ method, path, id = 1 }) => {
  const { status, body, headers } = await open.callControl('PROPFIND', addressOf(path, 'demo', id));
  expect({ status, body }).toEqual({ status: 405, body: refusal('Method not allowed') });
  expect(headers.get('allow')?.split(', ')).toContain(method);
});

test.each(reading)('$operation refuses an unknown parameter', async ({ method, path, id = 1 }) => {
  const answer = await open.callControl(method, `${addressOf(path, 'demo', id)}?nonsense=1`);
  expect(answer).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(/^unknown parameter `nonsense`/), errors: { nonsense: [expect.any(String)] } },
  });
});

/** Operations with another limit on the size of bodies than 100 kB. */
const bodyLimits: Readonly<Record<string, readonly [bytes: number, shown: string]>> = {
  createAccount: [1_000_000, '1 MB'],
  importSnapshot: [20_000_000, '20 MB'],
};

describe.each(changing)('the body of $operation', ({ operation, method, path, id = 1, body }) => {
  const send = (content: unknown, headers: Record<string, string> = {}) =>
    open.callControl(method, addressOf(path, 'demo', id), content, headers);

  test('must not have unknown fields', async () => {
    // The parsers of scenarios and faults word this error differently.
    const hasOwnParser = operation === 'putScenario' || operation === 'addFault';
    const error = hasOwnParser ? /unknown key `nonsense`/ : /^unknown field `nonsense`/;
    const { status, body: refused } = await send({ ...Object(body), nonsense: 1 });
    expect({ status, refused }).toMatchObject({
      status: 422,
      refused: { success: false, error: expect.stringMatching(error), errors: { nonsense: [expect.any(String)] } },
    });
  });

  test('must not have __proto__ and similar fields', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const content = JSON.stringify({ ...Object(body), placeholder: { a: 1 } }).replace('placeholder', name);
      expect((await send(content)).status, name).toBe(422);
    }
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });

  test('must be an object', async () => {
    for (const content of ['[]', '"text"', '1', 'true', 'null']) {
      const message = 'the body must be an object';
      expect(await send(content), content).toMatchObject({ status: 422, body: invalidFieldBody('body', message) });
    }
  });

  test('must be JSON', async () => {
    for (const content of ['{', '{"by":}', 'by=8d', '\ufeff', '{"by":"8d"} {}']) {
      const refused = refusal('The request body is not valid JSON.');
      expect(await send(content), content).toMatchObject({ status: 400, body: refused });
    }
  });

  test('must be declared as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/x']) {
      const refused = refusal('The request body must be application/json.');
      expect(await send('{}', { 'Content-Type': type }), type).toMatchObject({ status: 415, body: refused });
    }
  });

  test('must not be too large', async () => {
    const [limit, shown] = bodyLimits[operation] ?? [100_000, '100 kB'];
    const { status, body: refused } = await send(JSON.stringify({ text: 'x'.repeat(limit) }));
    const message = `The request body is larger than ${shown}.`;
    expect({ status, refused }).toEqual({ status: 413, refused: refusal(message) });
  });

  test('must not be nested too deeply', async () => {
    const lists = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    const objects = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`;
    for (const content of [lists, objects]) {
      const refused = invalidFieldBody('body', 'the body must have at most 20 levels');
      expect(await send(content)).toMatchObject({ status: 422, body: refused });
    }
  });
});
