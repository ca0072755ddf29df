import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Attempt, ReceiverFault } from '../../src/domain/records.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import type { World } from '../../src/simulation/create-world.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/deliveries.js';
import { authorizeDeposit, captureDeposit, createDeposit, releaseDeposit } from '../../src/simulation/deposits.js';
import { createInvoice } from '../../src/simulation/invoices.js';
import { createPaymentLink } from '../../src/simulation/payment-links.js';
import { payInvoiceLink, payLink } from '../../src/simulation/payments.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/snapshots.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { ScriptedStore } from './scripted-store.js';
import { emptyWorld, openAccount } from './world.js';

/** Webhook messages from the commit of an event to the last attempt, without a network and without a clock that runs. */

const url = 'https://receiver.example/hook';
const webhookSecret = 'a secret';
const start = Date.parse('2026-04-01T08:00:00Z');
const hour = 3_600_000;

interface Opened {
  readonly world: World;
  readonly account: Account;
  readonly store: ScriptedStore;
  readonly receivers: ScriptedReceivers;
}

interface Options {
  readonly choices?: Choices;
  readonly receivers?: ScriptedReceivers;
  /** Null for no URL. */
  readonly webhookUrl?: string | null;
}

/** An account whose clock stands still and of which nothing comes about but by `settle` and `advance`. */
async function open({ choices = {}, receivers = new ScriptedReceivers(), webhookUrl = url }: Options = {}) {
  const store = new ScriptedStore();
  const world = await emptyWorld(store, { sendWebhook: receivers.send });
  const account = withWebhooks(world, openAccount(world, 'one', choices), webhookUrl);
  await world.ledger.settled();
  return { world, account, store, receivers } satisfies Opened;
}

function withWebhooks(world: World, account: Account, webhookUrl: string | null = url): Account {
  return world.accounts.configure(account, { webhookUrl, webhookSecret });
}

/** Receivers that leave every message to the test. */
function silent(): ScriptedReceivers {
  return new ScriptedReceivers(() => undefined);
}

/** Receivers that answer with these statuses in turn, and then with the last. */
function answering(...statuses: readonly (number | null)[]): ScriptedReceivers {
  return new ScriptedReceivers((_message, index) => ({
    status: statuses[Math.min(index, statuses.length - 1)] ?? null,
  }));
}

/** A new deposit, which is told as deposit.created. */
function newDeposit(account: Account, reference = 'BK-1'): number | string {
  const { deposit, put } = createDeposit(account, {
    booking_reference: reference,
    amount: 100,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: {},
  });
  account.commit(put);
  return deposit.id;
}

