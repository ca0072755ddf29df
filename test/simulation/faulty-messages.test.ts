import { describe, expect, test } from 'vitest';
import { clearFault, clearFaults } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { deliveryHistories, injectFault, reorderSeconds, sentMessages, verifyingReceivers } from './webhook-faults.js';
import {
  addDeposit,
  advanceBy,
  attemptsOf,
  hourMs,
  longerThanHoldMs,
  longerThanRetriesMs,
  nextAttemptSeconds,
  openWebhookAccount,
  receiversResponding,
  receiversRespondingOnce,
  receiverUrl,
  restartFrom,
  sendDueMessages,
  silentReceivers,
  webhookSecret,
} from './webhooks.js';

/**
 * Tests of webhook messages with faults, from the commit of the event to the attempts. The fields `applied_faults` and
 * `skipped_faults` of an attempt list effects of faults: those that were applied, and those that were skipped, each with
 * a reason.
 */

describe('webhooks to which no fault applies', () => {
  test('are stored without additional fields', async () => {
    const { account } = await openWebhookAccount();
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    const fields = (rows: readonly object[]) => rows.map((row) => Object.keys(row).join(' '));
    const deliveryFields = 'id event subject body url created_at';
    const attemptFields =
      'id delivery_id number by at url headers status error milliseconds response_body next_attempt_at';
    expect(fields(account.deliveries.rows)).toEqual([deliveryFields, deliveryFields]);
    expect(fields(account.attempts.rows)).toEqual([attemptFields, attemptFields]);
  });

  test('are not changed by faults on requests or other events, or by cleared faults', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'latency=1s');
    injectFault(account, 'duplicate', { match: { event: 'payment.succeeded' } });
    const { id } = injectFault(account, 'drop', { times: 1, match: { event: 'deposit.created' } });
    clearFault(account, id);
    addDeposit(account);
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['created 1']);
    expect(account.deliveries.rows[0]).not.toHaveProperty('faults');
  });
});

describe('the faults of a message', () => {
  test('are stored in the commit of the event', async () => {
    const { account, store } = await openWebhookAccount();
    const fault = injectFault(account, 'duplicate', { match: { event: 'deposit.*', nth: 2 } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    const commits = store.commits.slice(-2).map(({ changes }) => changes);
    expect(commits).toMatchObject([
      { deposits: [{}], deliveries: [{}], faults: [{ id: 1, times_matched: 1, times_fired: 0 }] },
      {
        deposits: [{}],
        deliveries: [{ faults: [{ id: 1, effects: fault.effects }] }],
        faults: [{ id: 1, times_matched: 2, times_fired: 1 }],
      },
    ]);
    expect(commits[0]?.deliveries?.[0]).not.toHaveProperty('faults');
  });

  test('can depend on its body', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'drop', { match: { body: { 'data.booking_reference': 'BAD-*' } } });
    addDeposit(account, 'BK-1');
    addDeposit(account, 'BAD-2');
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['created 1']);
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'schedule 200'],
      ['failed', 'schedule drop dropped in transit by a fault'],
    ]);
  });

  test('are not matched if no URL is set', async () => {
    const { account } = await openWebhookAccount({ webhookUrl: null });
    injectFault(account, 'drop');
    addDeposit(account);
    expect(account.faults.rows).toMatchObject([{ times_matched: 0, times_fired: 0 }]);
    expect(account.deliveries.rows[0]).not.toHaveProperty('faults');
  });

  test('are the same for the same random seed, even if the receiver does not respond', async () => {
    /** Sends 40 messages. @returns for each, true if the fault fired on it */
    const sendMessagesAndListFired = async (receivers: ScriptedReceivers) => {
      const { account } = await openWebhookAccount({ receivers });
      injectFault(account, 'drop', { match: { probability: 0.5 } });
      for (let number = 0; number < 40; number++) addDeposit(account);
      await sendDueMessages(account);
      return account.deliveries.rows.map(({ faults }) => faults !== undefined);
    };
    const firstRun = await sendMessagesAndListFired(receiversResponding(200));
    expect(await sendMessagesAndListFired(silentReceivers())).toEqual(firstRun);
    expect(new Set(firstRun)).toEqual(new Set([true, false]));
  });

  test('are rolled back with a commit that cannot be stored', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    injectFault(account, 'reorder', { times: 1 });
    await account.whenStored();
    const contentsBefore = account.contents();
    store.rejectsCommits = true;
    addDeposit(account);
    await sendDueMessages(account);
    store.rejectsCommits = false;
    expect(account.contents()).toEqual(contentsBefore);
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1']);
  });
});

