import type { IncomingHttpHeaders } from 'node:http';
import { verify } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { isForged } from '../../src/domain/faults.js';
import { messageEffects } from '../../src/faults/messages/index.js';
import { type NewFault, readFault } from '../../src/faults/rule.js';
import { readSeed } from '../../src/files/seed-file.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit, createDeposit } from '../../src/simulation/operations/deposits.js';
import { sampledRunsUnlessFull } from '../support/sample.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { openReceiver } from './receiver.js';

/** Webhooks altered by faults, as a receiver gets them over HTTP. The receiver verifies them with GitHub's library. */

const secret = 'the secret of this test';
const previousSecret = 'the secret before the rotation';
const dayMs = 86_400_000;

let sharedServer: RunningServer;
let accountCount = 0;

beforeAll(async () => {
  sharedServer = await start(undefined);
});

afterAll(() => sharedServer.close());

async function start(folder: string | undefined, webhookUrl: string | null = null): Promise<RunningServer> {
  return startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder,
    durability: 'os',
    seed: () => readSeed('empty'),
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'faulted-webhooks',
    rateLimit: false,
    webhookUrl,
    webhookSecret: secret,
    log: () => undefined,
  });
}

/** Opens a receiver that responds to a valid signature with 204, to others with 401, and that lists its verdicts. */
async function openVerifyingReceiver() {
  const verdicts: {
    /** Event and id of the deposit, such as `created 1`. */
    readonly name: string;
    readonly eventId: unknown;
    readonly body: string;
    readonly isGenuine: boolean;
  }[] = [];
  const { url, received } = await openReceiver(async (request, response) => {
    const body = String(received.at(-1)?.body);
    // Another test may still send requests to a server that had this port before.
    if (request.headers['x-service-event'] === undefined) return void response.writeHead(404).end();
    const isGenuine = await hasValidSignature(request.headers, body);
    const { id, event, data } = JSON.parse(body);
    verdicts.push({ name: `${event.replace('deposit.', '')} ${data.id}`, eventId: id, body, isGenuine });
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  return {
    url,
    received,
    verdicts,
    /** Returns the received messages as text, such as `created 1` or `created 1 forged`. */
    receivedEvents: () => verdicts.map(({ name, isGenuine }) => `${name}${isGenuine ? '' : ' forged'}`),
  };
}

async function hasValidSignature(headers: IncomingHttpHeaders, body: string): Promise<boolean> {
  const signature = headers['x-service-signature'];
  return typeof signature === 'string' && verify(secret, body, signature);
}

/** Adds an account with a frozen clock, whose secret has been rotated: `previousSecret` is retired. */
function addAccount(webhookUrl: string, randomSeed = 'seed', choices: Choices = {}): Account {
  accountCount += 1;
  const { account } = sharedServer.world.accounts.create({
    id: `account${accountCount}`,
    seed: sharedServer.world.accounts.default().origin.seed,
    choices,
    now: '2026-03-01T09:00:00Z',
    randomSeed,
    webhookUrl,
    webhookSecret: previousSecret,
  });
  return sharedServer.world.accounts.configure(account, { webhookSecret: secret });
}

function addFaultWith(account: Account, ...effects: readonly string[]): void {
  addFault(account, readFault({ effect: effects } satisfies NewFault));
}

function createTestDeposit(account: Account): void {
  createDeposit(account, {
    booking_reference: 'BK-1',
    amount: 300,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: { note: 'é 🎉 "quoted"' },
  });
}

/** Advances the clock by `byMs`, and waits until receivers have responded. */
async function advanceAndSettle(account: Account, byMs = 0): Promise<void> {
  const { in_progress } = await account.schedule.advance({ by: byMs, timeoutMs: 20_000 });
  expect(in_progress).toEqual([]);
}

describe('with a fault that duplicates, reorders and tampers with webhooks', () => {
  test.each<[profile: string, Choices]>([
    ['default profile', {}],
    ['event.order: none', { 'event.order': 'none' }],
    ['decimal.encoding: string', { 'decimal.encoding': 'string' }],
  ])('each arrives twice and out of order, and its second copy is forged (%s)', async (_profile, choices) => {
    const receiver = await openVerifyingReceiver();
    const account = addAccount(receiver.url, 'seed', choices);
    addFaultWith(account, 'duplicate', 'reorder', 'tamper-body');
    createTestDeposit(account);
    authorizeDeposit(account, 1);
    await advanceAndSettle(account);
    expect(receiver.receivedEvents()).toEqual(['authorized 1', 'authorized 1 forged', 'created 1', 'created 1 forged']);
    const [first, second, third, fourth] = receiver.verdicts.map(({ eventId }) => eventId);
    expect([first === second, third === fourth, second === third]).toEqual([true, true, false]);
    const amounts = receiver.verdicts.map(({ body }) => Number(JSON.parse(body).data.amount));
    // Tampering multiplies the amount.
    expect(amounts.map((amount) => amount > 300)).toEqual([false, true, false, true]);
    // The refused forged copies are not retried, since the genuine messages were delivered.
    await advanceAndSettle(account, 8 * dayMs);
    expect(receiver.receivedEvents().slice(4)).toEqual(['expired 1', 'expired 1 forged']);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual(
      account.deliveries.rows.map(() => 'delivered'),
    );
  });
});

describe('a receiver that verifies', () => {
  test.each(['tamper-body', 'wrong-secret', 'retired-secret', 'no-signature'])(
    'refuses a message with the fault %s, and then gets the genuine one',
    async (effect) => {
      const receiver = await openVerifyingReceiver();
      const account = addAccount(receiver.url);
      addFaultWith(account, effect);
      createTestDeposit(account);
      await advanceAndSettle(account, dayMs);
      expect(receiver.receivedEvents()).toEqual(['created 1 forged', 'created 1']);
      expect(account.attempts.rows.map(({ status, applied_faults }) => [status, isForged(applied_faults)])).toEqual([
        [401, true],
        [204, false],
      ]);
      const [forged, genuine] = receiver.received;
      const { 'x-service-signature': _signature, 'content-length': _length, ...otherHeaders } = forged?.headers ?? {};
      expect(genuine?.headers).toMatchObject(otherHeaders);
      expect('x-service-signature' in (forged?.headers ?? {})).toBe(effect !== 'no-signature');
    },
  );

  test('gets a replay with the body, the headers and the valid signature of the original message', async () => {
    const receiver = await openVerifyingReceiver();
    const account = addAccount(receiver.url);
    createTestDeposit(account);
    await advanceAndSettle(account);
    addFaultWith(account, 'stale');
    authorizeDeposit(account, 1);
    await advanceAndSettle(account);
    expect(receiver.receivedEvents()).toEqual(['created 1', 'authorized 1', 'created 1']);
    const [first, , replayed] = receiver.received;
    expect(replayed?.body).toEqual(first?.body);
    expect(replayed?.headers).toEqual(first?.headers);
  });

  test('gets all messages of a burst when the burst ends, and none before', async () => {
    const receiver = await openVerifyingReceiver();
    const account = addAccount(receiver.url);
    addFaultWith(account, 'burst=10s');
    createTestDeposit(account);
    await advanceAndSettle(account, 3_000);
    authorizeDeposit(account, 1);
    await advanceAndSettle(account, 6_999);
    expect(receiver.receivedEvents()).toEqual([]);
    await advanceAndSettle(account, 1);
    expect(receiver.receivedEvents()).toEqual(['created 1', 'authorized 1']);
  });

  test('never receives dropped messages', async () => {
    const receiver = await openVerifyingReceiver();
    const account = addAccount(receiver.url);
    addFaultWith(account, 'drop');
    createTestDeposit(account);
    await advanceAndSettle(account, 8 * dayMs);
    expect(account.deliveries.rows.map(({ event }) => event)).toEqual(['deposit.created']);
    expect(receiver.received).toEqual([]);
  });
});

test('under random faults that drop at most single attempts, every message arrives unchanged, and forged copies are refused', async () => {
  const effectExamples = messageEffects.filter(({ name }) => name !== 'drop').map(({ example }) => example);
  // A fault that drops the first attempt cannot have effects that need this attempt to be sent.
  const combinableWithDrop = messageEffects
    .filter(({ needs }) => needs !== 'message-sent')
    .map(({ example }) => example);
  const rule = fc.record({
    effects: fc.oneof(
      ...[effectExamples, combinableWithDrop].map((examples) =>
        fc.uniqueArray(fc.constantFrom(...examples), { minLength: 1, maxLength: 6 }),
      ),
    ),
    match: fc.constantFrom({}, { every: 2 }, { probability: 0.5 }, { event: 'deposit.authorized' }),
  });
  /** Milliseconds between consecutive events. */
  const pauses = fc.array(fc.constantFrom(0, 1, 1_500, 7_000, 400_000), { minLength: 6, maxLength: 6 });
  const order = fc.constantFrom('by-commit', 'none');
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      pauses,
      fc.string(),
      order,
      async (rules, pausesMs, seed, eventOrder) => {
        const receiver = await openVerifyingReceiver();
        const account = addAccount(receiver.url, seed, { 'event.order': eventOrder });
        for (const { effects, match } of rules) addFault(account, readFault({ effect: effects, match }));
        const actions = [
          () => createTestDeposit(account),
          () => createTestDeposit(account),
          () => authorizeDeposit(account, 1),
          () => authorizeDeposit(account, 2),
          () => captureDeposit(account, 2, { amount: 50 }),
          () => captureDeposit(account, 1, {}),
        ];
        for (const [index, act] of actions.entries()) {
          act();
          await advanceAndSettle(account, pausesMs[index] ?? 0);
        }
        await advanceAndSettle(account, dayMs);
        const genuine = account.deliveries.rows.map(({ body }) => body);
        expect(genuine).toHaveLength(6);
        const verified = receiver.verdicts.filter(({ isGenuine }) => isGenuine).map(({ body }) => body);
        expect([...new Set(verified)].sort()).toEqual([...genuine].sort());
        // Exactly the attempts that are recorded as forged were refused.
        const sent = account.attempts.rows.filter(({ status }) => status !== null);
        expect(sent.map(({ status }) => status === 401)).toEqual(
          sent.map(({ applied_faults }) => isForged(applied_faults)),
        );
        expect(receiver.verdicts).toHaveLength(sent.length);
        expect(new Set(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery)))).toEqual(
          new Set(['delivered']),
        );
        expect(account.schedule.upcoming().filter(({ kind }) => kind === 'delivery-attempt')).toEqual([]);
      },
    ),
    { numRuns: sampledRunsUnlessFull(200, { oneIn: 5 }) },
  );
});

test('a webhook that was committed but not sent before a crash is sent afterwards', async () => {
  const receiver = await openVerifyingReceiver();
  const folder = tempFolder();
  const first = await start(folder, receiver.url);
  onTestFinished(() => first.close());
  const account = first.world.accounts.default();
  addFaultWith(account, 'duplicate', 'reorder=1m', 'tamper-body');
  createTestDeposit(account);
  await account.whenStored();
  // The reorder fault holds the message back, so nothing has been sent before the crash.
  const second = await start(copyAsIfCrashed(folder), receiver.url);
  onTestFinished(() => second.close());
  const restartedAccount = second.world.accounts.default();
  authorizeDeposit(restartedAccount, 1);
  await advanceAndSettle(restartedAccount);
  expect(receiver.receivedEvents()).toEqual(['authorized 1', 'authorized 1 forged', 'created 1', 'created 1 forged']);
});
