import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Dispatcher, type Job } from '../../src/simulation/delivery/dispatcher.js';

/** A dispatcher runs jobs concurrently, up to a limit. Jobs of the same queue run one at a time. */

/** Creates a dispatcher whose jobs end when the test calls `end`. */
function createManualDispatcher(limit: number) {
  const startedIds: string[] = [];
  const ends = new Map<string, () => void>();
  let signal: AbortSignal | undefined;
  const dispatcher = new Dispatcher(limit, (id, jobSignal) => {
    startedIds.push(id);
    signal = jobSignal;
    return new Promise((resolve) => ends.set(id, resolve));
  });
  return {
    dispatcher,
    /** Ids of all jobs so far, in the order in which they started. */
    startedIds,
    /** True once the dispatcher has aborted its jobs, which share one signal. */
    isAborted: () => signal?.aborted === true,
    /** Ids of the running jobs. */
    running: () => [...ends.keys()],
    /** Ends a running job. */
    async end(id: string): Promise<void> {
      const resolve = ends.get(id);
      if (!resolve) throw new Error(`${id} is not running`);
      ends.delete(id);
      resolve();
      await nextTurn();
    },
  };
}

function job(id: string, queue?: string): Job {
  return { id, queue };
}

/** Creates jobs with the ids 0, 1, 2 and so on. */
function numberedJobs(count: number, queueOf?: (index: number) => string): Job[] {
  return Array.from({ length: count }, (_, index) => job(`${index}`, queueOf?.(index)));
}