describe('the `drop` effect', () => {
  test('never sends the message, and records a failed attempt', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'drop');
    addDeposit(account);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toEqual([]);
    expect(attemptsOf(account)).toMatchObject([
      {
        by: 'schedule',
        url: receiverUrl,
        headers: {},
        status: null,
        error: 'dropped in transit by a fault',
        next_attempt_at: null,
        applied_faults: ['drop'],
      },
    ]);
    expect(deliveryHistories(account)).toEqual([['failed', 'schedule drop dropped in transit by a fault']]);
  });

  test('with the value `attempt` drops only the first attempt, which is retried', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'drop=attempt');
    addDeposit(account);
    await sendDueMessages(account);
    expect(nextAttemptSeconds(account)).toBe(5);
    await advanceBy(account, longerThanRetriesMs);
    expect(sentMessages(receivers)).toEqual(['created 1']);
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'schedule drop dropped in transit by a fault', 'schedule 200'],
    ]);
  });
});

describe('the `duplicate` effect', () => {
  test('sends the message twice; the status of the delivery ignores the second response', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 200, 500, 200) });
    injectFault(account, 'duplicate', { times: 1 });
    addDeposit(account);
    await sendDueMessages(account);
    expect(deliveryHistories(account)).toEqual([['retrying', 'schedule 500', 'fault duplicate 200']]);
    expect(nextAttemptSeconds(account)).toBe(5);
    await advanceBy(account, longerThanRetriesMs);
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'schedule 500', 'fault duplicate 200', 'schedule 500', 'schedule 200'],
    ]);
    expect(new Set(receivers.sent.map(({ body }) => body)).size).toBe(1);
    expect(attemptsOf(account).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    for (const { id, number } of attemptsOf(account)) expect(id).toMatch(new RegExp(`/${number}$`));
  });

  test('leaves a message delivered even if the receiver refuses the other copies', async () => {
    const { account } = await openWebhookAccount({ receivers: receiversResponding(200, 500) });
    injectFault(account, 'duplicate=3');
    addDeposit(account);
    await advanceBy(account, longerThanRetriesMs);
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'schedule 200', 'fault duplicate 500', 'fault duplicate 500'],
    ]);
  });

  test('sends each copy after the response to the previous one, and the next event of the record after the last copy', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    injectFault(account, 'duplicate', { match: { nth: 1 } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    const sentAfterEachResponse = [sentMessages(receivers)];
    for (let index = 0; index < 2; index++) {
      receivers.at(index).respond({});
      await sendDueMessages(account);
      sentAfterEachResponse.push(sentMessages(receivers));
    }
    expect(sentAfterEachResponse).toEqual([
      ['created 1'],
      ['created 1', 'created 1'],
      ['created 1', 'created 1', 'authorized 1'],
    ]);
  });
});

