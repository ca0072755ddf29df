import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { AdvanceReport, Step } from '../../src/domain/advance-report.js';
import { maxClockTimeMs } from '../../src/domain/dates.js';
import { readFault } from '../../src/faults/rule.js';
import type { Choices } from '../../src/index.js';
import type { Account } from '../../src/simulation/account.js';
import { addFault } from '../../src/simulation/faults/faults.js';
import { authorizeDeposit, captureDeposit, createDeposit } from '../../src/simulation/operations/deposits.js';
import { startScenario } from '../../src/simulation/scenarios/scenarios.js';
import type { SendWebhook, Store, WebhookOutcome } from '../../src/simulation/state/ports.js';
import type { World } from '../../src/simulation/world.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { createFakeMachine, type FakeMachine, untilSettled } from '../support/fake-machine.js';
import { ScriptedStore } from './scripted-store.js';
import { advanceBy, attemptSeconds, receiverTimeoutMs } from './webhooks.js';
import { emptyWorld, newDeposit, openAccount, startTime } from './world.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
// Many tests advance by 8 days, because an authorization expires after 7.
const dayMs = 24 * hourMs;

/** An authorization that expires soon. On a running clock, the schedule sets a timer for each minute until then. */
const shortHoldMs = 10 * minuteMs;
const shortHold = { 'deposit.window': { for: '10m' } };

/** Result of sending a webhook. */
function outcomeWith(status: number): WebhookOutcome {
  return { headers: {}, status, error: null, milliseconds: 1, responseBody: '', retryAfter: null, date: null };
}

const accept: SendWebhook = async () => outcomeWith(200);

interface TestWorld {
  readonly world: World;
  readonly account: Account;
  readonly machine: FakeMachine;
  /** Errors that the schedule has reported. */
  readonly failures: unknown[];
}

interface Options {
  /** Accepts every message by default. */
  readonly sendWebhook?: SendWebhook;
  readonly store?: Store;
  readonly machine?: FakeMachine;
  readonly choices?: Choices;
}

/** Opens an account with a webhook receiver, and starts its schedule. The clock is frozen. */
async function openRunningAccount({
  sendWebhook = accept,
  store = new ScriptedStore(),
  machine = createFakeMachine(startTime),
  choices = {},
}: Options = {}): Promise<TestWorld> {
  const failures: unknown[] = [];
  const world = await emptyWorld(store, { clock: machine, sendWebhook, onFailure: (error) => failures.push(error) });
  const account = openAccount(world, 'one', choices);
  world.accounts.configure(account, { webhookUrl: 'http://receiver.example/' });
  world.accounts.start();
  return { world, account, machine, failures };
}

/** Creates a deposit. @returns its id */
function addDeposit(account: Account, amount = 100): number {
  return Number(createDeposit(account, { ...newDeposit, amount }).id);
}

/** Creates a deposit and authorizes it. @returns its id */
function addAuthorizedDeposit(account: Account, amount = 100): number {
  const id = addDeposit(account, amount);
  authorizeDeposit(account, id);
  return id;
}

/** Describes the steps of a report, each in one line. */
function describeSteps(report: AdvanceReport): string[] {
  return report.steps.map(describeStep);
}

