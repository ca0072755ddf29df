import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { clearFaults } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit } from '../../src/simulation/operations/deposits.js';
import { deliveryHistories, injectFault, reorderSeconds, sentMessages } from './webhook-faults.js';
import {
  addDeposit,
  advanceBy,
  attemptsOf,
  hourMs,
  nextAttemptSeconds,
  onlyDelivery,
  openWebhookAccount,
  receiversResponding,
  restartFrom,
  sendDueMessages,
  silentReceivers,
  startMs,
} from './webhooks.js';

/** Tests of webhook messages that faults delay: when they are sent, and in which order. */

/** The minutes and seconds of a time such as `2026-04-01T08:05:01.000Z`: `05:01`. */
const minutesAndSecondsOf = (at: string): string => at.slice(14, 19);

describe('the `delay` effect', () => {
  test('plans the message on the agenda, and sends it when the clock reaches that time', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'delay=5m', { match: { event: 'deposit.created' } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect([sentMessages(receivers), nextAttemptSeconds(account)]).toEqual([['authorized 1'], 300]);
    await advanceBy(account, 299_999);
    expect(receivers.sent).toHaveLength(1);
    await advanceBy(account, 1);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1']);
    expect(attemptsOf(account)).toMatchObject([{}, { at: '2026-04-01T08:05:00.000Z', applied_faults: ['delay'] }]);
  });

  test('lasts until the planned time, even if the fault is cleared', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'delay=5m');
    addDeposit(account);
    clearFaults(account);
    await sendDueMessages(account);
    expect(receivers.sent).toEqual([]);
    await advanceBy(account, 300_000);
    expect(attemptsOf(account)).toMatchObject([{ applied_faults: ['delay'] }]);
  });

  test('does not prevent a manual resend', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'delay=5m,tamper-body');
    addDeposit(account);
    const { id } = onlyDelivery(account);
    await resendDelivery(account, id);
    await advanceBy(account, hourMs);
    expect(receivers.sent).toHaveLength(1);
    expect(deliveryHistories(account)).toEqual([['delivered', 'manual 200']]);
  });

  test('continues after a manual resend that fails', async () => {
    const { account } = await openWebhookAccount({ receivers: receiversResponding(500, 200) });
    injectFault(account, 'delay=5m,duplicate');
    addDeposit(account);
    const { id } = onlyDelivery(account);
    await resendDelivery(account, id);
    expect(nextAttemptSeconds(account)).toBe(300);
    await advanceBy(account, hourMs);
    expect(deliveryHistories(account)).toEqual([
      ['delivered', 'manual 500', 'schedule delay 200', 'fault duplicate 200'],
    ]);
  });
});

describe('the `burst` effect', () => {
  test('sends all messages of an interval at its end', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'burst=10s');
    const atSecond = async (seconds: number, action: () => void) => {
      await account.schedule.advance({ to: startMs + seconds * 1_000, timeoutMs: 1_000 });
      action();
    };
    await atSecond(1, () => addDeposit(account));
    await atSecond(4, () => authorizeDeposit(account, 1));
    await atSecond(9, () => addDeposit(account));
    await atSecond(9.5, () => expect(receivers.sent).toEqual([]));
    await atSecond(10, () => captureDeposit(account, 1, {}));
    await atSecond(12, () => expect(receivers.sent).toHaveLength(3));
    await atSecond(20, () => undefined);
    // Messages about one deposit are sent one after another, those about different deposits in parallel.
    expect(sentMessages(receivers)).toEqual(['created 1', 'created 2', 'authorized 1', 'captured 1']);
    expect(attemptsOf(account).map(({ at, applied_faults }) => [minutesAndSecondsOf(at), applied_faults])).toEqual([
      ['00:10', ['burst']],
      ['00:10', ['burst']],
      ['00:10', ['burst']],
      ['00:20', ['burst']],
    ]);
  });
});

