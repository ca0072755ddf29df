import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../../src/commands/support/command-error.js';
import { type Control, connect, RejectedError, UnreachableError } from '../../src/commands/support/control.js';
import { type ErrorCode, ServiceError } from '../../src/domain/service-error.js';
import { controlDocument } from '../../src/generated/control-document.js';
import { type ResponseValidator, responseValidators } from '../../src/generated/response-validators.js';
import { version } from '../../src/generated/version.js';
import { errorResponse } from '../../src/http/service/errors.js';
import { isRecord, memberOf } from '../../src/lib/json.js';
import { defaultProfile } from '../../src/openapi/profile.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { selfSigned } from '../support/self-signed.js';
import { openRawReceiver, openReceiver, type Receiver } from '../webhooks/receiver.js';

const healthy = { status: 'ok', version };

/** Handler of a test server: it responds to `/_sim/health`, and passes other requests to `handler`. */
function simulatorHandler(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url === '/_sim/health') response.end(JSON.stringify(healthy));
    else handler(request, response);
  };
}

/** Handler that responds with the first example of an operation in the document. */
function respondWithExample(method: 'get' | 'post' | 'delete', path: string): RequestListener {
  return (_request, response) => void response.end(JSON.stringify(examplesOf(method, path)[0]));
}

/** The examples of an operation's successful responses in the document. */
function examplesOf(method: string, path: string): unknown[] {
  const operation = memberOf(memberOf(controlDocument.paths, path), method);
  return ['200', '201'].flatMap((status) => {
    const response = memberOf(memberOf(operation, 'responses'), status);
    const reference = memberOf(response, '$ref');
    const definition =
      typeof reference === 'string'
        ? memberOf(controlDocument.components?.responses, reference.split('/').at(-1) ?? '')
        : response;
    const examples = memberOf(memberOf(memberOf(definition, 'content'), 'application/json'), 'examples');
    return isRecord(examples) ? Object.values(examples).map((entry) => memberOf(entry, 'value')) : [];
  });
}

/** Starts a server that responds like a simulator, and connects to it. */
async function connectToServer(
  handler: RequestListener = respondWithExample('get', '/accounts'),
  flags: { account?: string; controlToken?: string } = {},
): Promise<{ control: Control; receiver: Receiver }> {
  const receiver = await openReceiver(simulatorHandler(handler));
  return { control: await connect({ url: receiver.url, account: 'demo', ...flags }), receiver };
}

