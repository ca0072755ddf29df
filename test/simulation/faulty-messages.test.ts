import { describe, expect, test } from 'vitest';
import { clearFaults } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit } from '../../src/simulation/operations/deposits.js';
import { restoreSnapshot, saveSnapshot } from '../../src/simulation/seeding/snapshots.js';
import { add, history, reported, restart, verifying } from './faulty.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import { advance, answering, attemptsOf, hour, newDeposit, nextDue, open, settle, silent, url } from './webhooks.js';

/** Webhook messages on which faults fire, from the commit of the event to the attempts. */

describe('without faults', () => {
  test('messages and attempts have no additional fields', async () => {
    const { account } = await open();
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    const fields = (rows: readonly object[]) => rows.map((row) => Object.keys(row).join(' '));
    const ofDelivery = 'id event subject body url created_at';
    const ofAttempt = 'id delivery_id number by at url headers status error milliseconds answer next_at';
    expect(fields(account.deliveries.rows)).toEqual([ofDelivery, ofDelivery]);
    expect(fields(account.attempts.rows)).toEqual([ofAttempt, ofAttempt]);
  });

  test('with message effects, or once they are over, messages are unchanged', async () => {
    const { account, receivers } = await open();
    add(account, 'latency=1s');
    add(account, 'duplicate', { match: { event: 'payment.succeeded' } });
    add(account, 'drop', { times: 1, match: { event: 'deposit.created' } });
    clearFaults(account);
    newDeposit(account);
    await settle(account);
    expect(reported(receivers)).toEqual(['created 1']);
    expect(account.deliveries.rows[0]).not.toHaveProperty('faults');
  });
});

