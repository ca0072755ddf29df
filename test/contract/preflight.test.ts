import { Agent, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createConnection, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { calibrate } from '../../src/contract/calibrate/calibrate.js';
import { CannotRun } from '../../src/contract/engine/cannot-run.js';
import { type ContractOptions, openSession } from '../../src/contract/engine/open-session.js';
import { runContract } from '../../src/contract/engine/run-contract.js';
import { variants } from '../second-implementation/variants.js';
import { freePort } from '../support/free-port.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { selfSigned } from '../support/self-signed.js';
import { type Reply, serve, serveAlways, serveSecondImplementation } from './targets.js';

const loginPage = '<!doctype html><title>Sign in</title><form></form>';

/** Returns the error message if a run against a target cannot start, or "runs" if it can. */
async function preflightResultOf(options: Partial<ContractOptions> & { readonly baseUrl: string }): Promise<string> {
  try {
    const session = await openSession({ token: 'a-token', driver: 'none', timeout: 1_000, ...options });
    await session.close();
  } catch (error) {
    if (error instanceof CannotRun) return error.message.replaceAll(options.baseUrl, 'BASE');
    throw error;
  }
  return 'runs';
}

describe('a target is refused if it always responds', () => {
  test.each<[what: string, Reply, expectedMessage: string]>([
    [
      'with 401',
      { status: 401, body: { success: false, error: 'Unauthenticated.' } },
      'BASE refuses the token (401, "Unauthenticated."); check the token',
    ],
    [
      'with 403',
      { status: 403, body: { success: false, error: 'No' } },
      'BASE refuses the token (403, "No"): the token needs both scopes',
    ],
    ['with 404', { status: 404, body: 'not found' }, 'BASE has no /invoices (404); check the base URL'],
    [
      'with 500',
      { status: 500, body: { success: false, error: 'Oops' } },
      'BASE responds to GET /invoices with 500, "Oops": it cannot handle requests at the moment',
    ],
    [
      'with 429',
      { status: 429, body: { success: false, error: 'Slow down' } },
      'BASE: the rate limit is used up; try again later',
    ],
    [
      'with a login page',
      { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: loginPage },
      'BASE responds with an HTML page (200); it may be a login page, or a different service',
    ],
    [
      'with 403 and an HTML page',
      { status: 403, headers: { 'Content-Type': 'text/html' }, body: loginPage },
      'BASE responds with an HTML page (403); it may be a login page, or a different service',
    ],
    [
      'with 503 and an HTML page of its gateway',
      { status: 503, headers: { 'Content-Type': 'text/html' }, body: '<h1>Service Unavailable</h1>' },
      'BASE responds to GET /invoices with 503: it cannot handle requests at the moment',
    ],
    [
      'with a redirect',
      { status: 302, headers: { Location: 'https://sso.example/login' } },
      'BASE redirects to https://sso.example/login; check the base URL',
    ],
    [
      'with 204',
      { status: 204 },
      'BASE responds to GET /invoices with 204 and an empty body: this is not a Billing Service; check the base URL',
    ],
    [
      'with an empty body',
      {},
      'BASE responds to GET /invoices with 200 and an empty body: this is not a Billing Service; check the base URL',
    ],
    [
      'with invalid JSON',
      { body: '{"success":tr' },
      'BASE responds to GET /invoices with a body that is not JSON: this is not a Billing Service; check the base URL',
    ],
    [
      'with a JSON object without the fields of an envelope',
      { body: { hello: 'world' } },
      'BASE responds to GET /invoices with JSON that has neither `success` nor `data`; check the base URL',
    ],
    [
      'with a JSON array',
      { body: [1, 2] },
      'BASE responds to GET /invoices with JSON that has neither `success` nor `data`; check the base URL',
    ],
  ])('%s', async (_what, reply, expectedMessage) => {
    expect(await preflightResultOf({ baseUrl: await serveAlways(reply) })).toBe(expectedMessage);
  });
});

test('a target is accepted if it always responds with an envelope of the service', async () => {
  expect(await preflightResultOf({ baseUrl: await serveAlways({ body: { success: true, data: [] } }) })).toBe('runs');
});

describe('a target is reported as unreachable', () => {
  test('if nothing listens at its address', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}/api/v1`;
    expect(await preflightResultOf({ baseUrl })).toMatch(
      /^BASE cannot be reached: nothing listens at this address; check the base URL \(GET \/invoices\?per_page=1: ECONNREFUSED: .+\)$/,
    );
  });

  test.each(['http://billing.invalid/api/v1', 'https://self-signed.invalid/api/v1'])(
    'if its host does not exist: %s',
    async (baseUrl) => {
      expect(await preflightResultOf({ baseUrl, timeout: 10_000 })).toMatch(
        /^BASE cannot be reached: the host does not exist; check the base URL \(.*(ENOTFOUND|EAI_AGAIN).*\)$/,
      );
    },
  );

  test('if it does not respond in time to either of two requests', async () => {
    const paths: (string | undefined)[] = [];
    const baseUrl = await serve(({ url }) => void paths.push(url));
    expect(await preflightResultOf({ baseUrl })).toBe(
      'BASE cannot be reached: it did not respond in time; see --timeout (GET /invoices?per_page=1: Response timeout of 1000ms exceeded)',
    );
    expect(paths).toEqual(['/api/v1/invoices?per_page=1', '/api/v1/invoices/stats']);
  });

  test('if its response does not end', async () => {
    const baseUrl = await serve((_request, response) => void response.writeHead(200).write('{"success":'));
    expect(await preflightResultOf({ baseUrl })).toMatch(
      /: it did not respond in time; see --timeout \(.+ exceeded\)$/,
    );
  });

  test('if it does not speak HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const { url } = await listenUntilTestEnds(server);
    expect(await preflightResultOf({ baseUrl: `${url}/api/v1` })).toMatch(/^BASE cannot be reached: .*Parse Error/);
  });

  test('if its certificate is not trusted', async () => {
    const server = createTlsServer(selfSigned, (_request, response) => response.end('{"success":true,"data":[]}'));
    const { url } = await listenUntilTestEnds(server);
    expect(await preflightResultOf({ baseUrl: `${url}/api/v1` })).toMatch(
      /^BASE cannot be reached: its certificate is not trusted; set NODE_EXTRA_CA_CERTS to a PEM file with its CA \(.*self-signed certificate.*\)$/,
    );
  });

  test('if it does not speak TLS', async () => {
    const baseUrl = (await serveAlways({})).replace('http:', 'https:');
    expect(await preflightResultOf({ baseUrl })).toMatch(
      /^BASE cannot be reached: it does not speak TLS; should the base URL begin with http:\/\/\? \(.*\S\)$/,
    );
  });
});

describe('a base URL', () => {
  test.each<[baseUrl: string, expectedMessage: string]>([
    ['billing.example', 'BASE is not a base URL: it must begin with http:// or https://'],
    ['ftp://billing.example/api/v1', 'BASE is not a base URL: it must begin with http:// or https://'],
    ['http://me:pass@billing.example/api/v1', 'the base URL contains credentials; use a token instead'],
    ['http://billing.example/api/v1?a=1', 'the base URL BASE must not have a query or a fragment'],
  ])('such as %s is refused', async (baseUrl, expectedMessage) => {
    expect(await preflightResultOf({ baseUrl })).toBe(expectedMessage);
  });

  test('may end with slashes', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation();
    expect(await preflightResultOf({ baseUrl: `${baseUrl}//`, token: tokens.full })).toBe('runs');
  });

  test.each(['', '/', '/api', '/api/v2', '/api/v1/invoices'])(
    'that ends with "%s" instead of "/api/v1" is refused with a hint',
    async (end) => {
      const { baseUrl, tokens } = await serveSecondImplementation();
      const wrongUrl = baseUrl.replace('/api/v1', end);
      const message = await preflightResultOf({ baseUrl: wrongUrl, token: tokens.full });
      // If the suggested URL begins with the wrong one, `preflightResultOf` has replaced that part.
      expect(message.replace('BASE', wrongUrl)).toBe(
        `the base URL must end with the version prefix: did you mean ${baseUrl}?`,
      );
    },
  );
});