/** Describes a step with its time, from the month to the second, and its result. */
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
    const statuses = [200, 200, 500, 200];
    const { account } = await openRunningAccount({ sendWebhook: async () => outcomeWith(statuses.shift() ?? 200) });
    addAuthorizedDeposit(account);
    const report = await advanceBy(account, 8 * dayMs);
    expect(describeSteps(report)).toEqual([
      '04-01T08:00:00 deposit.created #1 200, next undefined',
      '04-01T08:00:00 deposit.authorized #1 200, next undefined',
      '04-08T08:00:00 deposit 1 authorized → expired',
      '04-08T08:00:00 deposit.expired',
      '04-08T08:00:00 deposit.expired #1 500, next 04-08T08:00:05',
      '04-08T08:00:05 deposit.expired #2 200, next undefined',
    ]);
    expect(report).toMatchObject({ from: startTime, to: '2026-04-09T08:00:00.000Z', in_progress: [] });
    expect(account.now()).toBe(Date.parse('2026-04-09T08:00:00.000Z'));
  });

  test('runs items that are due at the same time in the same order if the account is loaded again in between', async () => {
    const expireDeposits = async (isLoadedAgain: boolean): Promise<unknown> => {
      const { account, world } = await openRunningAccount();
      const ids = [addDeposit(account), addDeposit(account), addDeposit(account)];
      for (const id of ids.reverse()) authorizeDeposit(account, id);
      await advanceBy(account, dayMs);
      const current = isLoadedAgain ? world.accounts.replace(account, account.contents()) : account;
      const upcoming = current.schedule.upcoming();
      const { steps } = await advanceBy(current, 8 * dayMs);
      return { upcoming, steps };
    };
    const expected = await expireDeposits(false);
    expect(expected).toMatchObject({ upcoming: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(await expireDeposits(true)).toEqual(expected);
  });

  test('sends messages that are due at the same time in the same order if the account is loaded again in between', async () => {
    const sendMessages = async (isLoadedAgain: boolean): Promise<unknown> => {
      let attemptCount = 0;
      const sendWebhook = async () => {
        attemptCount += 1;
        return outcomeWith(attemptCount <= 2 ? 500 : 200);
      };
      const { account, world } = await openRunningAccount({ sendWebhook });
      addDeposit(account);
      await advanceBy(account, 5 * secondMs);
      // Due in 5 minutes, as is the second retry of the first message, which was planned earlier.
      addFault(account, readFault({ effect: 'delay=5m' }));
      addDeposit(account);
      const current = isLoadedAgain ? world.accounts.replace(account, account.contents()) : account;
      const upcoming = current.schedule.upcoming();
      const { steps } = await advanceBy(current, hourMs);
      return { upcoming, steps, deliveries: current.deliveries.rows.map(({ id }) => id) };
    };
    const expected = await sendMessages(false);
    const { upcoming, deliveries } = Object(expected);
    expect(upcoming.map(({ id }: { id: string }) => id)).toEqual(deliveries);
    expect(await sendMessages(true)).toEqual(expected);
  });

  test('runs items of several kinds that are due at the same time in a fixed order, before their consequences', async () => {
    const { account } = await openRunningAccount();
    const steps = [{ do: 'decline', after: 7 * dayMs, with: {} }] as const;
    account.transaction((tx) =>
      tx.put({ scenarios: [{ name: 'late-decline', description: '', for: 'deposit', steps }] }),
    );
    // The scenario's step is planned first.
    startScenario(account, 'late-decline', addDeposit(account));
    addAuthorizedDeposit(account);
    const report = await advanceBy(account, 7 * dayMs);
    expect(describeSteps(report).slice(-7)).toEqual([
      '04-08T08:00:00 deposit 2 authorized → expired',
      '04-08T08:00:00 deposit.expired',
      '04-08T08:00:00 deposit 1 pending → failed',
      '04-08T08:00:00 deposit.failed',
      '04-08T08:00:00 scenario',
      '04-08T08:00:00 deposit.expired #1 200, next undefined',
      '04-08T08:00:00 deposit.failed #1 200, next undefined',
    ]);
  });

  test('makes all scheduled retries of a webhook, and then gives up', async () => {
    const { account } = await openRunningAccount({ sendWebhook: async () => outcomeWith(503) });
    addDeposit(account);
    await advanceBy(account, 8 * dayMs);
    expect(account.attempts.rows.map(({ at }) => (Date.parse(at) - Date.parse(startTime)) / secondMs)).toEqual(
      attemptSeconds,
    );
    expect(account.attempts.rows.at(-1)?.next_attempt_at).toBeNull();
  });

  test('has the same results as many shorter advances to the same time', async () => {
    const resultOfAdvances = async (durations: readonly number[]): Promise<unknown> => {
      let attemptCount = 0;
      const sendWebhook = async () => {
        attemptCount += 1;
        // Every third attempt succeeds.
        return outcomeWith(attemptCount % 3 === 0 ? 200 : 500);
      };
      const { account } = await openRunningAccount({ sendWebhook });
      for (const amount of [10, 20, 30]) addAuthorizedDeposit(account, amount);
      const steps: Step[] = [];
      for (const duration of durations) steps.push(...(await advanceBy(account, duration)).steps);
      return { steps, rows: account.snapshotRows(), now: account.now() };
    };
    const totalMs = 9 * dayMs;
    const expected = await resultOfAdvances([totalMs]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: totalMs }), { maxLength: 12 }), async (cuts) => {
        const ends = [...cuts, totalMs].sort((a, b) => a - b);
        expect(await resultOfAdvances(ends.map((end, index) => end - (ends[index - 1] ?? 0)))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test('processes a request that a receiver makes before it responds, at the time of the event', async () => {
    const messageTimes: number[] = [];
    const sendWebhook: SendWebhook = async ({ event, body }) => {
      messageTimes.push(account.now());
      if (event === 'deposit.authorized') captureDeposit(account, JSON.parse(body).data.id, { amount: 40 });
      return outcomeWith(200);
    };
    const { account } = await openRunningAccount({ sendWebhook });
    addAuthorizedDeposit(account);
    const report = await advanceBy(account, 8 * dayMs);
    // Created, authorized, partially captured; expired after a week.
    const expiredAt = Date.parse(startTime) + 7 * dayMs;
    expect(messageTimes).toEqual([...Array(3).fill(Date.parse(startTime)), expiredAt]);
    expect(describeSteps(report)).toContain('04-01T08:00:00 deposit 1 authorized → partially_captured');
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired', captured_amount: 40 });
  });

  test('waits for receivers until its timeout, and lists the deliveries that are still in progress', async () => {
    const pendingResponses: ((outcome: WebhookOutcome) => void)[] = [];
    const { account, machine } = await openRunningAccount({
      sendWebhook: () => new Promise((resolve) => pendingResponses.push(resolve)),
    });
    addAuthorizedDeposit(account);
    let report: AdvanceReport | undefined;
    const advanced = advanceBy(account, 8 * dayMs).then((result) => {
      report = result;
    });
    await machine.advance(receiverTimeoutMs - 1);
    expect(report).toBeUndefined();
    await machine.advance(1);
    await advanced;
    expect(report?.in_progress).toEqual(account.deliveries.rows.map(({ id }) => id));
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
    // The three messages of a deposit are sent one after the other.
    for (let count = 0; count < 3; count++) {
      for (const respond of pendingResponses.splice(0)) respond(outcomeWith(200));
      await untilSettled();
    }
    expect(account.attempts.rows.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('waits for an advance that is in progress', async () => {
    const { account } = await openRunningAccount();
    addAuthorizedDeposit(account);
    const reports = await Promise.all([advanceBy(account, 4 * dayMs), advanceBy(account, 4 * dayMs)]);
    expect(reports.map(({ from, to }) => [from.slice(8, 10), to.slice(8, 10)])).toEqual([
      ['01', '05'],
      ['05', '09'],
    ]);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test.each([
    ['into the past', Date.parse(startTime) - 1, 'clock-backwards', 'restore a snapshot to go back'],
    ['beyond the year 8999', Date.parse('9000-01-01T00:00:00Z'), 'clock-too-far', 'the latest possible time is 8999'],
  ])('%s is refused and changes nothing', async (_name, to, code, hint) => {
    const { account } = await openRunningAccount();
    const contentsBefore = account.contents();
    await expect(account.schedule.advance({ to, timeoutMs: receiverTimeoutMs })).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
    expect(account.contents()).toEqual(contentsBefore);
  });

  test('that cannot be stored leaves the clock and all records unchanged, and can be repeated', async () => {
    const store = new ScriptedStore();
    const { account, world } = await openRunningAccount({ store });
    addAuthorizedDeposit(account);
    await world.commits.whenStored();
    await advanceBy(account, 0);
    const contentsBefore = account.contents();
    store.rejectsCommits = true;
    await expect(advanceBy(account, 8 * dayMs)).rejects.toMatchObject({
      code: 'not-stored',
    });
    expect(account.contents()).toEqual(contentsBefore);
    expect(account.now()).toBe(Date.parse(startTime));
    store.rejectsCommits = false;
    const report = await advanceBy(account, 8 * dayMs);
    expect(describeSteps(report)).toContain('04-08T08:00:00 deposit 1 authorized → expired');
  });

  test('that a crash interrupts can be repeated after the next start, with the same result', async () => {
    const store = new ScriptedStore();
    const { commits } = store;
    const { account } = await openRunningAccount({ store });
    for (const amount of [10, 20, 30]) addAuthorizedDeposit(account, amount);
    await advanceBy(account, 0);
    const countBeforeAdvance = commits.length;
    await advanceBy(account, 8 * dayMs);
    for (let storedCount = countBeforeAdvance; storedCount <= commits.length; storedCount++) {
      const storeAfterCrash = new ScriptedStore();
      storeAfterCrash.commits.push(...commits.slice(0, storedCount));
      const world = await emptyWorld(storeAfterCrash, { clock: createFakeMachine(startTime), sendWebhook: accept });
      world.accounts.start();
      const reopened = world.accounts.get('one');
      await reopened?.schedule.advance({ to: Date.parse('2026-04-09T08:00:00Z'), timeoutMs: receiverTimeoutMs });
      const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
      expect(reopened?.deposits.rows).toEqual(account.deposits.rows);
      expect([...(reopened?.deliveries.rows ?? [])].sort(byId)).toEqual([...account.deliveries.rows].sort(byId));
    }
  });
});

describe('a clock', () => {
  test('that runs lets items run when they are due', async () => {
    const { account, machine } = await openRunningAccount({ choices: shortHold });
    await account.schedule.setMode('real');
    addAuthorizedDeposit(account);
    await machine.advance(shortHoldMs - 1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    await machine.advance(1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
    await untilSettled();
    expect(account.attempts.rows.map(({ at }) => at)).toEqual([startTime, startTime, '2026-04-01T08:10:00.000Z']);
  });

  test('that runs lets items run on time even if the timers of the machine fire early', async () => {
    const machineOnTime = createFakeMachine(startTime);
    const machineWithEarlyTimers: FakeMachine = {
      ...machineOnTime,
      setTimer: (milliseconds, callback) => machineOnTime.setTimer(Math.ceil(milliseconds / 2), callback),
    };
    const { account, machine } = await openRunningAccount({ machine: machineWithEarlyTimers, choices: shortHold });
    await account.schedule.setMode('real');
    addAuthorizedDeposit(account);
    await machine.advance(shortHoldMs - 1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    await machine.advance(1);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test.each([
    ['set forward, as after a sleep of the machine', [8 * dayMs]],
    ['set forward and back', [8 * dayMs, -6 * dayMs, 7 * dayMs]],
    ['set back and forward', [-20 * dayMs, 28 * dayMs]],
  ])('that runs lets overdue items run within a minute after the machine clock was %s', async (_how, steps) => {
    const { account, machine } = await openRunningAccount();
    await account.schedule.setMode('real');
    addAuthorizedDeposit(account);
    await machine.advance(1);
    for (const step of steps) {
      expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
      machine.shift(step);
    }
    await machine.advance(minuteMs);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test('that is frozen lets no item run, however much real time passes', async () => {
    const { account, machine } = await openRunningAccount();
    addAuthorizedDeposit(account);
    await machine.advance(100 * dayMs);
    expect(account.deposits.get(1)).toMatchObject({ status: 'authorized' });
    expect(account.now()).toBe(Date.parse(startTime));
  });

  test('that is resumed lets items run that were planned while it was frozen', async () => {
    const { account, machine } = await openRunningAccount();
    addAuthorizedDeposit(account);
    // Fires the timer that was set for the messages, so that none is left.
    await machine.advance(1);
    expect(machine.timerCount).toBe(0);
    await account.schedule.setMode('real');
    await machine.advance(7 * dayMs);
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test('that is frozen and resumed continues from the time at which it was frozen', async () => {
    const { account, machine } = await openRunningAccount();
    await account.schedule.setMode('real');
    await machine.advance(2 * hourMs);
    await account.schedule.setMode('frozen');
    await machine.advance(5 * hourMs);
    expect(account.now()).toBe(Date.parse(startTime) + 2 * hourMs);
    await account.schedule.setMode('real');
    await machine.advance(hourMs);
    expect(account.now()).toBe(Date.parse(startTime) + 3 * hourMs);
  });

  test('that runs continues from the target of an advance', async () => {
    const { account, machine } = await openRunningAccount();
    await account.schedule.setMode('real');
    await advanceBy(account, 3 * dayMs);
    await machine.advance(hourMs);
    expect(account.now()).toBe(Date.parse(startTime) + 3 * dayMs + hourMs);
  });

  test('sets only one timer, for the next item', async () => {
    // Each message is retried long before the hold of its deposit ends, for which the timer was set first.
    const { account, machine } = await openRunningAccount({ sendWebhook: async () => outcomeWith(500) });
    await account.schedule.setMode('real');
    for (let number = 0; number < 50; number++) addAuthorizedDeposit(account);
    await untilSettled();
    await machine.advance(1);
    expect(machine.timerCount).toBe(1);
  });

  test('of a removed account sets no timer', async () => {
    const { account, machine, world } = await openRunningAccount();
    await account.schedule.setMode('real');
    addAuthorizedDeposit(account);
    world.accounts.remove(account);
    expect(machine.timerCount).toBe(0);
  });
});

test('a mode of the clock that cannot be stored is refused', async () => {
  const store = new ScriptedStore();
  const { account } = await openRunningAccount({ store });
  store.rejectsCommits = true;
  await expect(account.schedule.setMode('real')).rejects.toThrow('not-stored');
});

test('a running clock stops at the end of time, so that the account can still be stored', async () => {
  const store = new ScriptedStore();
  const { account, machine, world } = await openRunningAccount({ store });
  account.schedule.freezeAt(maxClockTimeMs);
  await account.schedule.setMode('real');
  await machine.advance(secondMs);
  expect(account.now()).toBe(maxClockTimeMs);
  await account.schedule.setMode('frozen');
  expect(account.record.clock).toEqual({ mode: 'frozen', at: '8999-12-31T23:59:59.999Z' });
  world.accounts.stop();
});

test('an item that fails on a running clock is reported, and the items after it run', async () => {
  const { account, machine, failures } = await openRunningAccount({ choices: shortHold });
  await account.schedule.setMode('real');
  for (let number = 0; number < 2; number++) addAuthorizedDeposit(account);
  vi.spyOn(account.ports.presentation, 'deposit').mockImplementationOnce(() => {
    throw new Error('a bug');
  });
  await machine.advance(shortHoldMs);
  expect(failures).toEqual([new Error('a bug')]);
  expect(account.deposits.rows.map(({ status }) => status)).toEqual(['authorized', 'expired']);
});

describe('items whose changes could not be stored', () => {
  interface FullDisk extends TestWorld {
    /** Real times of the commits that were rejected. */
    readonly rejectedAt: number[];
    setFull(isFull: boolean): void;
  }

  /** Opens an account with a running clock, whose store can be full. */
  async function openAccountOnFullDisk(options: Options = {}): Promise<FullDisk> {
    const rejectedAt: number[] = [];
    let full = false;
    const store: Store = {
      ...createMemoryStore(),
      append() {
        if (!full) return Promise.resolve();
        rejectedAt.push(opened.machine.now());
        return Promise.reject(new Error('full'));
      },
    };
    const opened = await openRunningAccount({ choices: shortHold, ...options, store });
    await opened.account.schedule.setMode('real');
    return {
      ...opened,
      rejectedAt,
      setFull: (isFull) => {
        full = isFull;
      },
    };
  }

  /** Lets this time pass while the store is full. @returns the seconds between the attempts to store the due items */
  async function secondsBetweenAttempts({ machine, rejectedAt, setFull }: FullDisk, milliseconds: number) {
    rejectedAt.length = 0;
    setFull(true);
    await machine.advance(milliseconds);
    setFull(false);
    const times = [...new Set(rejectedAt)];
    return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / secondMs);
  }

  test('run again after pauses that grow from one second to half a minute, until they are stored', async () => {
    const disk = await openAccountOnFullDisk();
    addAuthorizedDeposit(disk.account);
    await disk.machine.advance(shortHoldMs - 1);
    expect(await secondsBetweenAttempts(disk, 2 * minuteMs)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await disk.machine.advance(30 * secondMs);
    expect(disk.account.deposits.get(1)).toMatchObject({ status: 'expired' });
  });

  test('run again after a second if the store has worked since the last failure', async () => {
    const disk = await openAccountOnFullDisk();
    for (let number = 0; number < 2; number++) {
      addAuthorizedDeposit(disk.account);
      await disk.machine.advance(minuteMs);
    }
    await disk.machine.advance(shortHoldMs - 2 * minuteMs - 1);
    expect(await secondsBetweenAttempts(disk, 10 * secondMs)).toEqual([1, 2, 4]);
    await disk.machine.advance(50 * secondMs - 1);
    expect(await secondsBetweenAttempts(disk, 10 * secondMs)).toEqual([1, 2, 4]);
  });

  test('do not run again before the pause is over when another item is due', async () => {
    const { account, machine, rejectedAt, setFull } = await openAccountOnFullDisk();
    addAuthorizedDeposit(account);
    await machine.advance(400);
    addAuthorizedDeposit(account);
    await machine.advance(minuteMs);
    setFull(true);
    await machine.advance(9 * minuteMs + 500);
    const expiresAt = Date.parse(startTime) + shortHoldMs;
    expect(new Set(rejectedAt)).toEqual(new Set([expiresAt]));
    setFull(false);
    await machine.advance(2 * secondMs);
    expect(account.deposits.rows.map(({ status }) => status)).toEqual(['expired', 'expired']);
  });

  test('leave no timer if the account is removed during the pause', async () => {
    const { world, account, machine, setFull } = await openAccountOnFullDisk();
    addAuthorizedDeposit(account);
    await account.whenStored();
    setFull(true);
    await machine.advance(shortHoldMs);
    setFull(false);
    world.accounts.remove(account);
    expect(machine.timerCount).toBe(0);
  });

  test('are not sent again during a pause by requests that run due items', async () => {
    let sentCount = 0;
    const { account, machine, setFull } = await openAccountOnFullDisk({
      sendWebhook: async () => {
        sentCount += 1;
        return outcomeWith(200);
      },
    });
    addDeposit(account);
    await account.whenStored();
    setFull(true);
    for (let request = 0; request < 9; request++) {
      account.schedule.runDueItems();
      await machine.advance(100);
    }
    expect(sentCount).toBe(1);
    setFull(false);
    await machine.advance(secondMs);
    expect(sentCount).toBe(2);
    expect(account.attempts.size).toBe(1);
  });

  test('of an advance run again in the same order in the next advance', async () => {
    const { account, machine, setFull } = await openAccountOnFullDisk();
    // More items than an advance runs before it waits for the store.
    const ids = Array.from({ length: 300 }, () => addAuthorizedDeposit(account));
    await machine.advance(secondMs);
    setFull(true);
    await expect(advanceBy(account, 8 * dayMs)).rejects.toMatchObject({
      code: 'not-stored',
      hint: expect.stringContaining(
        '; the clock still shows 2026-04-01T08:00:01.000Z, so repeat the advance; the items that are due will run again',
      ),
    });
    setFull(false);
    const { steps } = await advanceBy(account, 8 * dayMs);
    const expired = steps.flatMap((step) => (step.kind === 'transition' ? [step.subject.id] : []));
    expect(expired).toEqual(ids);
  });

  test('of an advance run again without another advance if the clock has moved, as the error says', async () => {
    // The disk is full once the advance and the expiry have been stored.
    let sentExpiries = 0;
    const { account, machine, setFull } = await openAccountOnFullDisk({
      async sendWebhook({ event }) {
        if (event === 'deposit.expired') sentExpiries += 1;
        setFull(sentExpiries === 1);
        return outcomeWith(200);
      },
    });
    addAuthorizedDeposit(account);
    await advanceBy(account, 0);
    await expect(advanceBy(account, 8 * dayMs)).rejects.toMatchObject({
      code: 'not-stored',
      hint: expect.stringContaining(
        '; the clock has moved to 2026-04-09T08:00:00.000Z, so do not repeat the advance; the items that are due will',
      ),
    });
    expect(account.deposits.get(1)).toMatchObject({ status: 'expired' });
    await machine.advance(2 * secondMs);
    expect(sentExpiries).toBe(2);
    expect(account.attempts.size).toBe(account.deliveries.size);
  });

  test('are in the activity log once, when they are stored', async () => {
    const { account, machine, setFull } = await openAccountOnFullDisk();
    addAuthorizedDeposit(account);
    await machine.advance(minuteMs);
    setFull(true);
    await machine.advance(9 * minuteMs + 3 * secondMs);
    const expiries = () =>
      account.activity.entries().filter(({ detail }) => detail.kind === 'due' && detail.item === 'deposit-expires');
    expect(expiries()).toEqual([]);
    setFull(false);
    await machine.advance(4 * secondMs);
    expect(expiries()).toHaveLength(1);
  });
});

test('an action whose changes could not be stored is not in the activity log', async () => {
  const store = new ScriptedStore();
  const { account, world } = await openRunningAccount({ store });
  const authorizations = () =>
    account.activity
      .entries()
      .flatMap(({ detail }) =>
        detail.kind === 'action' && detail.operation === 'authorizeDeposit' ? [detail.by] : [],
      );
  const id = addDeposit(account);
  await world.commits.whenStored();
  const authorize = (): void => {
    const action = { by: 'library', operation: 'authorizeDeposit' } as const;
    account.activity.duringAction(action, account.now(), () => authorizeDeposit(account, id));
  };
  store.rejectsCommits = true;
  authorize();
  await expect(world.commits.whenStored()).rejects.toThrow();
  expect(authorizations()).toEqual([]);
  store.rejectsCommits = false;
  authorize();
  await world.commits.whenStored();
  expect(authorizations()).toEqual(['library']);
});

test('withClockPinned runs the due items first, and then its function at a fixed time', async () => {
  const { account, machine } = await openRunningAccount();
  await account.schedule.setMode('real');
  const id = addAuthorizedDeposit(account);
  const expiresAt = Date.parse(account.deposits.get(id)?.expires_at ?? '');
  // `stall` lets time pass without firing timers, so that only withClockPinned can run the due items.
  machine.stall(expiresAt - account.now() - 1);
  const pinned = account.schedule.withClockPinned(() => {
    machine.stall(1);
    return { now: account.now(), status: account.deposits.get(id)?.status };
  });
  expect(pinned).toEqual({ now: expiresAt - 1, status: 'authorized' });
  expect(account.now()).toBe(expiresAt);
  expect(account.schedule.withClockPinned(() => account.deposits.get(id)?.status)).toBe('expired');
});

test('the upcoming agenda items do not include the expiry of a deposit that has been captured', async () => {
  const { account } = await openRunningAccount();
  addAuthorizedDeposit(account);
  const capturedId = addAuthorizedDeposit(account);
  captureDeposit(account, capturedId, {});
  await advanceBy(account, 0);
  expect(account.schedule.upcoming()).toEqual([
    { at: Date.parse(startTime) + 7 * dayMs, kind: 'deposit-expires', id: 1 },
  ]);
});