/** Has sent what is due, as far as it gets without answers that are held. */
async function settle(account: Account): Promise<void> {
  account.schedule.settleDue();
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

function advance(account: Account, by: number) {
  return account.schedule.advance({ by, patience: 1_000 });
}

/** The only delivery of an account. */
function deliveryOf(account: Account) {
  const [delivery, ...others] = account.deliveries.rows;
  if (!delivery || others.length > 0) throw new Error(`there are ${account.deliveries.size} deliveries`);
  return delivery;
}

function attemptsOf(account: Account): readonly Attempt[] {
  return account.attempts.rows;
}

function statusOf(account: Account): string {
  return deliveryStatus(account, deliveryOf(account));
}

/** When the next attempt is due, in seconds from the start; undefined if none is. */
function nextDue(account: Account): number | undefined {
  const due = account.schedule.upcoming().find(({ kind }) => kind === 'delivery-attempt');
  return due && (due.at - start) / 1_000;
}

describe('an event is in the commit of what it tells of', () => {
  /** What the last commit has, by table. */
  function lastCommit({ commits }: ScriptedStore) {
    const put = commits.at(-1)?.put ?? {};
    return {
      tables: Object.keys(put).sort(),
      told: (put.deliveries ?? []).map(({ event, subject, body }) => {
        const { data } = JSON.parse(body);
        return [event, subject.resource, subject.id, data.id, data.status];
      }),
    };
  }

  test('a new deposit', async () => {
    const { account, store } = await open();
    newDeposit(account);
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      told: [['deposit.created', 'deposit', 1, 1, 'pending']],
    });
  });

  test.each<[string, string, (account: Account) => void]>([
    ['deposit.authorized', 'authorized', () => undefined],
    ['deposit.partially_captured', 'partially_captured', (account) => captureDeposit(account, 1, { amount: 40 })],
    ['deposit.captured', 'captured', (account) => captureDeposit(account, 1, {})],
    ['deposit.released', 'released', (account) => releaseDeposit(account, 1)],
  ])('%s', async (event, status, move) => {
    const { account, store } = await open();
    newDeposit(account);
    authorizeDeposit(account, 1);
    move(account);
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      told: [[event, 'deposit', 1, 1, status]],
    });
  });

  test('an expiry, which comes about by itself', async () => {
    const { account, store } = await open({ webhookUrl: null });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await advance(account, 8 * 24 * hour);
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      told: [['deposit.expired', 'deposit', 1, 1, 'expired']],
    });
  });

  test('the payment of a link', async () => {
    const { world, account, store } = await open();
    const link = createPaymentLink(account, { description: 'March', amount: 10, currency: 'EUR' }, world.accounts);
    payLink(account, link.id, {});
    expect(lastCommit(store)).toEqual({
      tables: ['customers', 'deliveries', 'payment_links', 'payments'],
      told: [['payment.succeeded', 'payment', 1, 1, 'paid']],
    });
  });

  test('the payment of an invoice', async () => {
    const { account, store } = await open();
    const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
    const { id } = createInvoice(account, { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items }, 1_000);
    payInvoiceLink(account, id, {});
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'invoices', 'payments'],
      told: [['payment.succeeded', 'payment', 1, 1, 'paid']],
    });
  });
});

describe('nothing is told before it is stored', () => {
  test('a message waits for its commit', async () => {
    const { account, store, receivers } = await open();
    store.hold();
    newDeposit(account);
    await settle(account);
    expect(receivers.sent).toEqual([]);
    store.release();
    await account.whenIdle();
    expect(receivers.events).toEqual(['deposit.created']);
  });

  test('a message whose commit cannot be stored is never sent, and nothing is left of the event', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await settle(account);
    const before = account.contents();
    store.hold();
    authorizeDeposit(account, 1);
    account.schedule.settleDue();
    store.refuse();
    await expect(account.stored()).rejects.toMatchObject({ code: 'not-stored' });
    await settle(account);
    await advance(account, 48 * hour);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(account.contents()).toEqual({ ...before, account: [account.record] });
  });

  test('an attempt whose outcome cannot be stored is made again, with the same id and body', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await account.stored();
    store.refuses = true;
    await settle(account);
    expect(attemptsOf(account)).toEqual([]);
    expect(statusOf(account)).toBe('waiting');
    store.refuses = false;
    await settle(account);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(attemptsOf(account)).toMatchObject([{ number: 1, status: 200, next_at: null }]);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('a message that waited while something else could not be stored is sent all the same', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await account.stored();
    store.hold();
    changeNothing(account);
    await settle(account);
    expect(receivers.sent).toEqual([]);
    store.refuse();
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(statusOf(account)).toBe('delivered');
  });

  test('a retry that fell due on a clock whose change could not be stored comes at its own time', async () => {
    const { account, store, receivers } = await open({ receivers: answering(500, 200) });
    newDeposit(account);
    await settle(account);
    store.hold();
    account.schedule.freezeAt(start + 5_000);
    await settle(account);
    store.refuse();
    await settle(account);
    expect(account.now()).toBe(start);
    expect(receivers.sent).toHaveLength(1);
    await advance(account, 5_000);
    expect(attemptsOf(account)).toMatchObject([{ status: 500 }, { status: 200, at: '2026-04-01T08:00:05.000Z' }]);
  });

  test('an advance over a store that fails says so, and does not try again and again', async () => {
    const { account, store, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await account.stored();
    const advanced = advance(account, hour);
    await settle(account);
    store.refuses = true;
    receivers.at(0).answer({ status: 500 });
    await expect(advanced).rejects.toMatchObject({ code: 'not-stored' });
    expect(receivers.sent).toHaveLength(1);
    store.refuses = false;
    await settle(account);
    expect(receivers.sent).toHaveLength(2);
  });
});