describe('a forged message', () => {
  test.each(['tamper-body', 'wrong-secret', 'retired-secret', 'no-signature'])(
    '(by %s) is refused by a receiver that verifies signatures, and a retry sends the genuine message',
    async (effect) => {
      const { world, account, receivers } = await openWebhookAccount({ receivers: verifyingReceivers() });
      // The `retired-secret` effect needs a previous secret.
      world.accounts.configure(account, { webhookSecret: 'a retired secret' });
      world.accounts.configure(account, { webhookSecret });
      injectFault(account, effect);
      addDeposit(account);
      await advanceBy(account, hourMs);
      expect(deliveryHistories(account)).toEqual([['delivered', `schedule ${effect} 401`, 'schedule 200']]);
      expect(receivers.at(1)).toMatchObject({
        secret: webhookSecret,
        // Not set, so the signature covers the body.
        signedText: undefined,
        body: account.deliveries.rows[0]?.body,
      });
    },
  );

  test('counts as delivered if the receiver accepts it', async () => {
    const { account } = await openWebhookAccount();
    injectFault(account, 'tamper-body');
    addDeposit(account);
    await advanceBy(account, hourMs);
    expect(deliveryHistories(account)).toEqual([['delivered', 'schedule tamper-body 200']]);
  });

  test('is recorded with its body if the body was changed', async () => {
    const { account, receivers } = await openWebhookAccount();
    // With `duplicate`, only a copy is forged.
    injectFault(account, 'duplicate,tamper-body');
    addDeposit(account);
    await sendDueMessages(account);
    const [first, second] = attemptsOf(account);
    expect(first).not.toHaveProperty('body');
    expect(second?.body).toBe(receivers.at(1).body);
    // The signature covers the original body.
    expect(receivers.at(1).signedText).toBe(receivers.at(0).body);
  });

  test('(by retired-secret) is signed with the previous webhook secret', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: receiversResponding(401) });
    world.accounts.configure(account, { webhookSecret: 'a new secret' });
    // This sets the same secret, and another setting, so it does not retire the secret.
    world.accounts.configure(account, { webhookSecret: 'a new secret', rateLimit: false });
    injectFault(account, 'retired-secret', { times: 1 });
    addDeposit(account);
    await sendDueMessages(account);
    expect(receivers.at(0).secret).toBe(webhookSecret);
  });

  test('(by retired-secret) keeps its signature if the account has no previous secret, and the attempt records the reason', async () => {
    // The account of `openWebhookAccount` has a previous secret: the one that it got at its creation.
    const { world, account, receivers } = await openWebhookAccount({ webhookUrl: null });
    const fresh = world.accounts.create({
      id: 'fresh',
      seed: account.origin.seed,
      now: '2026-04-01T08:00:00Z',
      webhookUrl: receiverUrl,
    });
    expect(fresh.account.record).not.toHaveProperty('retired_secret');
    injectFault(fresh.account, 'duplicate,retired-secret');
    addDeposit(fresh.account);
    await sendDueMessages(fresh.account);
    expect(receivers.sent).toMatchObject([{ secret: fresh.account.record.webhook_secret }, {}]);
    expect(attemptsOf(fresh.account)).toMatchObject([
      { skipped_faults: [{ effect: 'retired-secret', reason: expect.stringContaining('never been changed') }] },
      { by: 'fault', applied_faults: ['duplicate'] },
    ]);
  });
});

describe('the `stale` effect', () => {
  test('also sends an older message again, with its original headers, and records the attempt', async () => {
    // The headers of an outcome are those that were sent. These receivers make them recognizable.
    const receiversReportingMessageId = new ScriptedReceivers(({ body }) => ({
      headers: { 'X-Message': JSON.parse(body).id },
    }));
    const { account, receivers } = await openWebhookAccount({ receivers: receiversReportingMessageId });
    addDeposit(account);
    await sendDueMessages(account);
    injectFault(account, 'stale');
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['created 1', 'authorized 1', 'created 1']);
    const [created] = account.deliveries.rows;
    expect(receivers.at(2)).toMatchObject({
      body: created?.body,
      event: 'deposit.created',
      headers: { 'X-Message': created?.id },
    });
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'schedule 200', 'fault stale 200'],
      ['delivered', 'schedule 200'],
    ]);
    await advanceBy(account, longerThanRetriesMs);
    expect(receivers.sent).toHaveLength(3);
  });

  test('leaves the older message delivered even if the current message fails', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(200, 500, 200) });
    addDeposit(account);
    await sendDueMessages(account);
    injectFault(account, 'stale', { times: 1 });
    addDeposit(account);
    await advanceBy(account, longerThanRetriesMs);
    expect(sentMessages(receivers)).toEqual(['created 1', 'created 2', 'created 1', 'created 2']);
    expect(attemptsOf(account).map(({ next_attempt_at }) => next_attempt_at)).toEqual([
      null,
      '2026-04-01T08:00:05.000Z',
      null,
      null,
    ]);
  });

  test('chooses only messages that were delivered unchanged', async () => {
    const { account, receivers } = await openWebhookAccount({ receivers: receiversResponding(500, 500, 200) });
    const sendDeposit = async () => {
      addDeposit(account);
      await sendDueMessages(account);
    };
    // The message about deposit 1 fails. Of the one about 2, only a copy that a fault sends is delivered. Those about 3
    // and 4 are delivered, the last one with a forged body.
    await sendDeposit();
    injectFault(account, 'duplicate', { times: 1 });
    await sendDeposit();
    await sendDeposit();
    injectFault(account, 'tamper-body', { times: 1 });
    await sendDeposit();
    injectFault(account, 'stale');
    for (let count = 0; count < 5; count++) await sendDeposit();
    // Each of the five messages is followed by an older one.
    const replayed = sentMessages(receivers)
      .slice(5)
      .filter((_message, index) => index % 2 === 1);
    expect(replayed).toHaveLength(5);
    expect(replayed.filter((message) => ['created 1', 'created 2', 'created 4'].includes(message))).toEqual([]);
  });

  test('is skipped, with a reason, if no message was delivered before', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'stale');
    addDeposit(account);
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(1);
    expect(attemptsOf(account)).toMatchObject([{ skipped_faults: [{ effect: 'stale' }] }]);
  });
});

