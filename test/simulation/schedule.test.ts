import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Receipt, Step } from '../../src/domain/receipt.js';
import type { Account } from '../../src/simulation/account.js';
import { authorizeDeposit, captureDeposit, createDeposit } from '../../src/simulation/operations/deposits.js';
import type { Commit } from '../../src/simulation/state/changes.js';
import type { SendWebhook, Store, WebhookOutcome } from '../../src/simulation/state/ports.js';
import type { World } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { type FakeMachine, fakeMachine, settled } from '../support/fake-machine.js';
import { emptyWorld, openAccount } from './world.js';

const noon = '2026-04-01T08:00:00.000Z';
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const testTimeoutMs = 30 * second;

function outcome(status: number | null): WebhookOutcome {
  return {
    headers: {},
    status,
    error: status === null ? 'reset' : null,
    milliseconds: 1,
    answer: '',
    retryAfter: null,
  };
}

interface TestWorld {
  readonly world: World;
  readonly account: Account;
  readonly machine: FakeMachine;
}

/** An account with a receiver that answers as `send` says, started. */
async function opened(
  send: SendWebhook,
  store: Store = createMemoryStore(),
  machine: FakeMachine = fakeMachine(noon),
): Promise<TestWorld> {
  const world = await emptyWorld(store, { clock: machine, sendWebhook: send });
  const account = openAccount(world, 'one');
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/' });
  world.accounts.start();
  return { world, account, machine };
}

test('code that runs with the clock pinned sees a fixed time, after the items that are due by then have run', async () => {
  const machine = fakeMachine(noon);
  const { account } = await opened(async () => outcome(200), createMemoryStore(), machine);
  await account.schedule.setMode('real');
  const id = hold(account);
  const ends = Date.parse(account.deposits.get(id)?.expires_at ?? '');
  const pass = (milliseconds: number): void => machine.stall(milliseconds);
  pass(ends - account.now() - 1);
  expect(account.schedule.withClockPinned(() => [pass(1), account.now(), account.deposits.get(id)?.status])).toEqual([
    undefined,
    ends - 1,
    'authorized',
  ]);
  expect(account.now()).toBe(ends);
  expect(account.schedule.withClockPinned(() => account.deposits.get(id)?.status)).toBe('expired');
});

/** Creates a deposit and authorizes it a number of milliseconds after the clock's start. */
function hold(account: Account, amount = 100): number {
  const input = {
    booking_reference: null,
    amount,
    currency: 'EUR',
    customer: null,
    check_in_date: null,
    check_out_date: null,
    metadata: {},
  };
  const deposit = createDeposit(account, input);
  authorizeDeposit(account, deposit.id);
  return Number(deposit.id);
}

function reported(receipt: Receipt): string[] {
  return receipt.steps.map((step) => describeStep(step));
}

function describeStep(step: Step): string {
  const at = step.at.slice(5, 19);
  if (step.kind === 'transition') return `${at} ${step.subject.resource} ${step.subject.id} ${step.from} → ${step.to}`;
  if (step.kind === 'event') return `${at} ${step.event}`;
  if (step.kind === 'attempt')
    return `${at} ${step.event} #${step.number} ${step.status}, next ${step.next_attempt_at?.slice(5, 19)}`;
  return `${at} ${step.kind}`;
}

