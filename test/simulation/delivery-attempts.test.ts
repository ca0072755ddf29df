import { describe, expect, test } from 'vitest';
import { readFault } from '../../src/faults/rule.js';
import { deliveryStatus, resendDelivery } from '../../src/simulation/delivery/deliveries.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit } from '../../src/simulation/operations/deposits.js';
import { ScriptedReceivers } from './scripted-receivers.js';
import {
  advance,
  answering,
  attemptsOf,
  deliveryOf,
  hour,
  newDeposit,
  nextDue,
  open,
  settle,
  silent,
  start,
  statusOf,
  url,
} from './webhooks.js';

/** Failed webhook messages: scheduled retries, manual resends and faults. */

describe('a delivery that fails', () => {
  test('is retried as often as the schedule says, and no more', async () => {
    const { account, receivers } = await open({ receivers: answering(500) });
    newDeposit(account);
    const { steps } = await advance(account, 48 * hour);
    const attempts = steps.flatMap((step) => (step.kind === 'attempt' ? [step] : []));
    expect(attempts.map(({ at }) => (Date.parse(at) - start) / 1_000)).toEqual([
      0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305,
    ]);
    expect(attempts.at(-1)).toMatchObject({ number: 8, next_attempt_at: null });
    expect(statusOf(account)).toBe('failed');
    expect(new Set(receivers.sent.map(({ body }) => body)).size).toBe(1);
  });

  test.each([[null], [302], [404], [500]])('with %s is retrying until it succeeds', async (status) => {
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

  test('with 410 is abandoned', async () => {
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
  ])('is retried at the time of Retry-After: %s', async (_what, retryAfter, seconds) => {
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

  test('is not lost if the clock is advanced while its attempt is being stored', async () => {
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

describe('resending a delivery', () => {
  test('a delivered one is delivered once more, without further retries', async () => {
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

  test('a delivered one stays delivered if the resend fails', async () => {
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
  ])('a failed one is tried once: %i', async (status, expected) => {
    const { account, receivers } = await open({ receivers: answering(410, status) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
    expect(statusOf(account)).toBe(expected);
  });

  test('a retrying one keeps its schedule if the resend fails', async () => {
    const { account } = await open({ receivers: answering(500) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    await resendDelivery(account, deliveryOf(account).id);
    expect([statusOf(account), nextDue(account)]).toEqual(['retrying', 5]);
    await advance(account, 48 * hour);
    // Manual attempts do not count: there are eight others.
    expect(attemptsOf(account).map(({ by, at }) => [by, (Date.parse(at) - start) / 1_000])).toEqual([
      ['schedule', 0],
      ['hand', 0],
      ['hand', 0],
      ...[5, 305, 2_105, 9_305, 27_305, 63_305, 99_305].map((at) => ['schedule', at]),
    ]);
  });

  test('a retrying one is not retried after a successful resend', async () => {
    const { account, receivers } = await open({ receivers: answering(500, 200) });
    newDeposit(account);
    await settle(account);
    await resendDelivery(account, deliveryOf(account).id);
    expect([statusOf(account), nextDue(account)]).toEqual(['delivered', undefined]);
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('a waiting one is not sent again after a successful resend', async () => {
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

  test('a waiting one still gets its first attempt if the resend fails', async () => {
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

  test('one in progress is not retried if a resend succeeds first', async () => {
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

  test('an unsent one is sent, if a URL is set by now', async () => {
    const { world, account, receivers } = await open({ webhookUrl: null, receivers: answering(500, 200) });
    newDeposit(account);
    const { id } = deliveryOf(account);
    await resendDelivery(account, id);
    expect(attemptsOf(account)).toMatchObject([{ error: 'no webhook URL is set', next_at: null }]);
    world.accounts.configure(account, { webhookUrl: url });
    await resendDelivery(account, id);
    expect(statusOf(account)).toBe('failed');
    await resendDelivery(account, id);
    expect(statusOf(account)).toBe('delivered');
    await advance(account, 48 * hour);
    expect(receivers.sent).toHaveLength(2);
  });

  test('an unknown one is refused', async () => {
    const { account, receivers } = await open();
    await expect(resendDelivery(account, 'evt_unknown')).rejects.toMatchObject({ code: 'delivery-unknown' });
    expect(receivers.sent).toEqual([]);
  });

  test('an unstored one is refused', async () => {
    const { account, store } = await open();
    newDeposit(account);
    await settle(account);
    store.refuses = true;
    await expect(resendDelivery(account, deliveryOf(account).id)).rejects.toMatchObject({ code: 'not-stored' });
    expect(attemptsOf(account)).toHaveLength(1);
  });
});

describe('a fault that fails receivers', () => {
  const failing = (short: string, times: number | null = null) => readFault({ effect: short, ...(times && { times }) });

  test('fails the exact number of attempts, even of 16 concurrent ones', async () => {
    const { account, receivers } = await open();
    const fault = addFault(account, failing('receiver-fails', 5));
    for (let number = 0; number < 16; number++) newDeposit(account, `BK-${number}`);
    await settle(account);
    expect(attemptsOf(account).map(({ status }) => status)).toEqual(
      Array.from({ length: 16 }, (_, index) => (index < 5 ? 503 : 200)),
    );
    expect(receivers.sent).toHaveLength(11);
    expect(account.faults.rows).toEqual([{ ...fault, seen: 5, hits: 5 }]);
  });

  test('is followed by the next fault once it is used up', async () => {
    const { account, receivers } = await open();
    addFault(account, failing('receiver-fails', 1));
    addFault(account, failing('receiver-fails=410', 1));
    newDeposit(account);
    await advance(account, 48 * hour);
    expect(attemptsOf(account).map(({ status, answer, done }) => [status, answer, done])).toEqual([
      [503, 'answered by a fault of the simulator', ['receiver-fails']],
      [410, 'answered by a fault of the simulator', ['receiver-fails']],
    ]);
    expect(receivers.sent).toEqual([]);
  });

  test('applies to the matching events', async () => {
    const { account, receivers } = await open();
    addFault(account, readFault({ effect: 'receiver-fails=500', match: { event: 'deposit.auth*' } }));
    newDeposit(account);
    authorizeDeposit(account, 1);
    await settle(account);
    expect(receivers.events).toEqual(['deposit.created']);
    expect(attemptsOf(account).map(({ status }) => status)).toEqual([200, 500]);
  });

  test('does not count an attempt that could not be stored', async () => {
    const { account, store } = await open();
    const fault = addFault(account, failing('receiver-fails'));
    newDeposit(account);
    await account.whenStored();
    store.refuses = true;
    await settle(account);
    expect(account.faults.rows).toEqual([fault]);
  });
});