describe('a base URL whose host is named "api", as in a network of containers,', () => {
  test.each(['http://api', 'http://api/v1', 'http://api/api/v2'])('such as %s, is refused with a hint', async (url) => {
    const { port } = new URL(await serveAlways({ body: { success: true, data: [] } }));
    // Leads all connections to the server above, since nothing can listen at a host with that name here.
    const connect = vi
      .spyOn(Agent.prototype, 'createConnection')
      .mockImplementation(() => createConnection(Number(port)));
    onTestFinished(() => connect.mockRestore());
    const message = await preflightResultOf({ baseUrl: url });
    expect(message.replace('BASE', url)).toBe(
      'the base URL must end with the version prefix: did you mean http://api/api/v1?',
    );
  });
});

test.each(['with a space', 'ünïcode', 'line\nend'])(
  'the token %j is refused before anything is sent',
  async (token) => {
    expect(await preflightResultOf({ baseUrl: 'http://billing.invalid/api/v1', token })).toBe(
      'a token must be printable ASCII without spaces',
    );
  },
);

describe('a token with only `billing.read`', () => {
  test.each(Object.entries(variants))('is refused if the run writes (service variant: %s)', async (_name, options) => {
    const { baseUrl, tokens } = await serveSecondImplementation(options);
    expect(await preflightResultOf({ baseUrl, token: tokens.read })).toBe(
      'BASE accepts the token for GET and refuses it for POST: use a token with both scopes, or run without writes (--no-write)',
    );
    expect(await preflightResultOf({ baseUrl, token: tokens.read, write: false })).toBe('runs');
    expect(await preflightResultOf({ baseUrl, token: tokens.full })).toBe('runs');
  });
});

