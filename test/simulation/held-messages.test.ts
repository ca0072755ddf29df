import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { clearFaults } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit } from '../../src/simulation/operations/deposits.js';
import { add, history, reported, restart } from './faulty.js';
import { advance, answering, attemptsOf, hour, newDeposit, nextDue, open, settle, silent, start } from './webhooks.js';

/** Webhook messages that faults delay, and when they are sent. */

describe('delay', () => {
  test('is on the agenda, and ends when the clock reaches it', async () => {
    const { account, receivers } = await open();
    add(account, 'delay=5m', { match: { event: 'deposit.created' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    expect([reported(receivers), nextDue(account)]).toEqual([['authorized 1'], 300]);
    await advance(account, 299_999);
    expect(receivers.sent).toHaveLength(1);
    await advance(account, 1);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1']);
    expect(attemptsOf(account)).toMatchObject([{}, { at: '2026-04-01T08:05:00.000Z', done: ['delay'] }]);
  });

  test('holds until the planned time, even if the fault is cleared', async () => {
    const { account, receivers } = await open();
    add(account, 'delay=5m');
    newDeposit(account);
    clearFaults(account);
    await settle(account);
    expect(receivers.sent).toEqual([]);
    await advance(account, 300_000);
    expect(attemptsOf(account)).toMatchObject([{ done: ['delay'] }]);
  });

  test('does not prevent a manual resend', async () => {
    const { account, receivers } = await open();
    add(account, 'delay=5m,tamper-body');
    newDeposit(account);
    const [{ id } = { id: '' }] = account.deliveries.rows;
    await resendDelivery(account, id);
    await advance(account, hour);
    expect(receivers.sent).toHaveLength(1);
    expect(history(account)).toEqual([['delivered', 'hand 200']]);
  });

  test('continues after a failed manual resend, and then fires', async () => {
    const { account } = await open({ receivers: answering(500, 200) });
    add(account, 'delay=5m,duplicate');
    newDeposit(account);
    const [{ id } = { id: '' }] = account.deliveries.rows;
    await resendDelivery(account, id);
    expect(nextDue(account)).toBe(300);
    await advance(account, hour);
    expect(history(account)).toEqual([['delivered', 'hand 500', 'schedule delay 200', 'fault duplicate 200']]);
  });
});

describe('burst', () => {
  test('sends all messages of an interval at its end', async () => {
    const { account, receivers } = await open();
    add(account, 'burst=10s');
    const at = async (seconds: number, act: () => void) => {
      await account.schedule.advance({ to: start + seconds * 1_000, timeoutMs: 1_000 });
      act();
    };
    await at(1, () => newDeposit(account));
    await at(4, () => authorizeDeposit(account, 1));
    await at(9, () => newDeposit(account));
    await at(9.5, () => expect(receivers.sent).toEqual([]));
    await at(10, () => captureDeposit(account, 1, {}));
    await at(12, () => expect(receivers.sent).toHaveLength(3));
    await at(20, () => undefined);
    expect(reported(receivers)).toEqual(['created 1', 'created 2', 'authorized 1', 'captured 1']);
    expect(attemptsOf(account).map(({ at: moment, done }) => [moment.slice(17, 19), done])).toEqual([
      ['10', ['burst']],
      ['10', ['burst']],
      ['10', ['burst']],
      ['20', ['burst']],
    ]);
  });
});

describe('reorder', () => {
  const orders: [string, Choices][] = [
    ['by commit', {}],
    ['none', { 'event.order': 'none' }],
  ];

  test.each(orders)('sends the next message first, and then the held one; event.order: %s', async (_what, choices) => {
    const { account, receivers } = await open({ choices });
    add(account, 'reorder');
    newDeposit(account);
    await settle(account);
    expect([reported(receivers), nextDue(account)]).toEqual([[], 2]);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1']);
    newDeposit(account);
    newDeposit(account);
    newDeposit(account);
    await advance(account, hour);
    expect(reported(receivers).slice(2)).toEqual(['created 3', 'created 2', 'created 4']);
    expect(attemptsOf(account).map(({ at, done = [] }) => [at.slice(17, 19), ...done])).toEqual([
      ['00'],
      ['00', 'reorder'],
      ['00'],
      ['00', 'reorder'],
      ['02', 'reorder'],
    ]);
  });

  test.each(orders)('waits for the response of the one that goes first; event.order: %s', async (_what, choices) => {
    const { account, receivers } = await open({ choices, receivers: silent() });
    add(account, 'reorder');
    newDeposit(account);
    newDeposit(account);
    await settle(account);
    expect(reported(receivers)).toEqual(['created 2']);
    receivers.at(0).answer({ status: 500 });
    await settle(account);
    expect(reported(receivers)).toEqual(['created 2', 'created 1']);
  });

  test('swaps with any message that follows, whatever faults that one has', async () => {
    const { account, receivers } = await open();
    add(account, 'reorder', { match: { event: 'deposit.created' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    captureDeposit(account, 1, {});
    await settle(account);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1', 'captured 1']);
  });

  test('does not wait for a message that is too late', async () => {
    const { account, receivers } = await open();
    add(account, 'reorder', { match: { event: 'deposit.created' } });
    add(account, 'delay=5m', { match: { event: 'deposit.authorized' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await advance(account, hour);
    expect(reported(receivers)).toEqual(['created 1', 'authorized 1']);
  });

  test('of delayed messages follows their delays', async () => {
    const { account, receivers } = await open();
    add(account, 'delay=5m,reorder');
    newDeposit(account);
    await advance(account, 1_000);
    newDeposit(account);
    await advance(account, hour);
    expect(reported(receivers)).toEqual(['created 2', 'created 1']);
    expect(attemptsOf(account).map(({ at, done }) => [at.slice(14, 19), done])).toEqual([
      ['05:01', ['delay']],
      ['05:01', ['delay', 'reorder']],
    ]);
  });

  test('does not shorten a delay', async () => {
    const { account, receivers } = await open();
    add(account, 'delay=5m,reorder', { match: { event: 'deposit.created' } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await advance(account, 299_999);
    expect(reported(receivers)).toEqual(['authorized 1']);
    await advance(account, 1);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('also swaps the messages of a burst', async () => {
    const { account, receivers } = await open();
    add(account, 'burst=10s,reorder');
    for (let number = 0; number < 4; number++) newDeposit(account);
    await advance(account, hour);
    // Messages about different deposits are sent in parallel.
    expect(reported(receivers)).toEqual(['created 2', 'created 4', 'created 1', 'created 3']);
  });

  test('no longer waits for a message that could not be stored', async () => {
    const { account, store, receivers } = await open();
    add(account, 'reorder');
    newDeposit(account);
    await account.whenStored();
    store.refuses = true;
    newDeposit(account);
    await settle(account);
    store.refuses = false;
    expect(nextDue(account)).toBe(2);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('does not affect a message that was resent manually meanwhile', async () => {
    const { account, receivers } = await open();
    add(account, 'reorder', { times: 1 });
    newDeposit(account);
    const [{ id } = { id: '' }] = account.deliveries.rows;
    await resendDelivery(account, id);
    newDeposit(account);
    await advance(account, hour);
    expect(reported(receivers)).toEqual(['created 1', 'created 2']);
    expect(account.deliveries.rows[1]).not.toHaveProperty('releases');
  });
});

test('a message is overtaken by the next one if that follows in time, and by no other', async () => {
  const pauses = fc.array(fc.constantFrom(0, 1, 1_000, 1_999, 2_000, 2_001, 5_000), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(pauses, fc.constantFrom('by-commit', 'none'), async (waits, choice) => {
      const { account, receivers } = await open({ choices: { 'event.order': choice } });
      add(account, 'reorder');
      const expected: number[] = [];
      let waiting: { readonly number: number; readonly until: number } | undefined;
      for (const [index, wait] of waits.entries()) {
        const number = index + 1;
        if (waiting && waiting.until > account.now()) {
          expected.push(number, waiting.number);
          waiting = undefined;
        } else {
          if (waiting) expected.push(waiting.number);
          waiting = { number, until: account.now() + 2_000 };
        }
        newDeposit(account);
        await advance(account, wait);
      }
      if (waiting) expected.push(waiting.number);
      await advance(account, hour);
      expect(reported(receivers)).toEqual(expected.map((number) => `created ${number}`));
    }),
    { numRuns: 60 },
  );
});

describe('held messages stay held', () => {
  test.each(['delay=5m', 'burst=5m', 'reorder=5m'])('after a restart while %s holds them', async (effect) => {
    const { account, store } = await open();
    add(account, effect);
    newDeposit(account);
    await account.whenStored();
    const after = await restart(store);
    expect(nextDue(after.account)).toBe(300);
    await settle(after.account);
    expect(after.receivers.sent).toEqual([]);
    await advance(after.account, 300_000);
    expect(reported(after.receivers)).toEqual(['created 1']);
  });

  test('after a restart while reorder waits for the next message', async () => {
    const { account, store } = await open();
    add(account, 'reorder');
    newDeposit(account);
    await account.whenStored();
    const after = await restart(store);
    authorizeDeposit(after.account, 1);
    await settle(after.account);
    expect(reported(after.receivers)).toEqual(['authorized 1', 'created 1']);
  });

  test('after the account was recreated from its contents, as when its profile changes', async () => {
    const { world, account, receivers } = await open({ receivers: silent() });
    add(account, 'reorder');
    newDeposit(account);
    newDeposit(account);
    const next = world.accounts.configure(account, { choices: { 'list.order': 'oldest-first' } });
    await settle(next);
    expect(reported(receivers)).toEqual(['created 2']);
    receivers.at(0).answer({});
    await settle(next);
    expect(reported(receivers)).toEqual(['created 2', 'created 1']);
  });
});