describe('the `reorder` effect', () => {
  test('holds a message back as before, if an advance to the end of its wait could not be stored', async () => {
    const { world, account, store } = await openWebhookAccount();
    injectFault(account, 'reorder=10m', { times: 1 });
    addDeposit(account);
    await world.commits.whenStored();
    store.holdCommits();
    account.schedule.freezeAt(startMs + hourMs);
    addDeposit(account);
    store.rejectHeldCommits();
    await expect(world.commits.whenStored()).rejects.toThrow('not-stored');
    addDeposit(account);
    const [heldBack, next] = account.deliveries.rows;
    expect(next?.overtakes).toEqual([heldBack?.id]);
  });

  const eventOrders: [string, Choices][] = [
    ['by-commit', {}],
    ['none', { 'event.order': 'none' }],
  ];

  test.each(eventOrders)(
    'sends the next message first, then the delayed message; event.order: %s',
    async (_eventOrder, choices) => {
      const { account, receivers } = await openWebhookAccount({ choices });
      injectFault(account, 'reorder');
      addDeposit(account);
      await sendDueMessages(account);
      expect([sentMessages(receivers), nextAttemptSeconds(account)]).toEqual([[], reorderSeconds]);
      authorizeDeposit(account, 1);
      await sendDueMessages(account);
      expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1']);
      addDeposit(account);
      addDeposit(account);
      addDeposit(account);
      await advanceBy(account, hourMs);
      expect(sentMessages(receivers).slice(2)).toEqual(['created 3', 'created 2', 'created 4']);
      expect(
        attemptsOf(account).map(({ at, applied_faults = [] }) => [minutesAndSecondsOf(at), ...applied_faults]),
      ).toEqual([['00:00'], ['00:00', 'reorder'], ['00:00'], ['00:00', 'reorder'], ['00:02', 'reorder']]);
    },
  );

  test.each(eventOrders)(
    'waits for the response to the overtaking message; event.order: %s',
    async (_eventOrder, choices) => {
      const { account, receivers } = await openWebhookAccount({ choices, receivers: silentReceivers() });
      injectFault(account, 'reorder');
      addDeposit(account);
      addDeposit(account);
      await sendDueMessages(account);
      expect(sentMessages(receivers)).toEqual(['created 2']);
      receivers.at(0).respond({ status: 500 });
      await sendDueMessages(account);
      expect(sentMessages(receivers)).toEqual(['created 2', 'created 1']);
    },
  );

  test('lets any message overtake, even one without a fault', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'reorder', { match: { event: 'deposit.created' } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1', 'captured 1']);
  });

  test('stops waiting in time if the next message is delayed for longer', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'reorder', { match: { event: 'deposit.created' } });
    injectFault(account, 'delay=5m', { match: { event: 'deposit.authorized' } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await advanceBy(account, hourMs);
    expect(sentMessages(receivers)).toEqual(['created 1', 'authorized 1']);
  });

  test('starts to wait for the next message when a delay ends', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'delay=5m,reorder');
    addDeposit(account);
    await advanceBy(account, 1_000);
    addDeposit(account);
    await advanceBy(account, hourMs);
    expect(sentMessages(receivers)).toEqual(['created 2', 'created 1']);
    expect(attemptsOf(account).map(({ at, applied_faults }) => [minutesAndSecondsOf(at), applied_faults])).toEqual([
      ['05:01', ['delay']],
      ['05:01', ['delay', 'reorder']],
    ]);
  });

  test('does not shorten a delay', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'delay=5m,reorder', { match: { event: 'deposit.created' } });
    addDeposit(account);
    authorizeDeposit(account, 1);
    await advanceBy(account, 299_999);
    expect(sentMessages(receivers)).toEqual(['authorized 1']);
    await advanceBy(account, 1);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('also reorders the messages of a burst', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'burst=10s,reorder');
    for (let number = 0; number < 4; number++) addDeposit(account);
    await advanceBy(account, hourMs);
    // Message 2 overtakes message 1, and 4 overtakes 3. Both pairs are sent in parallel, so 2 and 4 arrive first.
    expect(sentMessages(receivers)).toEqual(['created 2', 'created 4', 'created 1', 'created 3']);
  });

  test('waits for the next message if the overtaking message could not be stored', async () => {
    const { account, store, receivers } = await openWebhookAccount();
    injectFault(account, 'reorder');
    addDeposit(account);
    await account.whenStored();
    store.rejectsCommits = true;
    addDeposit(account);
    await sendDueMessages(account);
    store.rejectsCommits = false;
    expect(nextAttemptSeconds(account)).toBe(reorderSeconds);
    authorizeDeposit(account, 1);
    await sendDueMessages(account);
    expect(sentMessages(receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('does not affect a message that a user resent while it waited', async () => {
    const { account, receivers } = await openWebhookAccount();
    injectFault(account, 'reorder', { times: 1 });
    addDeposit(account);
    const { id } = onlyDelivery(account);
    await resendDelivery(account, id);
    addDeposit(account);
    await advanceBy(account, hourMs);
    expect(sentMessages(receivers)).toEqual(['created 1', 'created 2']);
    expect(account.deliveries.rows[1]).not.toHaveProperty('overtakes');
  });
});

test('with reorder, a message is overtaken only by the next one, and only if that comes in time', async () => {
  const pauses = fc.array(fc.constantFrom(0, 1, 1_000, 1_999, 2_000, 2_001, 5_000), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(pauses, fc.constantFrom('by-commit', 'none'), async (pausesMs, choice) => {
      const { account, receivers } = await openWebhookAccount({ choices: { 'event.order': choice } });
      injectFault(account, 'reorder');
      const expected: number[] = [];
      let waiting: { readonly number: number; readonly untilMs: number } | undefined;
      for (const [index, pauseMs] of pausesMs.entries()) {
        const number = index + 1;
        if (waiting && waiting.untilMs > account.now()) {
          expected.push(number, waiting.number);
          waiting = undefined;
        } else {
          if (waiting) expected.push(waiting.number);
          waiting = { number, untilMs: account.now() + reorderSeconds * 1_000 };
        }
        addDeposit(account);
        await advanceBy(account, pauseMs);
      }
      if (waiting) expected.push(waiting.number);
      await advanceBy(account, hourMs);
      expect(sentMessages(receivers)).toEqual(expected.map((number) => `created ${number}`));
    }),
    { numRuns: 60 },
  );
});

describe('delayed messages stay delayed', () => {
  test.each(['delay=5m', 'burst=5m', 'reorder=5m'])('after a restart while %s delays them', async (effect) => {
    const { account, store } = await openWebhookAccount();
    injectFault(account, effect);
    addDeposit(account);
    await account.whenStored();
    const restarted = await restartFrom(store);
    expect(nextAttemptSeconds(restarted.account)).toBe(300);
    await sendDueMessages(restarted.account);
    expect(restarted.receivers.sent).toEqual([]);
    await advanceBy(restarted.account, 300_000);
    expect(sentMessages(restarted.receivers)).toEqual(['created 1']);
  });

  test('after a restart while reorder waits for the next message', async () => {
    const { account, store } = await openWebhookAccount();
    injectFault(account, 'reorder');
    addDeposit(account);
    await account.whenStored();
    const restarted = await restartFrom(store);
    authorizeDeposit(restarted.account, 1);
    await sendDueMessages(restarted.account);
    expect(sentMessages(restarted.receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('after the account was recreated, because its profile changed', async () => {
    const { world, account, receivers } = await openWebhookAccount({ receivers: silentReceivers() });
    injectFault(account, 'reorder');
    addDeposit(account);
    addDeposit(account);
    const recreated = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await sendDueMessages(recreated);
    expect(sentMessages(receivers)).toEqual(['created 2']);
    receivers.at(0).respond({});
    await sendDueMessages(recreated);
    expect(sentMessages(receivers)).toEqual(['created 2', 'created 1']);
  });
});