describe('the faults of an unsent message are applied', () => {
  test('after a crash between the commit and the sending', async () => {
    const { account, store } = await openWebhookAccount();
    injectFault(account, 'duplicate,reorder,tamper-body');
    addDeposit(account);
    authorizeDeposit(account, 1);
    await account.whenStored();
    const restarted = await restartFrom(store);
    await sendDueMessages(restarted.account);
    expect(sentMessages(restarted.receivers)).toEqual(['authorized 1', 'authorized 1', 'created 1', 'created 1']);
    expect(deliveryHistories(restarted.account)).toEqual([
      ['delivered', 'schedule reorder 200', 'fault duplicate tamper-body 200'],
      ['delivered', 'schedule 200', 'fault duplicate tamper-body 200'],
    ]);
  });

  test('after a crash before the response to the second copy; both copies are sent again, with the same forgery', async () => {
    const { account, store, receivers } = await openWebhookAccount({
      receivers: receiversRespondingOnce(),
    });
    injectFault(account, 'duplicate,tamper-body');
    addDeposit(account);
    await sendDueMessages(account);
    expect(receivers.sent).toHaveLength(2);
    const restarted = await restartFrom(store);
    await sendDueMessages(restarted.account);
    expect(restarted.receivers.sent.map(({ body }) => body)).toEqual(receivers.sent.map(({ body }) => body));
  });

  test('after restoring a snapshot, with the faults that it contains', async () => {
    const { world, account, receivers } = await openWebhookAccount();
    world.accounts.configure(account, { webhookSecret: 'second' });
    const fault = injectFault(account, 'reorder', { times: 2 });
    addDeposit(account);
    await saveSnapshot(account, 'held');
    authorizeDeposit(account, 1);
    clearFaults(account);
    world.accounts.configure(account, { webhookSecret: 'third' });
    await sendDueMessages(account);
    const restored = await restoreSnapshot(world.accounts, account, 'held');
    expect(restored.faults.rows).toEqual([{ ...fault, times_matched: 1, times_fired: 1 }]);
    // Restoring keeps the current secrets.
    expect(restored.record).toMatchObject({ webhook_secret: 'third', retired_secret: 'second' });
    expect(nextAttemptSeconds(restored)).toBe(reorderSeconds);
    authorizeDeposit(restored, 1);
    await sendDueMessages(restored);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1', 'authorized 1', 'created 1']);
  });
});

describe('the same seed, clock and events', () => {
  /**
   * Runs a fixed sequence of events under many faults.
   * @param advances milliseconds of the clock advances after the authorizations
   */
  async function runWithAdvances(advances: readonly number[]) {
    const { world, account, receivers } = await openWebhookAccount({ receivers: verifyingReceivers() });
    world.accounts.configure(account, { webhookSecret: 'a retired secret' });
    world.accounts.configure(account, { webhookSecret });
    injectFault(account, 'duplicate=4,tamper-body,wrong-secret,no-signature', { match: { probability: 0.5 } });
    injectFault(account, 'delay=90s,retired-secret', { match: { every: 2 } });
    injectFault(account, 'burst=1m', { match: { every: 3 } });
    injectFault(account, 'reorder=30s,stale');
    for (const id of [1, 2, 3]) addDeposit(account, `BK-${id}`);
    for (const id of [1, 2, 3]) authorizeDeposit(account, id);
    for (const milliseconds of advances) await advanceBy(account, milliseconds);
    captureDeposit(account, 2, { amount: 40 });
    await advanceBy(account, longerThanHoldMs);
    return {
      sent: receivers.sent.map(({ body, secret, signedText }) => ({ body, secret, signedText })),
      deliveries: account.deliveries.rows,
      attempts: account.attempts.rows,
      faults: account.faults.rows,
    };
  }

  test('give the same messages, copies and forged messages, byte for byte', async () => {
    const firstRun = await runWithAdvances([60_000]);
    expect(await runWithAdvances([60_000])).toEqual(firstRun);
    // Makes sure that the runs are not equal merely because they lack messages or faults. The faults have nine effects.
    expect(firstRun.sent.length).toBeGreaterThan(20);
    expect(new Set(firstRun.attempts.flatMap(({ applied_faults = [] }) => applied_faults)).size).toBe(9);
  });

  test('give the same history for one long advance as for many short ones', async () => {
    expect(await runWithAdvances(Array.from({ length: 60 }, () => 1_000))).toEqual(await runWithAdvances([60_000]));
  });
});