describe.each([
  ['read token', 'read', 'check --read-token'],
  ['write token', 'write', 'check --write-token'],
  ['token of the other account', 'otherAccount', 'check --other-account-token, which needs both scopes'],
] as const)('a %s', (name, kind, advice) => {
  const option = `${kind}Token` as const;

  test.each(Object.entries(variants))(
    'is accepted if the target knows it (service variant: %s)',
    async (_name, options) => {
      const { baseUrl, tokens } = await serveSecondImplementation(options);
      expect(await preflightResultOf({ baseUrl, token: tokens.full, [option]: tokens[kind] })).toBe('runs');
    },
  );

  test.each(Object.entries(variants))(
    'is refused if the target does not know it (service variant: %s)',
    async (_name, options) => {
      const { baseUrl, tokens } = await serveSecondImplementation(options);
      expect(await preflightResultOf({ baseUrl, token: tokens.full, [option]: 'mistyped' })).toMatch(
        new RegExp(`^BASE refuses the ${name} \\(40[13], "[^"]+"\\); ${advice}$`),
      );
    },
  );

  // The target knows the token, so its clauses report that it is not accepted. No clause does for the other account.
  const otherReason = [
    'it is refused for another reason than an unknown token',
    () => true,
    'Insufficient scope.',
  ] as const;
  test.each([
    ['only one operation refuses it', (path: string) => path.endsWith('/invoices'), 'Unauthenticated.'] as const,
    ...(kind === 'otherAccount' ? [] : [otherReason]),
  ])('does not prevent the run if %s', async (_case, isRefused, error) => {
    const baseUrl = await serve(({ url = '', headers: { authorization } }, response) => {
      const isRefusedToken = authorization === 'Bearer limited' && isRefused(new URL(url, 'http://localhost').pathname);
      const isAccepted = authorization === 'Bearer a-token' || (authorization === 'Bearer limited' && !isRefusedToken);
      response.writeHead(isAccepted ? 200 : 401, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ success: isAccepted, data: {}, error: isRefusedToken ? error : 'Unauthenticated.' }),
      );
    });
    expect(await preflightResultOf({ baseUrl, [option]: 'limited' })).toBe('runs');
  });
});

