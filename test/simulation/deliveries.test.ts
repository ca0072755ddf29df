import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, captureDeposit, releaseDeposit } from '../../src/simulation/operations/deposits.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { payInvoiceLink, payLink } from '../../src/simulation/operations/payments.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import type { ScriptedStore } from './scripted-store.js';
import {
  advance,
  answering,
  attemptsOf,
  changeNothing,
  hour,
  newDeposit,
  nextDue,
  open,
  settle,
  silent,
  start,
  statusOf,
  url,
  withWebhooks,
} from './webhooks.js';
import { openAccount } from './world.js';

/** Webhook messages from the commit of an event to the receiver. */

describe('an event is in the same commit as its cause', () => {
  /** Rows of the last commit, by table. */
  function lastCommit({ commits }: ScriptedStore) {
    const changes = commits.at(-1)?.changes ?? {};
    return {
      tables: Object.keys(changes).sort(),
      events: (changes.deliveries ?? []).map(({ event, subject, body }) => {
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
      events: [['deposit.created', 'deposit', 1, 1, 'pending']],
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
      events: [[event, 'deposit', 1, 1, status]],
    });
  });

  test('an automatic expiry', async () => {
    const { account, store } = await open({ webhookUrl: null });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await advance(account, 8 * 24 * hour);
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      events: [['deposit.expired', 'deposit', 1, 1, 'expired']],
    });
  });

  test('the payment of a link', async () => {
    const { world, account, store } = await open();
    const link = createPaymentLink(account, { description: 'March', amount: 10, currency: 'EUR' }, world.accounts);
    payLink(account, link.id, {});
    expect(lastCommit(store)).toEqual({
      tables: ['customers', 'deliveries', 'payment_links', 'payments'],
      events: [['payment.succeeded', 'payment', 1, 1, 'paid']],
    });
  });

  test('the payment of an invoice', async () => {
    const { account, store } = await open();
    const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
    const { id } = createInvoice(account, { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items }, 1_000);
    payInvoiceLink(account, id, {});
    expect(lastCommit(store)).toEqual({
      tables: ['deliveries', 'invoices', 'payments'],
      events: [['payment.succeeded', 'payment', 1, 1, 'paid']],
    });
  });
});

describe('events are sent after they are stored', () => {
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

  test('a message whose commit cannot be stored is never sent, and leaves no trace', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await settle(account);
    const before = account.contents();
    store.hold();
    authorizeDeposit(account, 1);
    account.schedule.runDueItems();
    store.refuse();
    await expect(account.whenStored()).rejects.toMatchObject({ code: 'not-stored' });
    await settle(account);
    await advance(account, 48 * hour);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(account.contents()).toEqual({ ...before, account: [account.record] });
  });

  test('an attempt whose outcome cannot be stored is repeated, with the same id and body', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await account.whenStored();
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

  test('a message that waited while something else could not be stored is still sent', async () => {
    const { account, store, receivers } = await open();
    newDeposit(account);
    await account.whenStored();
    store.hold();
    changeNothing(account);
    await settle(account);
    expect(receivers.sent).toEqual([]);
    store.refuse();
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(statusOf(account)).toBe('delivered');
  });

  test('a retry that fell due during an unstored clock change runs at its own time', async () => {
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

  test('an advance with a failing store fails, without endless retries', async () => {
    const { account, store, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await account.whenStored();
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
  test('is the order of the commits: each is sent after the response to the previous one', async () => {
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

  test('distinguishes a payment from the deposit with the same id', async () => {
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

  test('does not make a later event wait for an unanswered retry', async () => {
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

  test('is not kept under event.order: none', async () => {
    const { account, receivers } = await open({ receivers: silent(), choices: { 'event.order': 'none' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.captured']);
  });
});

describe('messages in progress', () => {
  test('are at most 16; the others follow in order, and all arrive', async () => {
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
    other.schedule.runDueItems();
    await other.whenIdle();
    expect(other.attempts.size).toBe(40);
    expect(account.attempts.size).toBe(0);
  });

  test('use the URL and the secret at the time of sending', async () => {
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

  test('are shown with the URL that they were sent to, even if it changes before the response', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    receivers.at(0).answer({});
    await settle(account);
    expect(attemptsOf(account)).toMatchObject([{ url, status: 200 }]);
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
    // Nor when the agenda is rebuilt, as for another profile.
    const next = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    expect([statusOf(next), nextDue(next)]).toEqual(['unsent', undefined]);
    await advance(next, 48 * hour);
    expect(receivers.sent).toEqual([]);
  });

  test('because it was removed since the last attempt, a retry fails and says why', async () => {
    const { world, account, receivers } = await open({ receivers: answering(500) });
    newDeposit(account);
    await settle(account);
    world.accounts.configure(account, { webhookUrl: null });
    await advance(account, 5_000);
    expect(attemptsOf(account)).toMatchObject([
      { status: 500, url },
      { status: null, error: 'no webhook URL is set', url: '', next_at: '2026-04-01T08:05:05.000Z' },
    ]);
    expect(receivers.sent).toHaveLength(1);
    // With a new URL it continues.
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    await advance(account, 300_000);
    expect(receivers.at(1).url).toBe('https://new.example/');
  });
});
