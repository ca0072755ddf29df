import type { Socket } from 'node:net';
import { verify } from '@octokit/webhooks-methods';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import { type Account, maxDeliveriesAtOnce } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, declineDeposit } from '../../src/simulation/operations/deposits.js';
import { createInvoicePayment, createLinkPayment } from '../../src/simulation/operations/payments.js';
import { clientOf } from '../support/client.js';
import { createDeferred } from '../support/deferred.js';
import { openRawReceiver, openReceiver } from './receiver.js';

/** Webhooks that a running server sends to receivers over HTTP. */

const secret = 'the secret of this test';
const deposit = { booking_reference: 'BK-1', amount: 300 };
const dayMs = 86_400_000;

interface LiveSimulator {
  /** The `demo` account of the server. */
  readonly account: Account;
  /** Client of the API with the token of `account`. */
  readonly client: ReturnType<typeof clientOf>;
  /** Creates a second account, whose events go to this URL. */
  addAccount(webhookUrl: string): { readonly account: Account; readonly client: ReturnType<typeof clientOf> };
}

async function openSimulator(webhookUrl: string): Promise<LiveSimulator> {
  const seed = await readSeed('demo');
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder: undefined,
    durability: 'os',
    seed: async () => seed,
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: undefined,
    rateLimit: false,
    webhookUrl,
    webhookSecret: secret,
    log: () => undefined,
  });
  onTestFinished(() => server.close());
  const baseUrl = `${server.url}/api/v1`;
  const { world } = server;
  return {
    account: world.accounts.default(),
    client: clientOf(baseUrl),
    addAccount(url) {
      // Two accounts cannot have the same tokens.
      const { tokens: _tokens, ...contents } = seed;
      const { account, tokens } = world.accounts.create({
        id: 'second',
        seed: contents,
        rateLimit: false,
        now: '2026-03-01T09:00:00Z',
        webhookUrl: url,
        webhookSecret: secret,
      });
      return { account, client: clientOf(baseUrl, tokens.full) };
    },
  };
}

/** Advances the clock by `byMs`, and waits until receivers have responded. */
async function advanceAndSettle(account: Account, byMs = 0): Promise<void> {
  const { in_progress } = await account.schedule.advance({ by: byMs, timeoutMs: 20_000 });
  expect(in_progress).toEqual([]);
}

/** Returns the only attempt of an account, with the status of its delivery. */
function onlyAttempt(account: Account) {
  const [attempt, ...others] = account.attempts.rows;
  if (!attempt || others.length > 0) throw new Error(`there are ${account.attempts.size} attempts`);
  const [delivery] = account.deliveries.rows;
  return { ...attempt, statusOfDelivery: delivery && deliveryStatus(account, delivery) };
}

test('every event is delivered, with a signature that the library for GitHub webhooks accepts', async () => {
  const receiver = await openReceiver();
  const { account, client } = await openSimulator(`${receiver.url}/hook`);
  const create = () => client.POST('/deposits', { body: { ...deposit, metadata: { note: 'é 🎉 "quoted"' } } });
  for (let count = 0; count < 4; count++) await create();
  // The demo account has 7 deposits, so the new ones have the ids 8 to 11.
  for (const id of [8, 9, 10]) authorizeDeposit(account, id);
  declineDeposit(account, 11);
  await client.POST('/deposits/{id}/capture', { params: { path: { id: 8 } }, body: { amount: 120.5 } });
  await client.POST('/deposits/{id}/release', { params: { path: { id: 8 } } });
  await client.POST('/deposits/{id}/capture', { params: { path: { id: 9 } }, body: {} });
  createLinkPayment(account, 2, {});
  createInvoicePayment(account, 2, {});
  await advanceAndSettle(account, 8 * dayMs);

  const eventNames = receiver.received.map(({ headers }) => String(headers['x-service-event']));
  expect([...new Set(eventNames)].sort()).toEqual([
    'deposit.authorized',
    'deposit.captured',
    'deposit.created',
    'deposit.expired',
    'deposit.failed',
    'deposit.partially_captured',
    'deposit.released',
    'payment.succeeded',
  ]);
  for (const { method, path, headers, body } of receiver.received) {
    const signature = String(headers['x-service-signature']);
    expect([method, path]).toEqual(['POST', '/hook']);
    expect(await verify(secret, body.toString('utf8'), signature)).toBe(true);
    expect(await verify('another secret', body.toString('utf8'), signature)).toBe(false);
    expect(JSON.parse(body.toString('utf8')).event).toBe(headers['x-service-event']);
  }
  expect(account.deliveries.size).toBe(receiver.received.length);
  expect(account.deliveries.rows.map((row) => deliveryStatus(account, row))).toEqual(eventNames.map(() => 'delivered'));
});