describe('the request', () => {
  test('goes to the path of the account, with encoded names', async () => {
    const restore = respondWithExample('post', '/accounts/{account}/snapshots/{snapshot}/restore');
    const { control, receiver } = await connectToServer(restore, { account: 'a/b' });
    await control.call('post', '/accounts/{account}/snapshots/{snapshot}/restore', { path: { snapshot: '../x y' } });
    expect(receiver.received.at(-1)).toMatchObject({
      method: 'POST',
      path: '/_sim/accounts/a%2Fb/snapshots/..%2Fx%20y/restore',
    });
  });

  test('can override the account of the connection', async () => {
    const { control, receiver } = await connectToServer(respondWithExample('delete', '/accounts/{account}'));
    await control.call('delete', '/accounts/{account}', { path: { account: 'hotel' } });
    expect(receiver.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/_sim/accounts/hotel' });
  });

  test('omits undefined query parameters', async () => {
    const { control, receiver } = await connectToServer(respondWithExample('get', '/accounts/{account}/deliveries'));
    await control.call('get', '/accounts/{account}/deliveries', {
      query: { event: undefined, status: 'a&b', limit: 3 },
    });
    expect(receiver.received.at(-1)?.path).toBe('/_sim/accounts/demo/deliveries?status=a%26b&limit=3');
  });

  test('has a JSON body, or neither a body nor a Content-Type', async () => {
    const { control, receiver } = await connectToServer((request, response) =>
      respondWithExample('post', request.url === '/_sim/accounts' ? '/accounts' : '/accounts/{account}/reset')(
        request,
        response,
      ),
    );
    await control.call('post', '/accounts', { body: { id: 'hôtel', now: undefined } });
    await control.call('post', '/accounts/{account}/reset');
    const [, create, reset] = receiver.received;
    expect(create?.headers['content-type']).toBe('application/json');
    expect(create?.body.toString()).toBe('{"id":"hôtel"}');
    expect(reset?.headers['content-type']).toBeUndefined();
    expect(reset?.body.length).toBe(0);
  });

  test.each([
    ['secret', 'Bearer secret'],
    ['', undefined],
    [undefined, undefined],
  ])('with the control token %j has the Authorization header %j', async (controlToken, authorization) => {
    const { receiver } = await connectToServer(undefined, controlToken === undefined ? {} : { controlToken });
    expect(receiver.received[0]?.headers.authorization).toBe(authorization);
  });
});

describe('an error response is reported with the message of the simulator', () => {
  // Only these errors have a hint that names a command.
  test.each<ErrorCode>([
    'control-token-invalid',
    'account-not-found',
    'deposit-not-found',
    'invoice-not-found',
    'payment-not-found',
    'payment-link-not-found',
    'token-not-found',
    'request-not-found',
    'delivery-not-found',
    'webhook-url-missing',
    'mail-not-found',
    'run-not-found',
    'fault-not-found',
    'snapshot-not-found',
  ])('and a hint: %s', async (code) => {
    const { body } = errorResponse(new ServiceError(code), defaultProfile(), { hasCode: true });
    const { control } = await connectToServer((_request, response) => void response.writeHead(409).end(body));
    await expect(
      control.call('get', '/accounts'),
      `src/commands/support/control.ts has no hint for ${body}`,
    ).rejects.toThrow(/; (?:list the .+|set one|pass it) with /);
  });

  test.each<[error: object, headers: Record<string, string>, message: string]>([
    [{ error: 'Account already exists', code: 'account-exists' }, {}, 'Account already exists'],
    // Older simulators send no code.
    [{ error: 'Account not found' }, {}, 'Account not found'],
    [
      { error: 'Account not found', code: 'account-not-found' },
      {},
      'Account not found; list the accounts with billing-sim account list',
    ],
    [{ error: 'The run has ended' }, { 'X-Sim-Hint': 'its status is done' }, 'The run has ended; its status is done'],
    [{ error: 'This host is not served here.' }, { 'X-Sim-Hint': 'use it' }, 'This host is not served here; use it'],
    // The hint repeats what the error says.
    [{ error: 'The host is wrong; use it.' }, { 'X-Sim-Hint': 'use it' }, 'The host is wrong; use it.'],
    [
      { error: 'The control token is missing or wrong.', code: 'control-token-invalid' },
      { 'X-Sim-Hint': 'send Authorization: Bearer' },
      'The control token is missing or wrong; pass it with --control-token or in BILLING_SIM_CONTROL_TOKEN',
    ],
  ])('%j %j', async (error, headers, message) => {
    const { control } = await connectToServer((_request, response) => {
      response.writeHead(409, headers).end(JSON.stringify({ success: false, ...error }));
    });
    await expect(control.call('get', '/accounts')).rejects.toThrow(
      new RejectedError(message, { status: 409, fields: [] }),
    );
  });
});

test('an error about several fields is reported with the message about each', async () => {
  const errors = { name: ['name must not be empty'], email: ['email must be an email address'] };
  const { control } = await connectToServer((_request, response) => {
    const error = 'name must not be empty (and 1 more error)';
    response.writeHead(422).end(JSON.stringify({ success: false, error, errors }));
  });
  await expect(control.call('get', '/accounts')).rejects.toThrow(
    new RejectedError('name must not be empty; email must be an email address', {
      status: 422,
      fields: ['name', 'email'],
    }),
  );
});

test('the command in an error message names the account of the connection, unless it is the default account', async () => {
  const connectAs = (account: string) =>
    connectToServer(
      (_request, response) =>
        void response.writeHead(404).end('{"success":false,"error":"Delivery not found","code":"delivery-not-found"}'),
      { account },
    );
  for (const [account, option] of [
    ['demo', ''],
    ['hotel', ' --account hotel'],
  ] as const) {
    const { control } = await connectAs(account);
    await expect(control.call('get', '/accounts/{account}/deliveries')).rejects.toThrow(
      new RejectedError(`Delivery not found; list the deliveries with billing-sim deliveries list${option}`, {
        status: 404,
        fields: [],
      }),
    );
  }
});

describe('a response is validated against the document:', () => {
  const operations = Object.entries(responseValidators).flatMap(([path, methods]) =>
    Object.entries<ResponseValidator<unknown>>(methods).map(([method, isValidResponse]) => ({
      method,
      path,
      isValidResponse,
    })),
  );

  test.each(operations)(
    'the examples of $method $path are valid, and values of other types are not',
    ({ method, path, isValidResponse }) => {
      const examples = examplesOf(method, path);
      expect(examples.filter((value) => !isValidResponse(value))).toEqual([]);
      for (const value of [null, [], 'text', 7]) expect(isValidResponse(value)).toBe(false);
    },
  );

  test('a mismatch is an error that names the operation and the field', async () => {
    const { control, receiver } = await connectToServer(
      (_request, response) => void response.end('{"data":[{"id":7}]}'),
    );
    await expect(control.call('get', '/accounts')).rejects.toThrow(
      new CommandError(
        `billing-sim ${version} cannot read the response of the simulator at ${receiver.url} to GET /accounts: body must have required property 'current_page'`,
      ),
    );
  });

  test('a simulator of a later version may add fields', async () => {
    const [page] = examplesOf('get', '/accounts');
    const { control } = await connectToServer((_request, response) => {
      response.end(JSON.stringify({ ...(isRecord(page) ? page : {}), added: 1 }));
    });
    await expect(control.call('get', '/accounts')).resolves.toMatchObject({ added: 1 });
  });
});

test('control characters in the error of a simulator do not reach the terminal', async () => {
  const { control } = await connectToServer((_request, response) => {
    response.writeHead(422).end('{"success":false,"error":"bad \\u001b[2J value"}');
  });
  await expect(control.call('get', '/accounts')).rejects.toThrow(/^bad \ufffd\[2J value$/);
});

describe('the version of a simulator', () => {
  test.each([
    { simulatorVersion: version, warnings: [] },
    {
      simulatorVersion: '99.1.0',
      warnings: [
        `Warning: this is billing-sim ${version}, but the simulator at URL is 99.1.0; some commands may not work.`,
      ],
    },
    {
      simulatorVersion: '9\u001b[2J',
      warnings: [
        `Warning: this is billing-sim ${version}, but the simulator at URL is 9�[2J; some commands may not work.`,
      ],
    },
  ])('$simulatorVersion causes the warnings $warnings', async ({ simulatorVersion, warnings }) => {
    const { url } = await openReceiver(
      (_request, response) => void response.end(JSON.stringify({ status: 'ok', version: simulatorVersion })),
    );
    const lines: string[] = [];
    await connect({ url }, (line) => lines.push(line.replace(url, 'URL')));
    expect(lines).toEqual(warnings);
  });
});

describe('a server that is not a simulator is reported if it responds with', () => {
  test.each<{ name: string; handler: RequestListener }>([
    { name: 'an HTML page', handler: (_request, response) => void response.end('<html></html>') },
    { name: 'an empty body', handler: (_request, response) => void response.end() },
    { name: 'null', handler: (_request, response) => void response.end('null') },
    { name: 'an array', handler: (_request, response) => void response.end('[]') },
    { name: 'other JSON', handler: (_request, response) => void response.end('{"status":"up"}') },
    {
      name: 'a JSON error of another format',
      handler: (_request, response) => void response.writeHead(404).end('{"error":"no"}'),
    },
    {
      name: 'plain text with status 404',
      handler: (_request, response) => void response.writeHead(404).end('Not Found'),
    },
  ])('$name', async ({ handler }) => {
    const { url } = await openReceiver(handler);
    await expect(connect({ url })).rejects.toThrow(
      new CommandError(`the server at ${url} is not billing-sim; give the address of a simulator with --url`),
    );
  });

  test('an error for a URL with a path, which is then probably wrong', async () => {
    const { url } = await openReceiver((_request, response) => void response.writeHead(404).end('Not Found'));
    await expect(connect({ url: `${url}/dashboard` })).rejects.toThrow(
      new CommandError(
        `the server at ${url}/dashboard is not billing-sim; give the address of a simulator with --url, usually without a path such as /dashboard`,
      ),
    );
  });

  test('bytes that are not HTTP', async () => {
    const { url } = await openRawReceiver((socket) => void socket.end('220 smtp.example ESMTP\r\n'));
    await expect(connect({ url })).rejects.toThrow(
      /^cannot reach a simulator at http:\/\/127\.0\.0\.1:\d+ \(HPE_INVALID_CONSTANT\); start one with/,
    );
  });
});

describe('connecting fails with an error that gives the reason and says what to do', () => {
  const advice = 'start one with billing-sim start, or give its address with --url';

  test('if nothing listens on the port', async () => {
    await expect(connect({ url: 'http://127.0.0.1:1' })).rejects.toThrow(
      new UnreachableError(`cannot reach a simulator at http://127.0.0.1:1 (ECONNREFUSED); ${advice}`),
    );
  });

  test.each([
    ['http://ada:secret@127.0.0.1:1', 'http://ada:****@127.0.0.1:1'],
    ['http://ada:a%40b@127.0.0.1:1', 'http://ada:****@127.0.0.1:1'],
    ['http://ada@127.0.0.1:1', 'http://ada@127.0.0.1:1'],
  ])('but not the password of %s', async (url, shownUrl) => {
    await expect(connect({ url })).rejects.toThrow(
      new UnreachableError(`cannot reach a simulator at ${shownUrl} (ECONNREFUSED); ${advice}`),
    );
  });

  test.each([
    ['respond', ''],
    ['end its response', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":'],
  ])('if the server does not %s in time', async (_problem, response) => {
    const { url } = await openRawReceiver((socket) => void socket.write(response));
    const timeoutMs = 100;
    await expect(connect({ url }, undefined, timeoutMs)).rejects.toThrow(
      new UnreachableError(
        `${url} does not respond (timed out after 0.1 s); check that a simulator is running there, or give its address with --url`,
      ),
    );
  });

  test.each([
    ['closes the connection', ''],
    ['closes the connection during its response', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":'],
  ])('if the server %s', async (_problem, response) => {
    const { url } = await openRawReceiver((socket) => void socket.end(response));
    await expect(connect({ url })).rejects.toThrow(
      new UnreachableError(
        `the connection to ${url} was closed before the response was complete (ECONNRESET); check that the simulator is still running there`,
      ),
    );
  });

  test('if the certificate of the server is not trusted', async () => {
    const { url } = await listenUntilTestEnds(
      createServer(selfSigned, (_request, response) => void response.end(JSON.stringify(healthy))),
    );
    await expect(connect({ url })).rejects.toThrow(`cannot reach a simulator at ${url} (DEPTH_ZERO_SELF_SIGNED_CERT)`);
  });
});
