import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/simulation/account.js';
import { deliveryStatus } from '../../src/simulation/delivery/deliveries.js';
import { authorizeDeposit, captureDeposit, releaseDeposit } from '../../src/simulation/operations/deposits.js';
import { createInvoice } from '../../src/simulation/operations/invoices.js';
import { createPaymentLink } from '../../src/simulation/operations/payment-links.js';
import { createInvoicePayment, createLinkPayment } from '../../src/simulation/operations/payments.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import type { ScriptedStore } from './scripted-store.js';
import {
  addDeposit,
  advanceBy,
  attemptsOf,
  commitWithoutEvent,
  firstRetryDelayMs,
  hourMs,
  longerThanHoldMs,
  longerThanRetriesMs,
  nextAttemptSeconds,
  openWebhookAccount,
  receiversResponding,
  receiverUrl,
  sendDueMessages,
  silentReceivers,
  startMs,
  statusOfOnlyDelivery,
  webhookSecret,
  withWebhooks,
} from './webhooks.js';
import { openAccount } from './world.js';

/** Tests of webhook messages, from the commit of an event to the receiver. */

describe('an event is in the same commit as its cause', () => {
  /** Tables in the last commit, and its events: their names and subjects, and the ids and statuses in their bodies. */
  function describeLastCommit({ commits }: ScriptedStore) {
    const changes = commits.at(-1)?.changes ?? {};
    return {
      tables: Object.keys(changes).sort(),
      events: (changes.deliveries ?? []).map(({ event, subject, body }) => {
        const { data } = JSON.parse(body);
        return { event, subject: `${subject.resource} ${subject.id}`, id: data.id, status: data.status };
      }),
    };
  }

  test('a new deposit', async () => {
    const { account, store } = await openWebhookAccount();
    addDeposit(account);
    expect(describeLastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      events: [{ event: 'deposit.created', subject: 'deposit 1', id: 1, status: 'pending' }],
    });
  });

  test.each<[string, string, (account: Account) => void]>([
    ['deposit.authorized', 'authorized', () => undefined],
    ['deposit.partially_captured', 'partially_captured', (account) => captureDeposit(account, 1, { amount: 40 })],
    ['deposit.captured', 'captured', (account) => captureDeposit(account, 1, {})],
    ['deposit.released', 'released', (account) => releaseDeposit(account, 1)],
  ])('the transition that emits %s', async (event, status, transition) => {
    const { account, store } = await openWebhookAccount();
    addDeposit(account);
    authorizeDeposit(account, 1);
    transition(account);
    expect(describeLastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      events: [{ event, subject: 'deposit 1', id: 1, status }],
    });
  });

  test('an automatic expiry', async () => {
    // Without a URL, no attempt to send the event is committed after the expiry.
    const { account, store } = await openWebhookAccount({ webhookUrl: null });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await advanceBy(account, longerThanHoldMs);
    expect(describeLastCommit(store)).toEqual({
      tables: ['deliveries', 'deposits'],
      events: [{ event: 'deposit.expired', subject: 'deposit 1', id: 1, status: 'expired' }],
    });
  });

  test('the payment of a link', async () => {
    const { world, account, store } = await openWebhookAccount();
    const link = createPaymentLink(account, { description: 'March', amount: 10, currency: 'EUR' }, world.accounts);
    createLinkPayment(account, link.id, {});
    expect(describeLastCommit(store)).toEqual({
      tables: ['customers', 'deliveries', 'payment_links', 'payments'],
      events: [{ event: 'payment.succeeded', subject: 'payment 1', id: 1, status: 'paid' }],
    });
  });

  test('the payment of an invoice', async () => {
    const { account, store } = await openWebhookAccount();
    const items = [{ description: 'Work', quantity: 1, unit_price: 10, tax_rate: 0 }];
    const { id } = createInvoice(account, { customer_id: 1, date: '2026-04-01', due_date: '2026-04-30', items });
    createInvoicePayment(account, id, {});
    expect(describeLastCommit(store)).toEqual({
      tables: ['deliveries', 'invoices', 'payments'],
      events: [{ event: 'payment.succeeded', subject: 'payment 1', id: 1, status: 'paid' }],
    });
  });
});