describe('an advance', () => {
  test('runs each item at its own time, in order, with its consequences', async () => {
    const answers = [200, 200, 500, 200];
    const { account } = await opened(async () => outcome(answers.shift() ?? 200));
    hold(account);
    const receipt = await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    expect(reported(receipt)).toEqual([
      '04-01T08:00:00 deposit.created #1 200, next undefined',
      '04-01T08:00:00 deposit.authorized #1 200, next undefined',
      '04-08T08:00:00 deposit 1 authorized → expired',
      '04-08T08:00:00 deposit.expired',
      '04-08T08:00:00 deposit.expired #1 500, next 04-08T08:00:05',
      '04-08T08:00:05 deposit.expired #2 200, next undefined',
    ]);
    expect(receipt).toMatchObject({ from: noon, to: '2026-04-09T08:00:00.000Z', unsettled: [] });
    expect(account.now()).toBe(Date.parse('2026-04-09T08:00:00.000Z'));
  });

  test('goes through the whole schedule of retries, and gives up after it', async () => {
    const { account } = await opened(async () => outcome(503));
    createDeposit(account, {
      booking_reference: null,
      amount: 1,
      currency: 'EUR',
      customer: null,
      check_in_date: null,
      check_out_date: null,
      metadata: {},
    });
    await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    const start = Date.parse(noon);
    expect(account.attempts.rows.map(({ at }) => (Date.parse(at) - start) / second)).toEqual([
      0, 5, 305, 2_105, 9_305, 27_305, 63_305, 99_305,
    ]);
    expect(account.attempts.rows.at(-1)?.next_at).toBeNull();
  });

  test('has the same history in one long step as in many short ones', async () => {
    const history = async (spans: readonly number[]): Promise<unknown> => {
      let calls = 0;
      const { account } = await opened(async () => {
        calls += 1;
        // Every third attempt succeeds.
        return outcome(calls % 3 === 0 ? 200 : 500);
      });
      for (const amount of [10, 20, 30]) hold(account, amount);
      const steps: Step[] = [];
      for (const by of spans) steps.push(...(await account.schedule.advance({ by, timeoutMs: testTimeoutMs })).steps);
      const { account: _clock, ...rest } = account.snapshotRows();
      return { steps, rest, now: account.now() };
    };
    const span = 9 * day;
    const whole = await history([span]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: span }), { maxLength: 12 }), async (cuts) => {
        const ends = [...cuts, span].sort((a, b) => a - b);
        expect(await history(ends.map((end, index) => end - (ends[index - 1] ?? 0)))).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  test('processes a call that a receiver makes before it responds at the time of the event', async () => {
    const acted: number[] = [];
    const { account } = await opened(async ({ event, body }) => {
      if (event === 'deposit.expired') acted.push(account.now());
      if (event === 'deposit.authorized') {
        acted.push(account.now());
        captureDeposit(account, JSON.parse(body).data.id, { amount: 40 });
      }
      return outcome(200);
    });
    hold(account);
    const receipt = await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    expect(acted).toEqual([Date.parse(noon), Date.parse(noon) + 7 * day]);
    expect(reported(receipt)).toContain('04-01T08:00:00 deposit 1 authorized → partially_captured');
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired', captured_amount: 40 });
  });

  test('waits for receivers until its timeout, lists unfinished deliveries, and they continue', async () => {
    const answers: ((outcome: WebhookOutcome) => void)[] = [];
    const { account, machine } = await opened(() => new Promise((resolve) => answers.push(resolve)));
    hold(account);
    let receipt: Receipt | undefined;
    const advanced = account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs }).then((result) => {
      receipt = result;
    });
    await machine.pass(testTimeoutMs - 1);
    expect(receipt).toBeUndefined();
    await machine.pass(1);
    await advanced;
    expect(receipt?.unsettled).toEqual(account.deliveries.rows.map(({ id }) => id));
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
    for (let turn = 0; turn < 3; turn++) {
      for (const answer of answers.splice(0)) answer(outcome(200));
      await settled();
    }
    expect(account.attempts.rows.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('queues behind one that is in progress', async () => {
    const { account } = await opened(async () => outcome(200));
    hold(account);
    const receipts = await Promise.all([
      account.schedule.advance({ by: 4 * day, timeoutMs: testTimeoutMs }),
      account.schedule.advance({ by: 4 * day, timeoutMs: testTimeoutMs }),
    ]);
    expect(receipts.map(({ from, to }) => [from.slice(8, 10), to.slice(8, 10)])).toEqual([
      ['01', '05'],
      ['05', '09'],
    ]);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test.each([
    ['into the past', Date.parse(noon) - 1, 'clock-backwards', 'restore a snapshot to go back'],
    ['beyond the year 8999', Date.parse('9000-01-01T00:00:00Z'), 'clock-too-far', 'the latest possible time is 8999'],
  ])('%s is refused and changes nothing', async (_name, to, code, hint) => {
    const { account } = await opened(async () => outcome(200));
    const before = account.contents();
    await expect(account.schedule.advance({ to, timeoutMs: testTimeoutMs })).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
    expect(account.contents()).toEqual(before);
  });

  test('that cannot be stored leaves the clock and all records unchanged, and can be repeated', async () => {
    const store = { ...createMemoryStore(), refuses: false };
    const failingStore: Store = {
      ...store,
      append: () => (store.refuses ? Promise.reject(new Error('full')) : Promise.resolve()),
    };
    const { account, world } = await opened(async () => outcome(200), failingStore);
    hold(account);
    await world.commits.whenStored();
    await account.schedule.advance({ by: 0, timeoutMs: testTimeoutMs });
    const before = account.contents();
    store.refuses = true;
    await expect(account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs })).rejects.toMatchObject({
      code: 'not-stored',
    });
    expect(account.contents()).toEqual(before);
    expect(account.now()).toBe(Date.parse(noon));
    store.refuses = false;
    const receipt = await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    expect(reported(receipt)).toContain('04-08T08:00:00 deposit 1 authorized → expired');
  });

  test('that a crash interrupts is finished by the next start', async () => {
    const commits: Commit[] = [];
    const recording: Store = {
      ...createMemoryStore(),
      append: (commit) => {
        commits.push(structuredClone(commit));
        return Promise.resolve();
      },
    };
    const { account } = await opened(async () => outcome(200), recording);
    for (const amount of [10, 20, 30]) hold(account, amount);
    await account.schedule.advance({ by: 0, timeoutMs: testTimeoutMs });
    const atStart = commits.length;
    await account.schedule.advance({ by: 8 * day, timeoutMs: testTimeoutMs });
    for (let storedCommits = atStart; storedCommits <= commits.length; storedCommits++) {
      const world = await emptyWorld(
        {
          ...createMemoryStore(),
          async *load() {
            yield* commits.slice(0, storedCommits);
          },
        },
        { clock: fakeMachine(noon), sendWebhook: async () => outcome(200) },
      );
      world.accounts.start();
      const again = world.accounts.get('one');
      await again?.schedule.advance({ to: Date.parse('2026-04-09T08:00:00Z'), timeoutMs: testTimeoutMs });
      const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
      expect(again?.deposits.rows).toEqual(account.deposits.rows);
      expect([...(again?.deliveries.rows ?? [])].sort(byId)).toEqual([...account.deliveries.rows].sort(byId));
    }
  });
});

describe('a clock', () => {
  test('that runs triggers items when they are due', async () => {
    const { account, machine } = await opened(async () => outcome(200));
    await account.schedule.setMode('real');
    hold(account);
    await machine.pass(7 * day - 1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    await machine.pass(1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
    await settled();
    expect(account.attempts.rows.map(({ at }) => at)).toEqual([noon, noon, '2026-04-08T08:00:00.000Z']);
  });

  test('that runs triggers items even if the machine’s timers fire early', async () => {
    const punctual = fakeMachine(noon);
    const early: FakeMachine = {
      ...punctual,
      setTimer: (milliseconds, callback) => punctual.setTimer(Math.ceil(milliseconds / 2), callback),
    };
    const { account, machine } = await opened(async () => outcome(200), createMemoryStore(), early);
    await account.schedule.setMode('real');
    hold(account);
    await machine.pass(7 * day - 1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    await machine.pass(1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test('that is frozen triggers nothing, however long the machine runs', async () => {
    const { account, machine } = await opened(async () => outcome(200));
    hold(account);
    await machine.pass(100 * day);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    expect(account.now()).toBe(Date.parse(noon));
  });

  test('continues from the time it showed when it is frozen and resumed', async () => {
    const { account, machine } = await opened(async () => outcome(200));
    await account.schedule.setMode('real');
    await machine.pass(2 * hour);
    await account.schedule.setMode('frozen');
    await machine.pass(5 * hour);
    expect(account.now()).toBe(Date.parse(noon) + 2 * hour);
    await account.schedule.setMode('real');
    await machine.pass(hour);
    expect(account.now()).toBe(Date.parse(noon) + 3 * hour);
  });

  test('that runs continues from the end of an advance', async () => {
    const { account, machine } = await opened(async () => outcome(200));
    await account.schedule.setMode('real');
    await account.schedule.advance({ by: 3 * day, timeoutMs: testTimeoutMs });
    await machine.pass(hour);
    expect(account.now()).toBe(Date.parse(noon) + 3 * day + hour);
  });

  test('sets one timer for the next item, not one for each item', async () => {
    const { account, machine } = await opened(async () => outcome(200));
    await account.schedule.setMode('real');
    for (let number = 0; number < 50; number++) hold(account);
    await settled();
    await machine.pass(1);
    expect(machine.timers).toBe(1);
  });

  test('of a removed account sets no timer', async () => {
    const { account, machine, world } = await opened(async () => outcome(200));
    await account.schedule.setMode('real');
    hold(account);
    world.accounts.remove(account);
    expect(machine.timers).toBe(0);
  });
});

test('items that could not be stored on a running clock are retried after a pause, not at once', async () => {
  let refusals = 0;
  let isFull = false;
  const store: Store = {
    ...createMemoryStore(),
    append() {
      if (!isFull) return Promise.resolve();
      refusals += 1;
      return Promise.reject(new Error('full'));
    },
  };
  const { account, machine } = await opened(async () => outcome(200), store);
  await account.schedule.setMode('real');
  hold(account);
  await machine.pass(day);
  isFull = true;
  await machine.pass(6 * day + 10 * second);
  expect(refusals).toBeGreaterThan(1);
  expect(refusals).toBeLessThan(20);
  isFull = false;
  await machine.pass(2 * second);
  expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
});

test('the agenda lists due items in order, without outdated ones', async () => {
  const { account } = await opened(async () => outcome(200));
  await account.schedule.setMode('frozen');
  hold(account);
  const captured = hold(account);
  captureDeposit(account, captured, {});
  await account.schedule.advance({ by: 0, timeoutMs: testTimeoutMs });
  expect(account.schedule.upcoming()).toEqual([{ at: Date.parse(noon) + 7 * day, kind: 'deposit-expires', id: 1 }]);
});
