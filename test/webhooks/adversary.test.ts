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
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { openReceiver } from './receiver.js';

/** Tests webhooks that faults altered, as a receiver gets them over HTTP, verified with GitHub's own library. */

const secret = 'the secret of this test';
const retired = 'the secret before it';
const day = 86_400_000;

let shared: RunningServer;
let accounts = 0;

beforeAll(async () => {
  shared = await start(undefined);
});

afterAll(() => shared.close());

async function start(folder: string | undefined, webhookUrl: string | null = null): Promise<RunningServer> {
  return startServer({
    port: 0,
    host: '127.0.0.1',
    allowedHosts: [],
    controlToken: undefined,
    folder,
    durability: 'os',
    seed: await readSeed('empty'),
    choices: undefined,
    now: '2026-03-01T09:00:00Z',
    randomSeed: 'adversary',
    rateLimit: false,
    webhookUrl,
    webhookSecret: secret,
    log: () => undefined,
  });
}

/** A receiver that accepts messages with a valid signature and refuses others, and the list of both. */
async function openVerifying() {
  const verdicts: {
    readonly name: string;
    readonly id: unknown;
    readonly body: string;
    readonly isGenuine: boolean;
  }[] = [];
  const { url, received } = await openReceiver(async (request, response) => {
    const body = String(received.at(-1)?.body);
    const isGenuine = await verifies(request.headers, body);
    const { id, event, data } = JSON.parse(body);
    verdicts.push({ name: `${event.replace('deposit.', '')} ${data.id}`, id, body, isGenuine });
    response.writeHead(isGenuine ? 204 : 401).end();
  });
  return {
    url,
    received,
    verdicts,
    seen: () => verdicts.map(({ name, isGenuine }) => `${name}${isGenuine ? '' : ' forged'}`),
  };
}

async function verifies(headers: IncomingHttpHeaders, body: string): Promise<boolean> {
  const signature = headers['x-service-signature'];
  return typeof signature === 'string' && verify(secret, body, signature);
}

/** Adds an account with a frozen clock and a previous secret. */
function addAccount(webhookUrl: string, randomSeed = 'seed', choices: Choices = {}): Account {
  accounts += 1;
  const { account } = shared.world.accounts.create({
    id: `account${accounts}`,
    seed: shared.world.defaultAccount().origin.seed,
    choices,
    now: '2026-03-01T09:00:00Z',
    randomSeed,
    webhookUrl,
    webhookSecret: retired,
  });
  return shared.world.accounts.configure(account, { webhookSecret: secret });
}

function add(account: Account, ...effect: readonly string[]): void {
  addFault(account, readFault({ effect } satisfies NewFault));
}