test('a read token and a write token that are swapped are refused', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const options = { baseUrl, token: tokens.full, readToken: tokens.write, writeToken: tokens.read };
  expect(await preflightResultOf(options)).toBe(
    'BASE refuses the read token for GET and the write token for POST: if they are not swapped, check the scopes of --read-token and --write-token',
  );
  expect(await preflightResultOf({ ...options, writeToken: undefined })).toBe('runs');
});

test('a write token is not checked if the run does not write', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const options = { baseUrl, token: tokens.full, writeToken: 'mistyped', write: false };
  expect(await preflightResultOf(options)).toBe('runs');
});

describe('the customer given by --customer-id', () => {
  test.each(Object.entries(variants))(
    'is refused if it does not exist (service variant: %s)',
    async (_name, options) => {
      const { baseUrl, tokens, createCustomer } = await serveSecondImplementation(options);
      const target = { baseUrl, token: tokens.full };
      expect(await preflightResultOf({ ...target, customerId: 99_999 })).toMatch(
        /^BASE refuses customer 99999 \(4\d\d\); check --customer-id$/,
      );
      expect(await preflightResultOf({ ...target, customerId: 99_999, write: false })).toBe('runs');
      expect(await preflightResultOf({ ...target, customerId: Number((await createCustomer()).id) })).toBe('runs');
    },
  );

  test('does not prevent the run if the target refuses the invoice for another reason', async () => {
    const baseUrl = await serve((request, response) => {
      const isRefused = request.method === 'POST';
      response.writeHead(isRefused ? 422 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ success: !isRefused, data: {}, error: 'No', errors: { due_date: ['No'] } }));
    });
    expect(await preflightResultOf({ baseUrl, customerId: 1 })).toBe('runs');
  });
});

test.each(Object.entries(variants))(
  'a token of the other account with a single scope is refused (service variant: %s)',
  async (_name, options) => {
    const { baseUrl, tokens } = await serveSecondImplementation(options);
    for (const otherAccountToken of [tokens.read, tokens.write]) {
      expect(await preflightResultOf({ baseUrl, token: tokens.full, otherAccountToken })).toMatch(
        /^BASE refuses the token of the other account \(40[13], ".+"\); check --other-account-token, which needs both scopes$/,
      );
    }
  },
);

test('a port given by --webhook-port that is in use prevents a run that writes', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation();
  const options = { baseUrl, token: tokens.full, webhookPort: Number(new URL(baseUrl).port) };
  expect(await preflightResultOf(options)).toMatch(
    /^the suite cannot receive webhooks on port \d+ \(.*EADDRINUSE.*\); choose another with --webhook-port$/,
  );
  expect(await preflightResultOf({ ...options, write: false })).toBe('runs');
  expect(await preflightResultOf({ ...options, webhookPort: await freePort() })).toBe('runs');
});

test.each<[option: string, Partial<ContractOptions>, expectedMessage: string]>([
  ['--read-token', { readToken: 'a-token' }, '--read-token and --token are the same; pass a different token for each'],
  [
    '--write-token',
    { readToken: 'b', writeToken: 'b' },
    '--write-token and --read-token are the same; pass a different token for each',
  ],
  [
    '--scopeless-token',
    { scopelessToken: 'a-token' },
    '--scopeless-token and --token are the same; pass a different token for each',
  ],
  [
    '--other-account-token',
    { otherAccountToken: 'a-token' },
    '--other-account-token and --token are the same; pass a different token for each',
  ],
])('%s is refused if it equals another token', async (_option, options, expectedMessage) => {
  expect(await preflightResultOf({ baseUrl: 'http://billing.invalid/api/v1', ...options })).toBe(expectedMessage);
});