describe('the order within one record', () => {
  test('is that of the commits: the next is sent when the one before has its answer', async () => {
    const { account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created']);
    receivers.at(0).answer({});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
    receivers.at(1).answer({});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.captured']);
  });

  test('does not hold up other records', async () => {
    const { account, receivers } = await open({ receivers: silent() });
    newDeposit(account, 'BK-1');
    authorizeDeposit(account, 1);
    newDeposit(account, 'BK-2');
    await settle(account);
    expect(receivers.sent.map(({ body }) => JSON.parse(body).data.booking_reference)).toEqual(['BK-1', 'BK-2']);
  });

  test('does not take a payment for the deposit of the same number', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    const link = createPaymentLink(account, { description: 'March', amount: 10, currency: 'EUR' }, world.accounts);
    newDeposit(account);
    payLink(account, link.id, {});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'payment.succeeded']);
  });

  test('may be overtaken by a retry', async () => {
    const { account, receivers } = await open({ receivers: answering(500, 200) });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await advance(account, hour);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.created']);
    expect(attemptsOf(account).map(({ at, status }) => [at, status])).toEqual([
      ['2026-04-01T08:00:00.000Z', 500],
      ['2026-04-01T08:00:00.000Z', 200],
      ['2026-04-01T08:00:05.000Z', 200],
    ]);
  });

  test('does not make a later event wait for a retry that has no answer', async () => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? { status: 500 } : undefined));
    const { account } = await open({ receivers });
    newDeposit(account);
    await settle(account);
    account.schedule.freezeAt(start + 5_000);
    await settle(account);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.created', 'deposit.authorized']);
  });

  test('is none under event.order: none', async () => {
    const { account, receivers } = await open({ receivers: silent(), choices: { 'event.order': 'none' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.captured']);
  });
});

describe('messages on their way', () => {
  test('are 16 at the most; the others follow, first in, first out, and all get through', async () => {
    const { account, receivers } = await open({ receivers: silent() });
    const references = Array.from({ length: 50 }, (_, index) => `BK-${index}`);
    for (const reference of references) newDeposit(account, reference);
    await settle(account);
    expect(receivers.sent).toHaveLength(16);
    for (let index = 0; index < 50; index++) {
      receivers.at(index).answer({ status: 204 });
      await settle(account);
      expect(receivers.sent).toHaveLength(Math.min(50, 17 + index));
    }
    expect(receivers.sent.map(({ body }) => JSON.parse(body).data.booking_reference)).toEqual(references);
    expect(receivers.most).toBe(16);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual(
      references.map(() => 'delivered'),
    );
    expect(account.isIdle).toBe(true);
  });

  test('of an account whose receiver is dead do not delay those of another', async () => {
    const receivers = new ScriptedReceivers((message) => (message.url === url ? undefined : {}));
    const { world, account } = await open({ receivers });
    const other = withWebhooks(world, openAccount(world, 'two'), 'https://other.example/hook');
    for (let number = 0; number < 40; number++) newDeposit(account, `BK-${number}`);
    await settle(account);
    for (let number = 0; number < 40; number++) newDeposit(other, `BK-${number}`);
    other.schedule.settleDue();
    await other.whenIdle();
    expect(other.attempts.size).toBe(40);
    expect(account.attempts.size).toBe(0);
  });

  test('are posted to the URL and signed with the secret that are set when they are sent', async () => {
    const { world, account, receivers } = await open({ receivers: answering(500, 200) });
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: 'https://new.example/', webhookSecret: 'another secret' });
    await advance(account, 5_000);
    expect(receivers.sent).toMatchObject([
      { url, secret: 'a secret', event: 'deposit.created' },
      { url: 'https://new.example/', secret: 'another secret', event: 'deposit.created' },
    ]);
    expect(attemptsOf(account).map((attempt) => attempt.url)).toEqual([url, 'https://new.example/']);
  });

  test('are shown with the URL that they were posted to, whatever it is when the answer comes', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    receivers.at(0).answer({});
    await settle(account);
    expect(attemptsOf(account)).toMatchObject([{ url, status: 200 }]);
  });
});

