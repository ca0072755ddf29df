import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Blocked, Skip } from '../../src/contract/engine/check-errors.js';
import { type ContractOptions, createTarget, openSession } from '../../src/contract/engine/open-session.js';
import { requestsPerMinute } from '../../src/contract/engine/pace.js';
import { freePort } from '../support/free-port.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';
import { serve, serveSecondImplementation } from './targets.js';

const token = 'a-token-for-tests';

/** Starts a server that records every request, and closes the connection without a response. */
async function serveWithoutResponses(): Promise<{ baseUrl: string; received: string[] }> {
  const received: string[] = [];
  const baseUrl = await serve((request) => {
    received.push(`${request.method} ${request.url?.replace('/api/v1', '')}`);
    request.socket.destroy();
  });
  return { baseUrl, received };
}

test('every request names the suite in `User-Agent`, because some gateways refuse requests without that header', async () => {
  const agents: unknown[] = [];
  const baseUrl = await serve(({ headers }, response) => {
    agents.push(headers['user-agent']);
    response.end('{}');
  });
  const target = createTarget({ baseUrl, token });
  await target.send({ method: 'GET', path: '/invoices' });
  await target.send({ method: 'POST', path: '/invoices', body: {} });
  expect(agents).toEqual(['billing-sim', 'billing-sim']);
});

describe('a request without a response', () => {
  test.each([
    ['GET', 2],
    ['POST', 1],
  ] as const)('is sent again only if its method is safe: %s is sent %i time(s)', async (method, times) => {
    const { baseUrl, received } = await serveWithoutResponses();
    const target = createTarget({ baseUrl, token });
    await expect(target.send({ method, path: '/deposits' })).rejects.toThrow(Blocked);
    expect(received).toEqual(Array.from({ length: times }, () => `${method} /deposits`));
    expect(target.unanswered).toEqual([`${method} /deposits: socket hang up`]);
    expect(target.requestCount).toBe(times);
  });

  test('three times in a row, from a target that has never responded, stops all further requests', async () => {
    const { baseUrl, received } = await serveWithoutResponses();
    const target = createTarget({ baseUrl, token });
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) await expect(target.send({ method: 'POST', path })).rejects.toThrow(Blocked);
    expect(received).toEqual(['POST /a', 'POST /b', 'POST /c']);
    await expect(target.send({ method: 'GET', path: '/f' })).rejects.toThrow(
      'the target has not responded to any request: POST /c: socket hang up',
    );
  });

  test('does not make the suite abandon a target that responds to requests in between', async () => {
    // Every other POST request gets no response.
    let postCount = 0;
    const baseUrl = await serve((request, response) => {
      if (request.method === 'POST') postCount += 1;
      if (request.method === 'POST' && postCount % 2 === 1) request.socket.destroy();
      else response.end('{}');
    });
    const target = createTarget({ baseUrl, token });
    for (let sent = 0; sent < 5; sent++) {
      await expect(target.send({ method: 'POST', path: '/deposits' })).rejects.toThrow(Blocked);
      await target.send({ method: 'POST', path: '/deposits' });
    }
    expect(target.unanswered).toHaveLength(5);
  });

  test('three times in a row, for one operation of a target that has responded, stops only requests to it', async () => {
    const captures: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      if (request.url?.endsWith('/capture')) {
        captures.push(request.url);
        request.socket.destroy();
      } else response.end('{}');
    });
    const target = createTarget({ baseUrl, token });
    await target.send({ method: 'GET', path: '/deposits' });
    for (const id of [1, 2, 3, 4])
      await expect(target.send({ method: 'POST', path: `/deposits/${id}/capture` })).rejects.toThrow(Blocked);
    expect(captures).toHaveLength(3);
    await expect(target.send({ method: 'POST', path: '/deposits/5/capture' })).rejects.toThrow(
      'the target no longer responds to POST /deposits/{id}/capture: it did not respond to 3 requests in a row',
    );
    await expect(target.send({ method: 'POST', path: '/deposits/5/release' })).resolves.toMatchObject({ status: 200 });
    expect(target.isAbandoned).toBe(false);
  });
});