test('a receiver that does not respond delays neither the API nor webhooks of other accounts', async () => {
  const pendingResponses: (() => void)[] = [];
  const maxReached = createDeferred();
  const hanging = await openReceiver((_request, response) => {
    pendingResponses.push(() => void response.writeHead(204).end());
    if (pendingResponses.length === maxDeliveriesAtOnce) maxReached.resolve();
  });
  const prompt = await openReceiver();
  const { account, client, addAccount } = await openSimulator(hanging.url);
  const other = addAccount(prompt.url);
  const depositsBefore = account.deposits.size;
  const addedDeposits = 40;
  for (let count = 0; count < addedDeposits; count++) {
    const { response } = await client.POST('/deposits', { body: deposit });
    expect(response.status).toBe(201);
  }
  await maxReached.promise;
  const { response, data } = await client.GET('/deposits', { params: { query: { per_page: 1 } } });
  expect([response.status, data?.data.total]).toEqual([200, depositsBefore + addedDeposits]);
  for (let count = 0; count < 20; count++) await other.client.POST('/deposits', { body: deposit });
  await advanceAndSettle(other.account);
  expect(prompt.received).toHaveLength(20);
  expect([account.attempts.size, hanging.received.length]).toEqual([0, maxDeliveriesAtOnce]);

  // Once the hanging receiver responds, the remaining webhooks are sent, too.
  while (account.attempts.size < addedDeposits) {
    for (const respond of pendingResponses.splice(0)) respond();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(hanging.received).toHaveLength(addedDeposits);
});

test('a redirect is not followed', async () => {
  const target = await openReceiver();
  const receiver = await openReceiver((_request, response) => {
    response.writeHead(307, { Location: target.url }).end();
  });
  const { account } = await openSimulator(receiver.url);
  authorizeDeposit(account, 1);
  await advanceAndSettle(account);
  expect(onlyAttempt(account)).toMatchObject({
    statusOfDelivery: 'retrying',
    url: receiver.url,
    status: 307,
    next_attempt_at: '2026-03-01T09:00:05.000Z',
  });
  expect(target.connectionCount()).toBe(0);
});

describe('the API is not affected by a receiver that', () => {
  /** Status of a deposit according to the API. */
  async function statusOf(client: LiveSimulator['client'], id: number): Promise<string | undefined> {
    const { data } = await client.GET('/deposits/{id}', { params: { path: { id } } });
    return data?.data.status;
  }

  /** Creates a connection handler that calls `respond` when the whole message has arrived. */
  function onMessage(respond: (socket: Socket) => void): (socket: Socket) => void {
    return (socket) => {
      let requested = '';
      socket.on('data', (chunk: Buffer) => {
        requested += chunk.toString('latin1');
        if (requested.endsWith('}')) respond(socket);
      });
    };
  }

  test('responds with 1 GB, of which only the beginning is read', async () => {
    const gigabyte = 1_000_000_000;
    const chunk = Buffer.alloc(100_000, 'x');
    const closed = createDeferred();
    let written = 0;
    const receiver = await openRawReceiver(
      onMessage((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${gigabyte}\r\n\r\n`);
        const writeChunk = (): void => {
          while (!socket.destroyed && written < gigabyte) {
            written += chunk.length;
            if (!socket.write(chunk)) return;
          }
        };
        socket.on('drain', writeChunk);
        socket.on('close', closed.resolve);
        writeChunk();
      }),
    );
    const { account, client } = await openSimulator(receiver.url);
    authorizeDeposit(account, 1);
    await advanceAndSettle(account);
    await closed.promise;
    expect(onlyAttempt(account)).toMatchObject({
      statusOfDelivery: 'delivered',
      status: 200,
      response_body: 'x'.repeat(20_000),
    });
    expect(written).toBeLessThan(gigabyte / 10);
    expect(await statusOf(client, 1)).toBe('authorized');
  });

  test.each<[string, (socket: Socket) => void]>([
    ['resets the connection', (socket) => void socket.resetAndDestroy()],
    ['closes the connection', (socket) => void socket.end()],
  ])('%s without a response: the webhook is retried', async (_what, misbehave) => {
    let isHealthy = false;
    const receiver = await openRawReceiver(
      onMessage((socket) => {
        if (isHealthy) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
        else misbehave(socket);
      }),
    );
    const { account, client } = await openSimulator(receiver.url);
    authorizeDeposit(account, 1);
    await advanceAndSettle(account);
    expect(onlyAttempt(account)).toMatchObject({
      statusOfDelivery: 'retrying',
      status: null,
      error: 'connection closed before a response',
      next_attempt_at: '2026-03-01T09:00:05.000Z',
    });
    expect(await statusOf(client, 1)).toBe('authorized');
    isHealthy = true;
    await advanceAndSettle(account, 5_000);
    expect(account.attempts.rows.map(({ status }) => status)).toEqual([null, 204]);
  });
});