describe('a delivery that fails', () => {
  test('is tried again by the schedule, and then no more', async () => {
    const { account, receivers } = await open({ receivers: answering(500) });
    newDeposit(account);
    const { steps } = await advance(account, 48 * hour);
    const attempts = steps.flatMap((step) => (step.kind === 'attempt' ? [step] : []));
    expect(attempts.map(({ at }) => (Date.parse(at) - start) / 1_000)).toEqual([
      0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305,
    ]);
    expect(attempts.at(-1)).toMatchObject({ number: 8, next_at: null });
    expect(statusOf(account)).toBe('failed');
    expect(new Set(receivers.sent.map(({ body }) => body)).size).toBe(1);
  });

  test.each([[null], [302], [404], [500]])('with %s is retrying until it comes through', async (status) => {
    const { account } = await open({ receivers: answering(status, status, 299) });
    newDeposit(account);
    await settle(account);
    expect([statusOf(account), nextDue(account)]).toEqual(['retrying', 5]);
    await advance(account, 5_000);
    expect([statusOf(account), nextDue(account)]).toEqual(['retrying', 305]);
    await advance(account, 48 * hour);
    expect([statusOf(account), nextDue(account)]).toEqual(['delivered', undefined]);
    expect(attemptsOf(account)).toHaveLength(3);
  });

  test('with 410 is given up', async () => {
    const { account, receivers } = await open({ receivers: answering(500, 410) });
    newDeposit(account);
    await advance(account, 48 * hour);
    expect([statusOf(account), nextDue(account)]).toEqual(['failed', undefined]);
    expect(receivers.sent).toHaveLength(2);
  });

  test.each([
    ['seconds', '600', 600],
    ['fewer seconds than the schedule waits', '1', 5],
    ['a date', 'Wed, 01 Apr 2026 09:30:00 GMT', 5_400],
    ['a date that has gone by', 'Wed, 01 Apr 2026 07:00:00 GMT', 5],
    ['more than a day', '86401', 86_400],
    ['a date in a year', 'Thu, 01 Apr 2027 08:00:00 GMT', 86_400],
    ['nonsense', 'soon', 5],
  ])('is tried again when Retry-After asks for it: %s', async (_what, retryAfter, seconds) => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? { status: 503, retryAfter } : {}));
    const { account } = await open({ receivers });
    newDeposit(account);
    await settle(account);
    expect(nextDue(account)).toBe(seconds);
    await advance(account, seconds * 1_000 - 1);
    expect(receivers.sent).toHaveLength(1);
    await advance(account, 1);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOf(account)).toBe('delivered');
  });

  test('is not lost when the clock is moved while its attempt is being stored', async () => {
    const { account, store, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    store.hold();
    receivers.at(0).answer({ status: 500 });
    await settle(account);
    account.schedule.freezeAt(start + 5_000);
    await settle(account);
    store.release();
    await settle(account);
    expect(receivers.sent).toHaveLength(2);
  });
});