test.each([
  ['GET', 502, 200],
  ['GET', 504, 200],
  ['GET', 500, 500],
  ['POST', 502, 502],
] as const)('a %s to which a gateway responds with %i once results in %i', async (method, status, expectedStatus) => {
  let requestCount = 0;
  const baseUrl = await serve((_request, response) => {
    requestCount += 1;
    response.writeHead(requestCount === 2 ? status : 200).end('{}');
  });
  const target = createTarget({ baseUrl, token });
  await target.send({ method: 'GET', path: '/invoices' });
  expect(await target.send({ method, path: '/deposits' })).toMatchObject({ status: expectedStatus });
});

test('requests stop sharing a connection once the target has closed one that was reused', async () => {
  // The target responds to one request on each connection, and closes it when the next one arrives.
  const socketsInUse = new Set<Socket>();
  let connectionCount = 0;
  const server = createServer((request, response) => {
    if (socketsInUse.has(request.socket)) request.socket.destroy();
    else response.end('{}');
    socketsInUse.add(request.socket);
  });
  server.on('connection', () => {
    connectionCount += 1;
  });
  const { url } = await listenUntilTestEnds(server);
  const target = createTarget({ baseUrl: `${url}/api/v1`, token });
  for (const method of ['GET', 'GET', 'POST', 'POST', 'POST'] as const)
    await target.send({ method, path: '/deposits' });
  expect(target.unanswered).toEqual([]);
  // The second GET was sent twice.
  expect(target.requestCount).toBe(6);
  expect(connectionCount).toBe(5);
});

test.each<{ closes: string; close: (socket: Socket) => void }>([
  { closes: 'ends', close: (socket) => socket.end() },
  {
    closes: 'resets',
    // After a turn of the event loop, in which the client receives the response.
    close: (socket) => setImmediate(() => setImmediate(() => socket.resetAndDestroy())),
  },
])(
  'requests share no connection with a target that $closes it after each response without saying so',
  async ({ close }) => {
    const received = new Map<Socket, string[]>();
    const baseUrl = await serve((request, response) => {
      received.set(request.socket, [...(received.get(request.socket) ?? []), `${request.method}`]);
      response.end('{"success":true,"data":{}}');
      response.on('finish', () => close(request.socket));
    });
    const session = await openSession({ baseUrl, token, driver: 'none' });
    for (let sent = 0; sent < 5; sent++) await session.target.send({ method: 'POST', path: '/deposits' });
    await session.close();
    expect(session.target.unanswered).toEqual([]);
    expect([...received.values()].filter((methods) => methods.length > 1)).toEqual([]);
  },
);

test('requests share a connection, which is closed after a second without a request', async () => {
  const server = createServer((_request, response) => void response.end('{}'));
  const closed: Promise<unknown>[] = [];
  server.on('connection', (socket) => closed.push(once(socket, 'close')));
  const { url } = await listenUntilTestEnds(server);
  const target = createTarget({ baseUrl: `${url}/api/v1`, token });
  for (const method of ['GET', 'POST', 'GET'] as const) await target.send({ method, path: '/deposits' });
  expect(closed).toHaveLength(1);
  await Promise.all(closed);
});