describe('the choice of messages', () => {
  test('is stored in the commit of the event', async () => {
    const { account, store } = await open();
    const fault = add(account, 'duplicate', { match: { event: 'deposit.*', nth: 2 } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    const commits = store.commits.slice(-2).map(({ changes }) => changes);
    expect(commits).toMatchObject([
      { deposits: [{}], deliveries: [{}], faults: [{ id: 1, seen: 1, hits: 0 }] },
      {
        deposits: [{}],
        deliveries: [{ faults: [{ id: 1, effects: fault.effects }] }],
        faults: [{ id: 1, seen: 2, hits: 1 }],
      },
    ]);
    expect(commits[0]?.deliveries?.[0]).not.toHaveProperty('faults');
  });

  test('can depend on the body', async () => {
    const { account, receivers } = await open();
    add(account, 'drop', { match: { body: { 'data.booking_reference': 'BAD-*' } } });
    newDeposit(account, 'BK-1');
    newDeposit(account, 'BAD-2');
    await settle(account);
    expect(reported(receivers)).toEqual(['created 1']);
    expect(history(account)).toEqual([
      ['delivered', 'schedule 200'],
      ['failed', 'schedule drop lost on the way by a fault'],
    ]);
  });

  test('excludes messages without a URL', async () => {
    const { account } = await open({ webhookUrl: null });
    add(account, 'drop');
    newDeposit(account);
    expect(account.faults.rows).toMatchObject([{ seen: 0, hits: 0 }]);
    expect(account.deliveries.rows[0]).not.toHaveProperty('faults');
  });

  test('depends on the seed, not on the order of responses', async () => {
    const hits = async (receivers: ScriptedReceivers) => {
      const { account } = await open({ receivers });
      add(account, 'drop', { match: { probability: 0.5 } });
      for (let number = 0; number < 40; number++) newDeposit(account);
      await settle(account);
      return account.deliveries.rows.map(({ faults }) => faults !== undefined);
    };
    const once = await hits(answering(200));
    expect(await hits(silent())).toEqual(once);
    expect(new Set(once)).toEqual(new Set([true, false]));
  });

  test('is undone with a commit that cannot be stored', async () => {
    const { account, store, receivers } = await open();
    add(account, 'reorder', { times: 1 });
    await account.whenStored();
    const before = account.contents();
    store.refuses = true;
    newDeposit(account);
    await settle(account);
    store.refuses = false;
    expect(account.contents()).toEqual(before);
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1']);
  });
});

describe('drop', () => {
  test('never sends the message, and shows an attempt that was dropped', async () => {
    const { account, receivers } = await open();
    add(account, 'drop');
    newDeposit(account);
    await advance(account, 48 * hour);
    expect(receivers.sent).toEqual([]);
    expect(attemptsOf(account)).toMatchObject([
      {
        by: 'schedule',
        url,
        headers: {},
        status: null,
        error: 'lost on the way by a fault',
        next_at: null,
        done: ['drop'],
      },
    ]);
    expect(history(account)).toEqual([['failed', 'schedule drop lost on the way by a fault']]);
  });

  test('=attempt loses the first attempt, and the schedule continues', async () => {
    const { account, receivers } = await open();
    add(account, 'drop=attempt');
    newDeposit(account);
    await settle(account);
    expect(nextDue(account)).toBe(5);
    await advance(account, 48 * hour);
    expect(reported(receivers)).toEqual(['created 1']);
    expect(history(account)).toEqual([['delivered', 'schedule drop lost on the way by a fault', 'schedule 200']]);
  });
});

describe('duplicate', () => {
  test('sends the message once more, without affecting its status', async () => {
    const { account, receivers } = await open({ receivers: answering(500, 200, 500, 200) });
    add(account, 'duplicate', { times: 1 });
    newDeposit(account);
    await settle(account);
    expect(history(account)).toEqual([['retrying', 'schedule 500', 'fault duplicate 200']]);
    expect(nextDue(account)).toBe(5);
    await advance(account, 48 * hour);
    expect(history(account)).toEqual([
      ['delivered', 'schedule 500', 'fault duplicate 200', 'schedule 500', 'schedule 200'],
    ]);
    expect(new Set(receivers.sent.map(({ body }) => body)).size).toBe(1);
    expect(attemptsOf(account).map(({ id, number }) => id.endsWith(`/${number}`) && number)).toEqual([1, 2, 3, 4]);
  });

  test('counts as delivered even if a further copy is refused', async () => {
    const { account } = await open({ receivers: answering(200, 500) });
    add(account, 'duplicate=3');
    newDeposit(account);
    await advance(account, 48 * hour);
    expect(history(account)).toEqual([['delivered', 'schedule 200', 'fault duplicate 500', 'fault duplicate 500']]);
  });

  test('sends each copy after the response to the previous one, and the next event of the record after the last copy', async () => {
    const { account, receivers } = await open({ receivers: silent() });
    add(account, 'duplicate', { match: { nth: 1 } });
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    const seen = [reported(receivers)];
    for (let index = 0; index < 2; index++) {
      receivers.at(index).answer({});
      await settle(account);
      seen.push(reported(receivers));
    }
    expect(seen).toEqual([['created 1'], ['created 1', 'created 1'], ['created 1', 'created 1', 'authorized 1']]);
  });
});

describe('a forgery', () => {
  test.each(['tamper-body', 'wrong-secret', 'retired-secret', 'no-signature'])(
    '%s of the only copy is refused by a verifying receiver, and a retry sends the genuine one',
    async (effect) => {
      const { world, account, receivers } = await open({ receivers: verifying() });
      world.accounts.configure(account, { webhookSecret: 'another' });
      world.accounts.configure(account, { webhookSecret: 'a secret' });
      add(account, effect);
      newDeposit(account);
      await advance(account, hour);
      expect(history(account)).toEqual([['delivered', `schedule ${effect} 401`, 'schedule 200']]);
      expect(receivers.at(1)).toMatchObject({
        secret: 'a secret',
        signed: undefined,
        body: account.deliveries.rows[0]?.body,
      });
    },
  );

  test('of the only copy counts as delivered if it is accepted', async () => {
    const { account } = await open();
    add(account, 'tamper-body');
    newDeposit(account);
    await advance(account, hour);
    expect(history(account)).toEqual([['delivered', 'schedule tamper-body 200']]);
  });

  test('is recorded with its exact bytes if the body was changed', async () => {
    const { account, receivers } = await open();
    add(account, 'duplicate,tamper-body');
    newDeposit(account);
    await settle(account);
    const [first, second] = attemptsOf(account);
    expect(first).not.toHaveProperty('body');
    expect(second?.body).toBe(receivers.at(1).body);
    expect(receivers.at(1).signed).toBe(receivers.at(0).body);
  });

  test('with the retired secret uses the previous one', async () => {
    const { world, account, receivers } = await open({ receivers: answering(401) });
    world.accounts.configure(account, { webhookSecret: 'a new secret' });
    world.accounts.configure(account, { webhookSecret: 'a new secret', rateLimit: false });
    add(account, 'retired-secret', { times: 1 });
    newDeposit(account);
    await settle(account);
    expect(receivers.at(0).secret).toBe('a secret');
  });

  test('without a retired secret is skipped, which is recorded', async () => {
    const { world, account, receivers } = await open({ webhookUrl: null });
    const fresh = world.accounts.create({
      id: 'fresh',
      seed: account.origin.seed,
      now: '2026-04-01T08:00:00Z',
      webhookUrl: url,
    });
    expect(fresh.account.record).not.toHaveProperty('retired_secret');
    add(fresh.account, 'duplicate,retired-secret');
    newDeposit(fresh.account);
    await settle(fresh.account);
    expect(receivers.sent).toMatchObject([{ secret: fresh.account.record.webhook_secret }, {}]);
    expect(attemptsOf(fresh.account)).toMatchObject([
      { undone: [{ effect: 'retired-secret', reason: expect.stringContaining('never been changed') }] },
      { by: 'fault', done: ['duplicate'] },
    ]);
  });
});

describe('stale', () => {
  const keeping = () => new ScriptedReceivers(({ body }) => ({ headers: { 'X-Of': JSON.parse(body).id } }));

  test('sends an older message again, which is recorded', async () => {
    const { account, receivers } = await open({ receivers: keeping() });
    newDeposit(account);
    await settle(account);
    add(account, 'stale');
    authorizeDeposit(account, 1);
    await settle(account);
    expect(reported(receivers)).toEqual(['created 1', 'authorized 1', 'created 1']);
    const [created] = account.deliveries.rows;
    expect(receivers.at(2)).toMatchObject({
      body: created?.body,
      event: 'deposit.created',
      headers: { 'X-Of': created?.id },
    });
    expect(history(account)).toEqual([
      ['delivered', 'schedule 200', 'fault stale 200'],
      ['delivered', 'schedule 200'],
    ]);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(3);
  });

  test('keeps the older message delivered even if the current one fails', async () => {
    const { account, receivers } = await open({ receivers: answering(200, 500, 200) });
    newDeposit(account);
    await settle(account);
    add(account, 'stale', { times: 1 });
    newDeposit(account);
    await advance(account, 48 * hour);
    expect(reported(receivers)).toEqual(['created 1', 'created 2', 'created 1', 'created 2']);
    expect(attemptsOf(account).map(({ next_at }) => next_at)).toEqual([null, '2026-04-01T08:00:05.000Z', null, null]);
  });

  test('picks one of those that were delivered unchanged', async () => {
    const statuses = [500, 200, 200];
    const { account, receivers } = await open({
      receivers: new ScriptedReceivers((_, index) => ({ status: statuses[index] ?? 200 })),
    });
    newDeposit(account);
    await settle(account);
    newDeposit(account);
    await settle(account);
    add(account, 'tamper-body', { times: 1 });
    newDeposit(account);
    await settle(account);
    add(account, 'stale');
    for (let number = 0; number < 5; number++) {
      newDeposit(account);
      await settle(account);
    }
    const replayed = reported(receivers)
      .slice(3)
      .filter((_, index) => index % 2 === 1);
    expect(replayed).toHaveLength(5);
    expect(replayed).not.toContain('created 1');
    expect(replayed).not.toContain('created 3');
  });

  test('is skipped at first, with a reason', async () => {
    const { account, receivers } = await open();
    add(account, 'stale');
    newDeposit(account);
    await settle(account);
    expect(receivers.sent).toHaveLength(1);
    expect(attemptsOf(account)).toMatchObject([{ undone: [{ effect: 'stale' }] }]);
  });
});

describe('planned faults are kept', () => {
  test('after a crash between the commit and the sending', async () => {
    const { account, store } = await open();
    add(account, 'duplicate,reorder,tamper-body');
    newDeposit(account);
    authorizeDeposit(account, 1);
    await account.whenStored();
    const after = await restart(store);
    await settle(after.account);
    expect(reported(after.receivers)).toEqual(['authorized 1', 'authorized 1', 'created 1', 'created 1']);
    expect(history(after.account)).toEqual([
      ['delivered', 'schedule reorder 200', 'fault duplicate tamper-body 200'],
      ['delivered', 'schedule 200', 'fault duplicate tamper-body 200'],
    ]);
  });

  test('after a crash between two copies: both are sent again, with the same forgery', async () => {
    const { account, store, receivers } = await open({
      receivers: new ScriptedReceivers((_, index) => (index === 0 ? {} : undefined)),
    });
    add(account, 'duplicate,tamper-body');
    newDeposit(account);
    await settle(account);
    expect(receivers.sent).toHaveLength(2);
    const after = await restart(store);
    await settle(after.account);
    expect(after.receivers.sent.map(({ body }) => body)).toEqual(receivers.sent.map(({ body }) => body));
  });

  test('after restoring a snapshot, with the faults saved in it', async () => {
    const { world, account, receivers } = await open();
    world.accounts.configure(account, { webhookSecret: 'second' });
    const rule = add(account, 'reorder', { times: 2 });
    newDeposit(account);
    await saveSnapshot(account, 'held');
    authorizeDeposit(account, 1);
    clearFaults(account);
    world.accounts.configure(account, { webhookSecret: 'third' });
    await settle(account);
    const restored = await restoreSnapshot(world.accounts, account, 'held');
    expect(restored.faults.rows).toEqual([{ ...rule, seen: 1, hits: 1 }]);
    expect(restored.record).toMatchObject({ webhook_secret: 'third', retired_secret: 'second' });
    expect(nextDue(restored)).toBe(2);
    authorizeDeposit(restored, 1);
    await settle(restored);
    expect(reported(receivers)).toEqual(['authorized 1', 'created 1', 'authorized 1', 'created 1']);
  });
});

describe('the same seed, clock and events', () => {
  async function play(steps: readonly number[]) {
    const { world, account, receivers } = await open({ receivers: verifying() });
    world.accounts.configure(account, { webhookSecret: 'a second secret' });
    world.accounts.configure(account, { webhookSecret: 'a secret' });
    add(account, 'duplicate=4,tamper-body,wrong-secret,no-signature', { match: { probability: 0.5 } });
    add(account, 'delay=90s,retired-secret', { match: { every: 2 } });
    add(account, 'burst=1m', { match: { every: 3 } });
    add(account, 'reorder=30s,stale');
    for (const id of [1, 2, 3]) newDeposit(account, `BK-${id}`);
    for (const id of [1, 2, 3]) authorizeDeposit(account, id);
    for (const by of steps) await advance(account, by);
    captureDeposit(account, 2, { amount: 40 });
    await advance(account, 8 * 24 * hour);
    return {
      sent: receivers.sent.map(({ body, secret, signed }) => ({ body, secret, signed })),
      rows: [account.deliveries.rows, account.attempts.rows, account.faults.rows],
    };
  }

  test('give the same messages, copies and forgeries, byte for byte', async () => {
    const once = await play([60_000]);
    expect(await play([60_000])).toEqual(once);
    // An empty history would prove nothing.
    expect(once.sent.length).toBeGreaterThan(20);
    expect(new Set(once.rows[1]?.flatMap((row) => ('done' in row ? row.done : []))).size).toBe(9);
  });

  test('give the same history for one long advance as for many short ones', async () => {
    expect(await play(Array.from({ length: 60 }, () => 1_000))).toEqual(await play([60_000]));
  });
});
