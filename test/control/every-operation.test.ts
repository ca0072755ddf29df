import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalidControlFieldBody } from '../support/envelope.js';
import { sampleUnlessFull } from '../support/sample.js';
import { type ControlServer, createDemoAccount, startControlServer } from './control-server.js';
import { fillPath, operationSamples } from './operation-samples.js';

/** Behavior common to all operations of the control API: success and error responses. */

let sim: ControlServer;
/** A simulator whose control API requires a token. */
let simWithToken: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
  simWithToken = await startControlServer({ controlToken: 'open-sesame' });
});

afterAll(() => Promise.all([sim.server.close(), simWithToken.server.close()]));

const wrongToken = { Authorization: 'Bearer open-sesam' };

const errorBody = (error: unknown, code: unknown): object => ({ success: false, error, code });

/** Operations that require no control token even if the simulator has one. */
const publicSamples = operationSamples.filter(
  ({ operation }) => operation === 'getHealth' || operation === 'getDocument',
);
const protectedSamples = operationSamples.filter((operationSample) => !publicSamples.includes(operationSample));
const writeSamples = operationSamples.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
const readSamples = protectedSamples.filter(({ method }) => method === 'GET');
const accountSamples = operationSamples.filter(({ path }) => path.includes('{account}'));
// `putScenario` is left out, since it creates the scenario if there is none with this name.
const idSamples = accountSamples.filter(
  ({ path, operation }) => /\{(?!account)/.test(path) && operation !== 'putScenario',
);

test.each(operationSamples)('$operation succeeds', async ({ method, path, status, id, body, prepare }) => {
  const account = await createDemoAccount(sim);
  const preparedId = await prepare?.(sim, account);
  const response = await sim.callControl(method, fillPath(path, account, id ?? preparedId), body);
  expect(response).toMatchObject({ status });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-request-id')).toMatch(/^req_\d+$/);
  expect(response.headers.has('x-ratelimit-limit')).toBe(false);
});

test.each(publicSamples)('$operation does not require a control token', async ({ path }) => {
  const { status } = await simWithToken.callControl('GET', path, undefined, wrongToken);
  expect(status).toBe(200);
});

test('all operations except getHealth and getDocument require the control token', async () => {
  const responses = await Promise.all(
    protectedSamples.map(async ({ operation, method, path, id = 1, body }) => {
      const response = await simWithToken.callControl(method, fillPath(path, 'demo', id), body, wrongToken);
      return { operation, method, status: response.status, body: response.body };
    }),
  );
  expect(responses.filter(({ status }) => status !== 401)).toEqual([]);
  const withBody = responses.filter(({ method }) => method !== 'HEAD');
  expect(withBody.map(({ operation, body }) => ({ operation, body }))).toEqual(
    withBody.map(({ operation }) => ({
      operation,
      body: errorBody('The control token is missing or wrong.', 'control-token-invalid'),
    })),
  );
});

test.each(writeSamples)('$operation refuses requests from another origin', async ({ method, path, id = 1, body }) => {
  const foreignOrigin = { Origin: 'http://evil.example' };
  const response = await sim.callControl(method, fillPath(path, 'demo', id), body, foreignOrigin);
  expect(response).toMatchObject({
    status: 403,
    body: errorBody('Requests from other origins are refused.', 'origin-not-allowed'),
  });
});

test.each(accountSamples)('$operation refuses an unknown account', async ({ method, path, id = 1, body }) => {
  for (const account of ['nobody', 'DEMO', '__proto__', 'constructor', '%00', '..%2fdemo', 'a'.repeat(500)]) {
    const response = await sim.callControl(method, fillPath(path, account, id), body);
    expect(response.status, account).toBe(404);
    if (method !== 'HEAD') expect(response.body).toEqual(errorBody('Account not found', 'account-not-found'));
  }
});

test.each(idSamples)('$operation refuses an unknown id', async ({ method, path, body }) => {
  const unknownIds = ['99', '0', '-1', '1.5', '9'.repeat(20), 'nothing', '__proto__', '%20', '%F0%9F%92%A5'];
  for (const id of unknownIds) {
    const response = await sim.callControl(method, fillPath(path, 'demo', id), body);
    const notFound = errorBody(
      expect.stringMatching(/^[A-Z][a-z ]+ not found$/),
      expect.stringMatching(/^[a-z-]+-not-found$/),
    );
    expect(response, id).toMatchObject({ status: 404, body: notFound });
  }
});

test.each(operationSamples)('$operation refuses an unsupported method', async ({ method, path, id = 1 }) => {
  const { status, body, headers } = await sim.callControl('PROPFIND', fillPath(path, 'demo', id));
  expect({ status, body }).toEqual({ status: 405, body: errorBody('Method not allowed', 'method-not-allowed') });
  expect(headers.get('allow')?.split(', ')).toContain(method);
});

test.each(readSamples)('$operation refuses an unknown query parameter', async ({ method, path, id = 1 }) => {
  const response = await sim.callControl(method, `${fillPath(path, 'demo', id)}?nonsense=1`);
  expect(response).toMatchObject({
    status: 422,
    body: { error: expect.stringMatching(/^unknown parameter `nonsense`/), errors: { nonsense: [expect.any(String)] } },
  });
});

/** Limits of the body size where they are not 100 kB, each with its text in the error message. */
const bodyLimits: Readonly<Record<string, readonly [limitBytes: number, shownLimit: string]>> = {
  createAccount: [1_000_000, '1 MB'],
  importSnapshot: [20_000_000, '20 MB'],
};

describe.each(sampleUnlessFull(writeSamples, { oneIn: 6 }))(
  'the body of $operation',
  ({ operation, method, path, id = 1, body }) => {
    const send = (content: unknown, headers: Record<string, string> = {}) =>
      sim.callControl(method, fillPath(path, 'demo', id), content, headers);

    test('must not have unknown fields', async () => {
      // Scenarios and faults have their own parsers, whose messages differ.
      const hasOwnParser = operation === 'putScenario' || operation === 'addFault';
      const error = hasOwnParser ? /unknown key `nonsense`/ : /^unknown field `nonsense`/;
      const { status, body: errorResponse } = await send({ ...Object(body), nonsense: 1 });
      expect({ status, errorResponse }).toMatchObject({
        status: 422,
        errorResponse: {
          success: false,
          error: expect.stringMatching(error),
          errors: { nonsense: [expect.any(String)] },
        },
      });
    });

    test('must not have __proto__ and similar fields', async () => {
      // The name is put into the JSON text, since `__proto__` in an object literal would set the prototype.
      for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
        const content = JSON.stringify({ ...Object(body), placeholder: { a: 1 } }).replace('placeholder', name);
        expect((await send(content)).status, name).toBe(422);
      }
      expect(Reflect.get({}, 'a')).toBeUndefined();
    });

    test('must be an object', async () => {
      for (const [content, sent] of [
        ['[]', 'an array'],
        ['"text"', 'the string `text`'],
        ['1', 'the number 1'],
        ['true', 'true'],
        ['null', 'null'],
      ] as const) {
        const message = `the body must be an object, not ${sent}`;
        expect(await send(content), content).toMatchObject({
          status: 422,
          body: invalidControlFieldBody('body', message),
        });
      }
    });

    test('must be JSON', async () => {
      for (const content of ['{', '{"by":}', 'by=8d', '\ufeff', '{"by":"8d"} {}']) {
        const expected = errorBody('The request body is not valid JSON.', 'json-malformed');
        expect(await send(content), content).toMatchObject({ status: 400, body: expected });
      }
    });

    test('must have the Content-Type application/json', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/x']) {
        const expected = errorBody('The request body must be application/json.', 'not-json');
        expect(await send('{}', { 'Content-Type': type }), type).toMatchObject({ status: 415, body: expected });
      }
    });

    test('must not be too large', async () => {
      const [limitBytes, shownLimit] = bodyLimits[operation] ?? [100_000, '100 kB'];
      const { status, body: errorResponse } = await send(JSON.stringify({ text: 'x'.repeat(limitBytes) }));
      const message = `The request body is larger than ${shownLimit}.`;
      expect({ status, errorResponse }).toEqual({
        status: 413,
        errorResponse: errorBody(message, `content-over-${shownLimit.replace(' ', '-').toLowerCase()}`),
      });
    });

    test('must not be nested too deeply', async () => {
      const nestedArrays = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
      const nestedObjects = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`;
      for (const content of [nestedArrays, nestedObjects]) {
        const expected = invalidControlFieldBody('body', 'the body must not be nested more than 120 levels deep');
        expect(await send(content)).toMatchObject({ status: 422, body: expected });
      }
    });
  },
);