describe('events are sent after they are stored', () => {
  test('a message waits for its commit', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    store.holdCommits();
    addDeposit(account);
    await sendDueMessages(account);
    expect(receivers.sent).toEqual([]);
    store.storeHeldCommits();
    await account.whenIdle();
    expect(receivers.events).toEqual(['deposit.created']);
  });

  test('a message whose commit cannot be stored is never sent, and its rows are removed', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    addDeposit(account);
    await sendDueMessages(account);
    const contentsBefore = account.contents();
    store.holdCommits();
    authorizeDeposit(account, 1);
    account.schedule.runDueItems();
    store.rejectHeldCommits();
    await expect(account.whenStored()).rejects.toMatchObject({ code: 'not-stored' });
    await sendDueMessages(account);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.events).toEqual(['deposit.created']);
    // The advance has changed the clock, which is in the row of the account.
    expect(account.contents()).toEqual({ ...contentsBefore, account: [account.record] });
  });

  test('an attempt whose outcome cannot be stored is repeated, with the same id and body', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    addDeposit(account);
    await account.whenStored();
    store.rejectsCommits = true;
    await sendDueMessages(account);
    expect(attemptsOf(account)).toEqual([]);
    expect(statusOfOnlyDelivery(account)).toBe('waiting');
    store.rejectsCommits = false;
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(2);
    expect(receivers.at(1).body).toBe(receivers.at(0).body);
    expect(attemptsOf(account)).toMatchObject([{ number: 1, status: 200, next_attempt_at: null }]);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(2);
  });

  test('a message that waited for another commit is sent even if that commit cannot be stored', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    addDeposit(account);
    await account.whenStored();
    store.holdCommits();
    commitWithoutEvent(account);
    await sendDueMessages(account);
    expect(receivers.sent).toEqual([]);
    store.rejectHeldCommits();
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(statusOfOnlyDelivery(account)).toBe('delivered');
  });

  test('if a clock change cannot be stored, a retry that it made due goes back to its original time', async () => {
    const { account, store, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 200) });
    addDeposit(account);
    await sendDueMessages(account);
    store.holdCommits();
    account.schedule.freezeAt(startMs + firstRetryDelayMs);
    await sendDueMessages(account);
    store.rejectHeldCommits();
    await sendDueMessages(account);
    expect(account.now()).toBe(startMs);
    expect(receivers.sent).toHaveLength(1);
    await advanceBy(account, firstRetryDelayMs);
    expect(attemptsOf(account)).toMatchObject([{ status: 500 }, { status: 200, at: '2026-04-01T08:00:05.000Z' }]);
  });

  test('an advance of the clock fails if the store fails, rather than trying forever', async () => {
    const { account, store, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await account.whenStored();
    const advanced = advanceBy(account, hourMs);
    await sendDueMessages(account);
    store.rejectsCommits = true;
    receivers.at(0).respond({ status: 500 });
    await expect(advanced).rejects.toMatchObject({ code: 'not-stored' });
    expect(receivers.sent).toHaveLength(1);
    store.rejectsCommits = false;
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(2);
  });
});

describe('the order of the events of one record', () => {
  test('is the order of their commits: each event is sent after the response to the previous one', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created']);
    receivers.at(0).respond({});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized']);
    receivers.at(1).respond({});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.captured']);
  });

  test('does not delay the events of other records', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account, 'BK-1');
    authorizeDeposit(account, 1);
    addDeposit(account, 'BK-2');
    await sendDueMessages(account);
    expect(receivers.sent.map(({ body }) => JSON.parse(body).data.booking_reference)).toEqual(['BK-1', 'BK-2']);
  });

  test('does not delay the event of a payment if a deposit has the same id', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    const link = createPaymentLink(account, { description: 'March', amount: 10, currency: 'EUR' }, world.accounts);
    addDeposit(account);
    createLinkPayment(account, link.id, {});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'payment.succeeded']);
  });

  test('does not apply to retries: a retry may come after later events', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 200) });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await advanceBy(account, hourMs);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.created']);
    expect(attemptsOf(account).map(({ at, status }) => [at, status])).toEqual([
      ['2026-04-01T08:00:00.000Z', 500],
      ['2026-04-01T08:00:00.000Z', 200],
      ['2026-04-01T08:00:05.000Z', 200],
    ]);
  });

  test('does not make a later event wait for the response to a retry', async () => {
    const receivers = new ScriptedReceivers((_message, index) => (index === 0 ? { status: 500 } : undefined));
    const { account } = await openWebhookAccount({ receivers });
    addDeposit(account);
    await sendDueMessages(account);
    account.schedule.freezeAt(startMs + firstRetryDelayMs);
    await sendDueMessages(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.created', 'deposit.authorized']);
  });

  test('is not kept under event.order: none', async () => {
    const { account, receivers } = await openWebhookAccount({
      receivers: silentReceivers(),
      choices: { 'event.order': 'none' },
    });
    addDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await sendDueMessages(account);
    expect(receivers.events).toEqual(['deposit.created', 'deposit.authorized', 'deposit.captured']);
  });
});