describe('the pace', () => {
  test.each(['epoch', 'seconds-left', 'iso'] as const)(
    '"auto" waits for the reset of a used-up window (reset unit: %s)',
    async (resetUnit) => {
      // Without bursts, exactly six requests use up the window.
      const { baseUrl, tokens } = await serveSecondImplementation({
        limit: 6,
        windowSeconds: 1,
        burstsAllowed: 'never',
        resetUnit,
      });
      const waits: number[] = [];
      const target = createTarget({ baseUrl, token: tokens.full }, (milliseconds) => waits.push(milliseconds));
      for (let sent = 0; sent < 10; sent++) await target.send({ method: 'GET', path: '/invoices?per_page=1' });
      expect(target.exchanges.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      // The start of each wait is reported with its length, its end with 0.
      expect(waits.length).toBeGreaterThan(1);
      const reportsOfEnds = waits.filter((_wait, index) => index % 2 === 1);
      expect(reportsOfEnds).toEqual(reportsOfEnds.map(() => 0));
    },
  );

  test('"auto" retries once if other clients used up the window', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation({ limit: 3, windowSeconds: 1, burstsAllowed: 'never' });
    const others = createTarget({ baseUrl, token: tokens.full, pace: 'off' });
    for (let sent = 0; sent < 3; sent++) await others.send({ method: 'GET', path: '/invoices/stats' });
    const target = createTarget({ baseUrl, token: tokens.full });
    expect(await target.send({ method: 'GET', path: '/invoices/stats' })).toMatchObject({ status: 200 });
    expect(target.requestCount).toBe(2);
  });

  /** Starts a target that responds to the first request with a status and headers, and to others with 200. */
  async function serveRefusedOnce(status: number, headers: Readonly<Record<string, string>>): Promise<string> {
    let requestCount = 0;
    return serve((_request, response) => {
      requestCount += 1;
      if (requestCount === 1) response.writeHead(status, headers);
      response.end('{}');
    });
  }

  const date = 'Fri, 27 Nov 2026 10:00:00 GMT';

  // A second is added, since the announced time may be rounded down.
  test.each<[title: string, status: number, headers: Readonly<Record<string, string>>, waits: readonly number[]]>([
    ['in seconds', 429, { 'Retry-After': '0' }, [1_000]],
    ['as a date', 429, { 'Retry-After': date, Date: date }, [1_000]],
    ['with status 403', 403, { 'Retry-After': '0' }, [1_000]],
    [
      'although the reset is later',
      429,
      { 'Retry-After': '0', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '60' },
      [1_000],
    ],
    ['or a second if there is none', 429, {}, [1_000]],
    ['unless it is longer than two minutes', 429, { 'Retry-After': '121' }, []],
    ['unless it is in the past', 429, { 'Retry-After': 'Fri, 27 Nov 2026 09:59:59 GMT', Date: date }, []],
    ['unless it is neither a number nor a date', 429, { 'Retry-After': 'soon' }, []],
  ])('before a retry, "auto" waits for the time in Retry-After: %s', async (_title, status, headers, waits) => {
    const reportedWaits: number[] = [];
    const baseUrl = await serveRefusedOnce(status, headers);
    const target = createTarget({ baseUrl, token }, (milliseconds) => reportedWaits.push(milliseconds));
    // The target's first response refuses the request.
    expect(await target.send({ method: 'POST', path: '/deposits' })).toMatchObject({ status: 200 });
    // The end of a wait is reported as 0.
    const startedWaits = reportedWaits.filter((milliseconds) => milliseconds > 0);
    expect(startedWaits.map((milliseconds) => Math.ceil(milliseconds / 1_000) * 1_000)).toEqual(waits);
    expect(reportedWaits).toHaveLength(waits.length * 2);
  });

  test.each([
    ['GET', { 'Retry-After': '0' }, 200, 1],
    ['POST', { 'Retry-After': '0' }, 200, 1],
    ['GET', {}, 503, 0],
    // Longer than the suite waits.
    ['GET', { 'Retry-After': '600' }, 503, 0],
  ] as const)(
    'a %s during maintenance, which is refused with 503 and %j, results in %i after %i wait(s)',
    async (method, headers, expectedStatus, waitCount) => {
      let requestCount = 0;
      const baseUrl = await serve((_request, response) => {
        requestCount += 1;
        if (requestCount === 2) response.writeHead(503, headers);
        response.end('{}');
      });
      const waits: number[] = [];
      const target = createTarget({ baseUrl, token }, (milliseconds) => waits.push(milliseconds));
      await target.send({ method: 'GET', path: '/invoices' });
      expect(await target.send({ method, path: '/deposits' })).toMatchObject({ status: expectedStatus });
      expect(waits.filter((milliseconds) => milliseconds > 0)).toHaveLength(waitCount);
    },
  );

  test('"auto" reads the number of remaining requests even if the length of the window follows it', async () => {
    const waits: number[] = [];
    const usedUp = { 'X-RateLimit-Remaining': '0;w=60', 'X-RateLimit-Reset': '0' };
    const target = createTarget({ baseUrl: await serveRefusedOnce(200, usedUp), token }, (ms) => waits.push(ms));
    for (let sent = 0; sent < 2; sent++) await target.send({ method: 'GET', path: '/invoices' });
    expect(waits).toEqual([expect.any(Number), 0]);
  });

  test('"auto" delays all concurrent requests until the reset of a used-up window', async () => {
    const waits: number[] = [];
    const usedUp = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '0' };
    const target = createTarget({ baseUrl: await serveRefusedOnce(200, usedUp), token }, (ms) => waits.push(ms));
    await target.send({ method: 'GET', path: '/invoices' });
    await Promise.all([1, 2].map(() => target.send({ method: 'POST', path: '/deposits' })));
    expect(waits.filter((milliseconds) => milliseconds > 0)).toHaveLength(2);
  });

  test('the limit that is announced with the length of its window is known', () => {
    expect(requestsPerMinute('auto', { 'x-ratelimit-limit': '60, 60;w=60' })).toBe(60);
    expect(requestsPerMinute('auto', { 'x-ratelimit-limit': 'many' })).toBeUndefined();
  });

  test.each(['after-refusal', 60_000] as const)(
    '"%s" waits for Retry-After, but not for the reset of a used-up window',
    async (pace) => {
      // Waits for the next turn, of a millisecond, do not count.
      const waits: number[] = [];
      const usedUp = { 'Retry-After': '0', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '60' };
      const onWait = (milliseconds: number): void => {
        if (milliseconds > 1) waits.push(milliseconds);
      };
      const accepting = createTarget({ baseUrl: await serveRefusedOnce(200, usedUp), token }, onWait, pace);
      for (let sent = 0; sent < 2; sent++) await accepting.send({ method: 'GET', path: '/invoices' });
      expect(waits).toEqual([]);
      const refusing = createTarget({ baseUrl: await serveRefusedOnce(429, usedUp), token }, onWait, pace);
      expect(await refusing.send({ method: 'GET', path: '/invoices' })).toMatchObject({ status: 200 });
      expect(waits).toHaveLength(1);
    },
  );

  test('"off" exceeds the limit, which blocks the clause', async () => {
    const { baseUrl, tokens } = await serveSecondImplementation({ limit: 1, burstsAllowed: 'never' });
    const target = createTarget({ baseUrl, token: tokens.full, pace: 'off' });
    await target.send({ method: 'GET', path: '/invoices/stats' });
    await expect(target.send({ method: 'GET', path: '/invoices/stats' })).rejects.toThrow(Blocked);
    // A response with status 429 does not count as an answer.
    expect(target.unanswered).toEqual([
      'GET /invoices/stats: the rate limit is used up (429, "Too Many Attempts."); see --pace',
    ]);
  });

  test('as a number of requests per minute spaces out the requests', async () => {
    const receivedAt: number[] = [];
    const baseUrl = await serve((_request, response) => {
      receivedAt.push(Date.now());
      response.end('{}');
    });
    const target = createTarget({ baseUrl, token, pace: 600 });
    const startedAt = Date.now();
    for (let sent = 0; sent < 4; sent++) await target.send({ method: 'GET', path: '/invoices' });
    // At 100 ms each, the fourth turn is 300 ms after the first. A timer may fire a millisecond early.
    expect(receivedAt[3]).toBeGreaterThanOrEqual(startedAt + 299);
  });

  test('also delays the requests that find out whether the target is down', async () => {
    const receivedAt: number[] = [];
    const baseUrl = await serve((_request, response) => {
      receivedAt.push(Date.now());
      response.writeHead(receivedAt.length === 1 ? 200 : 500).end('{}');
    });
    const target = createTarget({ baseUrl, token, pace: 600 });
    const startedAt = Date.now();
    await target.send({ method: 'GET', path: '/invoices' });
    await expect(target.send({ method: 'GET', path: '/deposits' })).rejects.toThrow('the target stopped responding');
    // At 100 ms each, the fourth turn is 300 ms after the first. A timer may fire a millisecond early.
    expect(receivedAt).toHaveLength(4);
    expect(receivedAt[3]).toBeGreaterThanOrEqual(startedAt + 299);
  });
});