function create(account: Account): void {
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

/** Waits until receivers have responded. */
async function settle(account: Account, by = 0): Promise<void> {
  const { unsettled } = await account.schedule.advance({ by, timeoutMs: 20_000 });
  expect(unsettled).toEqual([]);
}

describe('every webhook arrives twice, out of order, one of them forged', () => {
  test.each<[string, Choices]>([
    ['by commit', {}],
    ['none', { 'event.order': 'none' }],
    ['by commit, amounts as texts', { 'decimal.encoding': 'string' }],
  ])('is one fault with three effects; event.order: %s', async (_what, choices) => {
    const receiver = await openVerifying();
    const account = addAccount(receiver.url, 'seed', choices);
    add(account, 'duplicate', 'reorder', 'tamper-body');
    create(account);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(receiver.seen()).toEqual(['authorized 1', 'authorized 1 forged', 'created 1', 'created 1 forged']);
    const ids = receiver.verdicts.map(({ id }) => id);
    expect([ids[0] === ids[1], ids[2] === ids[3], ids[1] === ids[2]]).toEqual([true, true, false]);
    const amounts = receiver.verdicts.map(({ body }) => Number(JSON.parse(body).data.amount));
    expect(amounts.map((amount) => amount > 300)).toEqual([false, true, false, true]);
    // The service is done with both: what was forged counts for nothing.
    await settle(account, 8 * day);
    expect(receiver.seen().slice(4)).toEqual(['expired 1', 'expired 1 forged']);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual(
      account.deliveries.rows.map(() => 'delivered'),
    );
  });
});

describe('a receiver that verifies', () => {
  test.each([['tamper-body'], ['wrong-secret'], ['retired-secret'], ['no-signature']])(
    'refuses %s, and then gets the genuine one',
    async (effect) => {
      const receiver = await openVerifying();
      const account = addAccount(receiver.url);
      add(account, effect);
      create(account);
      await settle(account, day);
      expect(receiver.seen()).toEqual(['created 1 forged', 'created 1']);
      expect(account.attempts.rows.map((attempt) => [attempt.status, isForged(attempt.done)])).toEqual([
        [401, true],
        [204, false],
      ]);
      const [forged, genuine] = receiver.received;
      const { 'x-service-signature': _one, 'content-length': _length, ...others } = forged?.headers ?? {};
      expect(genuine?.headers).toMatchObject(others);
      expect('x-service-signature' in (forged?.headers ?? {})).toBe(effect !== 'no-signature');
    },
  );

  test('recognizes a replay only by its id', async () => {
    const receiver = await openVerifying();
    const account = addAccount(receiver.url);
    create(account);
    await settle(account);
    add(account, 'stale');
    authorizeDeposit(account, 1);
    await settle(account);
    expect(receiver.seen()).toEqual(['created 1', 'authorized 1', 'created 1']);
    const [first, , replayed] = receiver.received;
    expect(replayed?.body).toEqual(first?.body);
    expect(replayed?.headers).toEqual(first?.headers);
  });

  test('gets a burst when it ends, and delayed messages later', async () => {
    const receiver = await openVerifying();
    const account = addAccount(receiver.url);
    add(account, 'burst=10s');
    create(account);
    await settle(account, 3_000);
    authorizeDeposit(account, 1);
    await settle(account, 6_999);
    expect(receiver.seen()).toEqual([]);
    await settle(account, 1);
    expect(receiver.seen()).toEqual(['created 1', 'authorized 1']);
  });

  test('never receives dropped messages', async () => {
    const receiver = await openVerifying();
    const account = addAccount(receiver.url);
    add(account, 'drop');
    create(account);
    await settle(account, 8 * day);
    expect(receiver.received).toEqual([]);
  });
});

test('with any faults, every message eventually arrives unchanged, and no forged one verifies', async () => {
  const shorts = messageEffects.filter(({ name }) => name !== 'drop').map(({ example }) => example);
  const rule = fc.record({
    effects: fc.uniqueArray(fc.constantFrom(...shorts, 'drop=attempt'), { minLength: 1, maxLength: 6 }),
    match: fc.constantFrom({}, { every: 2 }, { probability: 0.5 }, { event: 'deposit.authorized' }),
  });
  // Intervals between consecutive events.
  const pauses = fc.array(fc.constantFrom(0, 1, 1_500, 7_000, 400_000), { minLength: 6, maxLength: 6 });
  const order = fc.constantFrom('by-commit', 'none');
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      pauses,
      fc.string(),
      order,
      async (rules, waits, seed, choice) => {
        const receiver = await openVerifying();
        const account = addAccount(receiver.url, seed, { 'event.order': choice });
        for (const { effects, match } of rules) addFault(account, readFault({ effect: effects, match }));
        const actions = [
          () => create(account),
          () => create(account),
          () => authorizeDeposit(account, 1),
          () => authorizeDeposit(account, 2),
          () => captureDeposit(account, 2, { amount: 50 }),
          () => captureDeposit(account, 1, {}),
        ];
        for (const [index, act] of actions.entries()) {
          act();
          await settle(account, waits[index] ?? 0);
        }
        await settle(account, day);
        const genuine = account.deliveries.rows.map(({ body }) => body);
        expect(genuine).toHaveLength(6);
        const verified = receiver.verdicts.filter(({ isGenuine }) => isGenuine).map(({ body }) => body);
        expect([...new Set(verified)].sort()).toEqual([...genuine].sort());
        // Exactly the messages recorded as forged were rejected.
        const sent = account.attempts.rows.filter(({ status }) => status !== null);
        expect(sent.map(({ status }) => status === 401)).toEqual(sent.map(({ done }) => isForged(done)));
        expect(receiver.verdicts).toHaveLength(sent.length);
        expect(new Set(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery)))).toEqual(
          new Set(['delivered']),
        );
        expect(account.schedule.upcoming().filter(({ kind }) => kind === 'delivery-attempt')).toEqual([]);
      },
    ),
    { numRuns: Number(process.env['BILLING_SIM_RUNS'] ?? 40) },
  );
});

test('a crash between commit and sending loses nothing', async () => {
  const receiver = await openVerifying();
  const folder = tempFolder();
  const first = await start(folder, receiver.url);
  onTestFinished(() => first.close());
  const account = first.world.defaultAccount();
  add(account, 'duplicate', 'reorder=1m', 'tamper-body');
  create(account);
  await account.whenStored();
  // The one message is held, so that nothing has been sent yet.
  const second = await start(copyAsAfterCrash(folder), receiver.url);
  onTestFinished(() => second.close());
  const after = second.world.defaultAccount();
  authorizeDeposit(after, 1);
  await settle(after);
  expect(receiver.seen()).toEqual(['authorized 1', 'authorized 1 forged', 'created 1', 'created 1 forged']);
});