describe('independent jobs', () => {
  test('start immediately up to the limit; then another starts whenever one ends', async () => {
    const { dispatcher, startedIds, end } = createManualDispatcher(3);
    for (const numberedJob of numberedJobs(6)) dispatcher.add(numberedJob);
    expect(startedIds).toEqual(['0', '1', '2']);
    await end('1');
    expect(startedIds).toEqual(['0', '1', '2', '3']);
    await end('0');
    await end('3');
    expect(startedIds).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  test('all run, in the order in which they were added, and never more than the limit run concurrently', async () => {
    const count = 5_000;
    const startedIds: string[] = [];
    let running = 0;
    let peak = 0;
    const dispatcher = new Dispatcher(16, async (id) => {
      startedIds.push(id);
      running += 1;
      peak = Math.max(peak, running);
      // Some jobs take longer than others.
      for (let turns = Number(id) % 3; turns >= 0; turns--) await nextTurn();
      running -= 1;
    });
    const jobs = numberedJobs(count);
    for (const numberedJob of jobs) dispatcher.add(numberedJob);
    await dispatcher.whenIdle();
    expect(startedIds).toEqual(jobs.map(({ id }) => id));
    expect(peak).toBe(16);
    expect(dispatcher.unfinishedIds).toEqual([]);
  });

  test('start in order if they are added while others run', async () => {
    const { dispatcher, startedIds, end } = createManualDispatcher(1);
    dispatcher.add(job('a'));
    dispatcher.add(job('b'));
    await end('a');
    dispatcher.add(job('c'));
    await end('b');
    expect(startedIds).toEqual(['a', 'b', 'c']);
  });
});

describe('jobs of a queue', () => {
  test('run one at a time, in order', async () => {
    const { dispatcher, startedIds, running, end } = createManualDispatcher(16);
    for (const numberedJob of numberedJobs(4, () => 'deposit 1')) dispatcher.add(numberedJob);
    for (const id of ['0', '1', '2', '3']) {
      expect(running()).toEqual([id]);
      await end(id);
    }
    expect(startedIds).toEqual(['0', '1', '2', '3']);
    expect(dispatcher.isIdle).toBe(true);
  });

  test('do not occupy a slot while they wait', async () => {
    const { dispatcher, startedIds, running } = createManualDispatcher(2);
    for (const numberedJob of numberedJobs(50, () => 'deposit 1')) dispatcher.add(numberedJob);
    dispatcher.add(job('another', 'deposit 2'));
    dispatcher.add(job('late', 'deposit 3'));
    expect(startedIds).toEqual(['0', 'another']);
    expect(running()).toHaveLength(2);
  });

  test('do not delay independent jobs', () => {
    const { dispatcher, startedIds } = createManualDispatcher(16);
    dispatcher.add(job('first', 'deposit 1'));
    dispatcher.add(job('second', 'deposit 1'));
    dispatcher.add(job('retry'));
    expect(startedIds).toEqual(['first', 'retry']);
  });

  test('start immediately if the queue is empty again', async () => {
    const { dispatcher, startedIds, end } = createManualDispatcher(16);
    dispatcher.add(job('first', 'deposit 1'));
    await end('first');
    dispatcher.add(job('second', 'deposit 1'));
    dispatcher.add(job('third', 'deposit 1'));
    expect(startedIds).toEqual(['first', 'second']);
  });

  test('run one at a time, in order, even while many queues share the limit', async () => {
    const startedIds: string[] = [];
    const queues = new Set<string>();
    let running = 0;
    let peak = 0;
    const queueOf = (id: string): string => `deposit ${Number(id) % 40}`;
    const dispatcher = new Dispatcher(16, async (id) => {
      const queue = queueOf(id);
      expect(queues.has(queue)).toBe(false);
      queues.add(queue);
      startedIds.push(id);
      running += 1;
      peak = Math.max(peak, running);
      for (let turns = Number(id) % 5; turns >= 0; turns--) await nextTurn();
      running -= 1;
      queues.delete(queue);
    });
    const jobs = numberedJobs(2_000, (index) => queueOf(`${index}`));
    for (const numberedJob of jobs) dispatcher.add(numberedJob);
    await dispatcher.whenIdle();
    for (let queue = 0; queue < 40; queue++) {
      const idsOfQueue = startedIds.filter((id) => queueOf(id) === `deposit ${queue}`).map(Number);
      expect(idsOfQueue).toEqual([...idsOfQueue].sort((a, b) => a - b));
    }
    expect(startedIds).toHaveLength(2_000);
    expect(peak).toBe(16);
  });
});

describe('a job that is added twice', () => {
  test('runs once, whether it is waiting or running', async () => {
    const { dispatcher, startedIds, end } = createManualDispatcher(1);
    for (const id of ['a', 'b', 'a', 'b']) dispatcher.add(job(id));
    expect(dispatcher.unfinishedIds).toEqual(['a', 'b']);
    await end('a');
    await end('b');
    expect(startedIds).toEqual(['a', 'b']);
  });

  test('runs again after it has ended', async () => {
    const { dispatcher, startedIds, end } = createManualDispatcher(1);
    dispatcher.add(job('a'));
    await end('a');
    dispatcher.add(job('a'));
    expect(startedIds).toEqual(['a', 'a']);
  });
});

describe('a dispatcher', () => {
  test('is idle when it is new', async () => {
    const { dispatcher } = createManualDispatcher(1);
    expect(dispatcher.isIdle).toBe(true);
    await dispatcher.whenIdle();
  });

  test('is not idle while jobs run or wait', async () => {
    const { dispatcher, end } = createManualDispatcher(1);
    let hasBecomeIdle = false;
    dispatcher.add(job('a', 'deposit 1'));
    dispatcher.add(job('b', 'deposit 1'));
    const idlePromises = Promise.all([dispatcher.whenIdle(), dispatcher.whenIdle()]).then(() => {
      hasBecomeIdle = true;
    });
    await end('a');
    expect([dispatcher.isIdle, hasBecomeIdle]).toEqual([false, false]);
    await end('b');
    expect([dispatcher.isIdle, hasBecomeIdle]).toEqual([true, true]);
    await idlePromises;
  });
});

describe('a dispatcher that is stopped', () => {
  test('aborts running jobs and drops waiting ones', async () => {
    const { dispatcher, startedIds, isAborted, end } = createManualDispatcher(1);
    for (const added of [job('a', 'deposit 1'), job('b', 'deposit 1'), job('c')]) dispatcher.add(added);
    const idle = dispatcher.whenIdle();
    dispatcher.stop();
    expect(isAborted()).toBe(true);
    await idle;
    expect(dispatcher.unfinishedIds).toEqual([]);
    await end('a');
    expect(startedIds).toEqual(['a']);
  });

  test('accepts no more jobs', async () => {
    const { dispatcher, startedIds } = createManualDispatcher(1);
    dispatcher.stop();
    dispatcher.add(job('a'));
    expect(startedIds).toEqual([]);
    expect(dispatcher.isIdle).toBe(true);
    await dispatcher.whenIdle();
  });
});