describe('writing', () => {
  const urls = {
    'http://127.0.0.1:4010/api/v1': true,
    'http://localhost:4010/api/v1': true,
    'http://billing.localhost/api/v1': true,
    'http://[::1]:4010/api/v1': true,
    'http://127.0.0.1.example.com/api/v1': false,
    'http://localhost.example.com/api/v1': false,
    'http://0.0.0.0:4010/api/v1': false,
    'https://billing.example/api/v1': false,
  };

  test.each(Object.entries(urls))('to %s is allowed without --write: %s', (baseUrl, isAllowed) => {
    expect(createTarget({ baseUrl, token }).options.mayWrite).toBe(isAllowed);
    expect(createTarget({ baseUrl, token, write: true }).options.mayWrite).toBe(true);
    expect(createTarget({ baseUrl, token, write: false }).options.mayWrite).toBe(false);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('by %s is refused in a read-only run', async (method) => {
    const received: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      received.push(request.method);
      response.end('{}');
    });
    const target = createTarget({ baseUrl, token, write: false });
    await expect(target.send({ method, path: '/deposits' })).rejects.toThrow(
      new Skip({ missing: '--write', reason: 'without it, the suite only reads from the target' }),
    );
    await target.send({ method: 'GET', path: '/deposits' });
    expect(received).toEqual(['GET']);
  });
});