describe('messages in progress', () => {
  const maxInProgress = 16;

  test(`are limited to ${maxInProgress}; further messages follow in order, and all arrive`, async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    const count = 50;
    const references = Array.from({ length: count }, (_, index) => `BK-${index}`);
    for (const reference of references) addDeposit(account, reference);
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(maxInProgress);
    for (let index = 0; index < count; index++) {
      receivers.at(index).respond({ status: 204 });
      await sendDueMessages(account);
      expect(receivers.sent).toHaveLength(Math.min(count, maxInProgress + index + 1));
    }
    expect(receivers.sent.map(({ body }) => JSON.parse(body).data.booking_reference)).toEqual(references);
    expect(receivers.maxInFlight).toBe(maxInProgress);
    expect(account.deliveries.rows.map((delivery) => deliveryStatus(account, delivery))).toEqual(
      references.map(() => 'delivered'),
    );
    expect(account.isIdle).toBe(true);
  });

  test('to a receiver that never responds do not delay the messages of another account', async () => {
    const receivers = new ScriptedReceivers((message) => (message.url === receiverUrl ? undefined : {}));
    const { world, account } = await openWebhookAccount({ receivers });
    const otherAccount = withWebhooks(world, openAccount(world, 'two'), 'https://other.example/hook');
    const count = 2 * maxInProgress;
    for (let number = 0; number < count; number++) addDeposit(account, `BK-${number}`);
    await sendDueMessages(account);
    for (let number = 0; number < count; number++) addDeposit(otherAccount, `BK-${number}`);
    otherAccount.schedule.runDueItems();
    await otherAccount.whenIdle();
    expect(otherAccount.attempts.size).toBe(count);
    expect(account.attempts.size).toBe(0);
  });

  test('use the webhook URL and the secret at the time of sending', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 200) });
    addDeposit(account);
    await sendDueMessages(account);
    world.accounts.configure(account, { webhookUrl: 'https://new.example/', webhookSecret: 'another secret' });
    await advanceBy(account, firstRetryDelayMs);
    expect(receivers.sent).toMatchObject([
      { url: receiverUrl, secret: webhookSecret, event: 'deposit.created' },
      { url: 'https://new.example/', secret: 'another secret', event: 'deposit.created' },
    ]);
    expect(attemptsOf(account).map((attempt) => attempt.url)).toEqual([receiverUrl, 'https://new.example/']);
  });

  test('are recorded with the URL to which they were sent, even if it changes before the response', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    addDeposit(account);
    await sendDueMessages(account);
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    receivers.at(0).respond({});
    await sendDueMessages(account);
    expect(attemptsOf(account)).toMatchObject([{ url: receiverUrl, status: 200 }]);
  });
});

describe('without a webhook URL', () => {
  test('an event is stored as unsent, and is not sent when a URL is set later', async () => {
    const { world, account, receivers } = await openWebhookAccount({ webhookUrl: null });
    addDeposit(account);
    await advanceBy(account, hourMs);
    expect([statusOfOnlyDelivery(account), nextAttemptSeconds(account)]).toEqual(['unsent', undefined]);
    world.accounts.configure(account, { webhookUrl: receiverUrl });
    await advanceBy(account, longerThanRetriesMs);
    expect(statusOfOnlyDelivery(account)).toBe('unsent');
    // Nor is it sent when a change to the profile recreates the account.
    const recreated = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    expect([statusOfOnlyDelivery(recreated), nextAttemptSeconds(recreated)]).toEqual(['unsent', undefined]);
    await advanceBy(recreated, longerThanRetriesMs);
    expect(receivers.sent).toEqual([]);
  });

  test('a retry fails and records the reason if the URL was removed after the first attempt', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500) });
    addDeposit(account);
    await sendDueMessages(account);
    world.accounts.configure(account, { webhookUrl: null });
    await advanceBy(account, firstRetryDelayMs);
    expect(attemptsOf(account)).toMatchObject([
      { status: 500, url: receiverUrl },
      { status: null, error: 'no webhook URL is set', url: '', next_attempt_at: '2026-04-01T08:05:05.000Z' },
    ]);
    expect(receivers.sent).toHaveLength(1);
    // With a new URL, the retries continue.
    world.accounts.configure(account, { webhookUrl: 'https://new.example/' });
    await advanceBy(account, 300_000);
    expect(receivers.at(1).url).toBe('https://new.example/');
  });
});