describe('without a webhook URL', () => {
  test('an event is kept as unsent, and is not sent when one is set', async () => {
    const { world, account, receivers } = await open({ webhookUrl: null });
    newDeposit(account);
    await advance(account, hour);
    expect([statusOf(account), nextDue(account)]).toEqual(['unsent', undefined]);
    world.accounts.configure(account, { webhookUrl: url });
    await advance(account, 48 * hour);
    expect(statusOf(account)).toBe('unsent');
    // Nor when all that is due is worked out anew, as with another profile.
    const next = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    expect([statusOf(next), nextDue(next)]).toEqual(['unsent', undefined]);
    await advance(next, 48 * hour);
    expect(receivers.sent).toEqual([]);
  });

  test('because it was removed meanwhile, a retry fails and says why', async () => {
    const { world, account, receivers } = await open({ receivers: answering(500) });
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: null });
    await advance(account, 5_000);
    expect(attemptsOf(account)).toMatchObject([
      { status: 500, url },
      { status: null, error: 'no webhook URL is set any more', url: '', next_at: '2026-04-01T08:05:05.000Z' },
    ]);
    expect(receivers.sent).toHaveLength(1);
    // A new one has it go on.
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    await advance(account, 300_000);
    expect(receivers.at(1).url).toBe('https://new.example/');
  });
});