test('a redirect counts as a response, and is not followed', async () => {
  const redirectedRequests: IncomingMessage[] = [];
  const redirectTarget = await serve((request) => void redirectedRequests.push(request));
  const baseUrl = await serve((_request, response) => response.writeHead(307, { Location: redirectTarget }).end());
  expect(await createTarget({ baseUrl, token }).send({ method: 'GET', path: '/invoices' })).toMatchObject({
    status: 307,
  });
  expect(redirectedRequests).toEqual([]);
});

test('tokens are redacted in an exchange, wherever a target puts them', async () => {
  const secrets: ContractOptions = {
    baseUrl: '',
    token: 'full_"token"/1',
    readToken: 'read-token',
  };
  const baseUrl = await serve((request, response) => {
    const bearer = String(request.headers.authorization);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'X-Echo': bearer,
      'Set-Cookie': [bearer, 'read-token'],
    });
    response.end(JSON.stringify({ bearer, other: { [bearer]: ['read-token'] } }));
  });
  const exchange = await createTarget({ ...secrets, baseUrl }).send({ method: 'GET', path: '/invoices' });
  // The checks need the real `json`, so it is redacted only when it is shown.
  const { json: _json, ...redacted } = exchange;
  expect(JSON.stringify(redacted)).not.toMatch(/full|read-token/);
  expect(exchange.text).toContain('[redacted]');
});

test('an unreachable target is reported with its address', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/api/v1`;
  await expect(openSession({ baseUrl, token })).rejects.toThrow(baseUrl);
});