test('a token is accepted if only one operation refuses it', async () => {
  const baseUrl = await serve((request, response) => {
    const isForbidden = request.method === 'POST' && request.url?.endsWith('/invoices') === true;
    response.writeHead(isForbidden ? 403 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ success: !isForbidden, data: {} }));
  });
  expect(await preflightResultOf({ baseUrl })).toBe('runs');
});

test.each<[failure: string, fail: (response: ServerResponse) => unknown]>([
  ['a server error', (response) => response.writeHead(500, { 'Content-Type': 'application/json' }).end('{}')],
  ['no response', (response) => response.destroy()],
])('%s in a single operation does not prevent the run', async (_failure, fail) => {
  const baseUrl = await serve((request, response) => {
    if (request.url?.includes('/invoices?') === true) return void fail(response);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true,"data":{}}');
  });
  expect(await preflightResultOf({ baseUrl })).toBe('runs');
});

test('no response to a single operation that writes does not prevent the run', async () => {
  const baseUrl = await serve((request, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/invoices') === true) return void response.destroy();
    response.writeHead(request.method === 'POST' ? 422 : 200, { 'Content-Type': 'application/json' });
    response.end('{"success":true,"data":{}}');
  });
  expect(await preflightResultOf({ baseUrl })).toBe('runs');
});

test('a target that responds to no request that writes is reported as unreachable', async () => {
  const baseUrl = await serve((request, response) => {
    if (request.method === 'POST') return void response.destroy();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true,"data":{}}');
  });
  expect(await preflightResultOf({ baseUrl })).toBe('BASE cannot be reached: POST /invoices: socket hang up');
});

describe('a run that is aborted while its session opens', () => {
  /** Starts a target that refuses requests with the given method, and asks to wait for longer than a test may take. */
  function serveRefusing(method: string): Promise<string> {
    return serve((request, response) => {
      if (request.method === method) response.writeHead(429, { 'Retry-After': '110' });
      response.end('{"success":true,"data":{}}');
    });
  }

  // The driver is loaded after the first GET request and before the first POST request.
  test.each([
    ['GET', 0],
    ['POST', 1],
  ])('does not wait for the rate limit of %s requests; drivers closed: %i', async (method, expectedCount) => {
    const controller = new AbortController();
    let closeCount = 0;
    const driver = {
      close: async () => {
        closeCount += 1;
      },
    };
    const options = { baseUrl: await serveRefusing(method), token: 'a-token', driver };
    const onWait = (): void => controller.abort();
    const opening = openSession(options, onWait, controller.signal);
    await expect(opening).rejects.toThrow(new CannotRun('the run was interrupted before its first check'));
    expect(closeCount).toBe(expectedCount);
  });

  test('closes the driver if the run is aborted while the driver is created, even if it may not write', async () => {
    const controller = new AbortController();
    const close = vi.fn();
    const options = {
      baseUrl: await serveRefusing('POST'),
      token: 'a-token',
      write: false,
      driver: () => {
        controller.abort();
        return { close };
      },
    };
    const opening = openSession(options, undefined, controller.signal);
    await expect(opening).rejects.toThrow(new CannotRun('the run was interrupted before its first check'));
    expect(close).toHaveBeenCalledOnce();
  });

  test.each([
    ['runContract', runContract],
    ['calibrate', calibrate],
  ])('is reported as interrupted by %s', async (_name, run) => {
    const controller = new AbortController();
    const options = { baseUrl: await serveRefusing('GET'), token: 'a-token' };
    const running = run(options, { signal: controller.signal, onWait: () => controller.abort() });
    await expect(running).rejects.toThrow(new CannotRun('the run was interrupted before its first check'));
  });
});

test('an empty account is accepted', async () => {
  const { baseUrl, tokens } = await serveSecondImplementation({ seeded: false });
  expect(await preflightResultOf({ baseUrl, token: tokens.full })).toBe('runs');
});