describe('sent again by hand', () => {
  test('what was delivered is delivered once more, and then there is nothing left to do', async () => {
    const { account, receivers } = await open();
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    expect(attemptsOf(account)).toMatchObject([
      { number: 1, by: 'schedule', status: 200, next_at: null },
      { number: 2, by: 'hand', status: 200, next_at: null },
    ]);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(nextDue(account)).toBeUndefined();
  });

  test('what was delivered stays so when that fails', async () => {
    const { account, receivers } = await open({ receivers: answering(200, 500) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOf(account)).toBe('delivered');
  });

  test.each([
    [500, 'failed'],
    [200, 'delivered'],
  ])('what had failed for good is tried once: %i', async (status, expected) => {
    const { account, receivers } = await open({ receivers: answering(410, status) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOf(account)).toBe(expected);
  });

  test('what is retrying keeps its schedule when that fails', async () => {
    const { account } = await open({ receivers: answering(500) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    await resendDelivery(account, deliveryOf(account).id);
    expect([statusOf(account), nextDue(account)]).toEqual(['retrying', 5]);
    await advance(account, 48 * hour);
    // Tries by hand do not count: there are eight others.
    expect(attemptsOf(account).map(({ by, at }) => [by, (Date.parse(at) - start) / 1_000])).toEqual([
      ['schedule', 0],
      ['hand', 0],
      ['hand', 0],
      ...[5, 305, 2_105, 9_305, 27_305, 63_305, 99_305].map((at) => ['schedule', at]),
    ]);
  });

  test('what is retrying is not tried again once that has succeeded', async () => {
    const { account, receivers } = await open({ receivers: answering(500, 200) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    expect([statusOf(account), nextDue(account)]).toEqual(['delivered', undefined]);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('what still waits for its first attempt is not sent a second time once that has succeeded', async () => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? undefined : {}));
    const { account } = await open({ receivers });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    const [, waiting] = account.deliveries.rows;
    await resendDelivery(account, waiting?.id ?? '');
    receivers.at(0).answer({});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
    expect(account.isIdle).toBe(true);
  });

  test('what still waits for its first attempt has it all the same when that fails', async () => {
    const receivers = new ScriptedReceivers((_message, index) => [undefined, { status: 500 }][index] ?? {});
    const { account } = await open({ receivers });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    const [, waiting] = account.deliveries.rows;
    await resendDelivery(account, waiting?.id ?? '');
    receivers.at(0).answer({});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.authorized']);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  test('what is on its way is not retried if it comes through by hand first', async () => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? undefined : {}));
    const { account } = await open({ receivers });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    receivers.at(0).answer({ status: 500 });
    await settle(account);
    expect([statusOf(account), nextDue(account)]).toEqual(['delivered', undefined]);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('what was never sent is sent, if there is a URL now', async () => {
    const { world, account, receivers } = await open({ webhookUrl: null, receivers: answering(500, 200) });
    newDeposit(account);
    const { id } = deliveryOf(account);
    await resendDelivery(account, id);
    expect(attemptsOf(account)).toMatchObject([{ error: 'no webhook URL is set any more', next_at: null }]);
    world.accounts.configure(account, { webhookUrl: url });
    await resendDelivery(account, id);
    expect(statusOf(account)).toBe('failed');
    await resendDelivery(account, id);
    expect(statusOf(account)).toBe('delivered');
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('what is unknown is refused', async () => {
    const { account, receivers } = await open();
    await expect(resendDelivery(account, 'evt_unknown')).rejects.toMatchObject({ code: 'delivery-unknown' });
    expect(receivers.sent).toEqual([]);
  });

  test('what could not be stored is refused as such', async () => {
    const { account, store } = await open();
    newDeposit(account);
    await settle(account);
    store.refuses = true;
    await expect(resendDelivery(account, deliveryOf(account).id)).rejects.toMatchObject({ code: 'not-stored' });
    expect(attemptsOf(account)).toHaveLength(1);
  });
});

describe('a fault that fails receivers', () => {
  const fault: ReceiverFault = { id: 1, status: 503, times: 5, hits: 0 };

  test('answers exactly so many attempts, even of 16 that run at once', async () => {
    const { account, receivers } = await open();
    account.commit({ faults: [fault] });
    for (let number = 0; number < 16; number++) newDeposit(account, `BK-${number}`);
    await settle(account);
    expect(attemptsOf(account).map(({ status }) => status)).toEqual(
      Array.from({ length: 16 }, (_, index) => (index < 5 ? 503 : 200)),
    );
    expect(receivers.sent).toHaveLength(11);
    expect(account.faults.rows).toEqual([{ ...fault, hits: 5 }]);
  });

  test('gives way to the next one once it is used up', async () => {
    const { account, receivers } = await open();
    account.commit({
      faults: [
        { ...fault, times: 1 },
        { ...fault, id: 2, status: 410, times: 1 },
      ],
    });
    newDeposit(account);
    await advance(account, 48 * hour);
    expect(attemptsOf(account).map(({ status, answer }) => [status, answer])).toEqual([
      [503, 'answered by a fault of the simulator'],
      [410, 'answered by a fault of the simulator'],
    ]);
    expect(receivers.sent).toEqual([]);
  });

  test('is not used up by an attempt that could not be stored', async () => {
    const { account, store } = await open();
    account.commit({ faults: [fault] });
    newDeposit(account);
    await account.stored();
    store.refuses = true;
    await settle(account);
    expect(account.faults.rows).toEqual([fault]);
  });
});

describe('an attempt leaves no trace when meanwhile its account', () => {
  const ways: readonly [string, (world: World, account: Account) => void][] = [
    ['is removed', (world, account) => world.accounts.remove(account)],
    ['is reset', (world, account) => world.accounts.reset(account)],
    [
      'gets another profile',
      (world, account) => world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } }),
    ],
    ['goes back to a snapshot', (world, account) => restoreSnapshot(world.accounts, account, 'before')],
    ['is closed with the server', (_world, account) => account.close()],
  ];

  test.each(ways)('%s', async (_what, happen) => {
    const { world, account, store, receivers } = await open({ receivers: silent() });
    saveSnapshot(account, 'before');
    newDeposit(account);
    await settle(account);
    happen(world, account);
    await world.ledger.settled();
    const stored = store.commits.length;
    expect(receivers.at(0).stop.aborted).toBe(true);
    receivers.at(0).answer({ status: 200 });
    await settle(account);
    expect(store.commits).toHaveLength(stored);
    expect(world.accounts.get('one')?.attempts.size ?? 0).toBe(0);
  });

  test.each(ways)('%s, be it made by hand', async (_what, happen) => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? {} : undefined));
    const { world, account, store } = await open({ receivers });
    saveSnapshot(account, 'before');
    newDeposit(account);
    await settle(account);
    const resent = resendDelivery(account, deliveryOf(account).id);
    await nextTurn();
    happen(world, account);
    await world.ledger.settled();
    const stored = store.commits.length;
    receivers.at(1).answer({ status: 500 });
    await expect(resent).rejects.toMatchObject({ code: 'account-replaced' });
    expect(store.commits).toHaveLength(stored);
    expect(world.accounts.get('one')?.attempts.rows.filter(({ by }) => by === 'hand') ?? []).toEqual([]);
  });

  test('gets another profile, and the message goes out once more with the same id and body', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    const next = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await settle(next);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    receivers.at(1).answer({});
    await settle(next);
    expect(attemptsOf(next)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('goes back to a snapshot in which the message was on its way, and it goes out once more', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    saveSnapshot(account, 'before');
    receivers.at(0).answer({ status: 500 });
    await settle(account);
    const restored = restoreSnapshot(world.accounts, account, 'before');
    await settle(restored);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(attemptsOf(restored)).toEqual([]);
  });
});

describe('after a restart', () => {
  /** The world that starts from what is stored. */
  async function restart(store: ScriptedStore) {
    const receivers = new ScriptedReceivers();
    const next = new ScriptedStore();
    next.commits.push(...structuredClone(store.commits));
    const world = await emptyWorld(next, { sendWebhook: receivers.send });
    const account = world.accounts.get('one');
    if (!account) throw new Error('the account is not stored');
    return { world, account, receivers };
  }

  test('what was never tried is sent, in its order', async () => {
    const { account, store } = await open();
    newDeposit(account);
    authorizeDeposit(account, 1);
    const bodies = account.deliveries.rows.map(({ body }) => body);
    await account.stored();
    const after = await restart(store);
    await settle(after.account);
    expect(after.receivers.sent.map(({ body }) => body)).toEqual(bodies);
    expect(after.receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
  });

  test('what was on its way is sent again, with the same id and body', async () => {
    const { account, store, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    const after = await restart(store);
    await settle(after.account);
    expect(after.receivers.sent.map(({ body }) => body)).toEqual([receivers.at(0).body]);
    expect(attemptsOf(after.account)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('what was retrying goes on with its schedule', async () => {
    const { account, store } = await open({ receivers: answering(500) });
    newDeposit(account);
    await advance(account, 60_000);
    const after = await restart(store);
    expect(nextDue(after.account)).toBe(305);
    await advance(after.account, hour);
    expect(attemptsOf(after.account).map(({ number, at, status }) => [number, at, status])).toEqual([
      [1, '2026-04-01T08:00:00.000Z', 500],
      [2, '2026-04-01T08:00:05.000Z', 500],
      [3, '2026-04-01T08:05:05.000Z', 200],
    ]);
  });

  test('what was delivered, failed or unsent stays as it was', async () => {
    const { world, account, store } = await open({ receivers: answering(200, 410) });
    newDeposit(account);
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: null });
    newDeposit(account);
    world.accounts.configure(account, { webhookUrl: url });
    await world.ledger.settled();
    const after = await restart(store);
    await advance(after.account, 48 * hour);
    expect(after.receivers.sent).toEqual([]);
    expect(after.account.deliveries.rows.map((delivery) => deliveryStatus(after.account, delivery))).toEqual([
      'delivered',
      'failed',
      'unsent',
    ]);
  });

  test('new events get ids of their own', async () => {
    const { account, store } = await open();
    newDeposit(account);
    await settle(account);
    const after = await restart(store);
    newDeposit(after.account);
    await settle(after.account);
    expect(new Set(after.account.deliveries.rows.map(({ id }) => id)).size).toBe(2);
  });
});

/** A change that tells nobody anything. */
function changeNothing(account: Account): void {
  account.commit({ customers: [...account.customers.rows] });
}
