import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Dispatcher, type Job } from '../../src/simulation/delivery/dispatcher.js';

/** A dispatcher whose jobs end when the test says so. */
function createManualDispatcher(limit: number) {
  const sent: string[] = [];
  const ends = new Map<string, () => void>();
  let signal: AbortSignal | undefined;
  const dispatcher = new Dispatcher(limit, (id, stop) => {
    sent.push(id);
    signal = stop;
    return new Promise((resolve) => ends.set(id, resolve));
  });
  return {
    dispatcher,
    /** In the order in which they were sent. */
    sent,
    isStopped: () => signal?.aborted === true,
    /** Attempts in progress. */
    running: () => [...ends.keys()],
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

function numbered(count: number, queueOf?: (index: number) => string): Job[] {
  return Array.from({ length: count }, (_, index) => job(`${index}`, queueOf?.(index)));
}

describe('independent jobs', () => {
  test('start immediately, up to the limit, and then one for each that ends', async () => {
    const { dispatcher, sent, end } = createManualDispatcher(3);
    for (const each of numbered(6)) dispatcher.add(each);
    expect(sent).toEqual(['0', '1', '2']);
    await end('1');
    expect(sent).toEqual(['0', '1', '2', '3']);
    await end('0');
    await end('3');
    expect(sent).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  test('all run, first in, first out, never more than the limit at once', async () => {
    const count = 5_000;
    const sent: string[] = [];
    let running = 0;
    let peak = 0;
    const dispatcher = new Dispatcher(16, async (id) => {
      sent.push(id);
      running += 1;
      peak = Math.max(peak, running);
      // Some jobs take longer than others.
      for (let turns = Number(id) % 3; turns >= 0; turns--) await nextTurn();
      running -= 1;
    });
    const jobs = numbered(count);
    for (const each of jobs) dispatcher.add(each);
    await dispatcher.whenIdle();
    expect(sent).toEqual(jobs.map(({ id }) => id));
    expect(peak).toBe(16);
    expect(dispatcher.unsettled).toEqual([]);
  });

  test('start in order if they are added while others run', async () => {
    const { dispatcher, sent, end } = createManualDispatcher(1);
    dispatcher.add(job('a'));
    dispatcher.add(job('b'));
    await end('a');
    dispatcher.add(job('c'));
    await end('b');
    expect(sent).toEqual(['a', 'b', 'c']);
  });
});

describe('jobs of a queue', () => {
  test('run one at a time, in order', async () => {
    const { dispatcher, sent, running, end } = createManualDispatcher(16);
    for (const each of numbered(4, () => 'deposit 1')) dispatcher.add(each);
    for (const id of ['0', '1', '2', '3']) {
      expect(running()).toEqual([id]);
      await end(id);
    }
    expect(sent).toEqual(['0', '1', '2', '3']);
    expect(dispatcher.isIdle).toBe(true);
  });

  test('do not occupy a slot while they wait', async () => {
    const { dispatcher, sent, running } = createManualDispatcher(2);
    for (const each of numbered(50, () => 'deposit 1')) dispatcher.add(each);
    dispatcher.add(job('another', 'deposit 2'));
    dispatcher.add(job('late', 'deposit 3'));
    expect(sent).toEqual(['0', 'another']);
    expect(running()).toHaveLength(2);
  });

  test('do not delay independent jobs', () => {
    const { dispatcher, sent } = createManualDispatcher(16);
    dispatcher.add(job('first', 'deposit 1'));
    dispatcher.add(job('second', 'deposit 1'));
    dispatcher.add(job('retry'));
    expect(sent).toEqual(['first', 'retry']);
  });

  test('start at once when the queue is empty again', async () => {
    const { dispatcher, sent, end } = createManualDispatcher(16);
    dispatcher.add(job('first', 'deposit 1'));
    await end('first');
    dispatcher.add(job('second', 'deposit 1'));
    dispatcher.add(job('third', 'deposit 1'));
    expect(sent).toEqual(['first', 'second']);
  });

  test('of many queues stay within the limit and in order', async () => {
    const sent: string[] = [];
    const queues = new Set<string>();
    let running = 0;
    let peak = 0;
    const queueOf = (id: string): string => `deposit ${Number(id) % 40}`;
    const dispatcher = new Dispatcher(16, async (id) => {
      const queue = queueOf(id);
      expect(queues.has(queue)).toBe(false);
      queues.add(queue);
      sent.push(id);
      running += 1;
      peak = Math.max(peak, running);
      for (let turns = Number(id) % 5; turns >= 0; turns--) await nextTurn();
      running -= 1;
      queues.delete(queue);
    });
    const jobs = numbered(2_000, (index) => queueOf(`${index}`));
    for (const each of jobs) dispatcher.add(each);
    await dispatcher.whenIdle();
    for (let queue = 0; queue < 40; queue++) {
      const own = sent.filter((id) => queueOf(id) === `deposit ${queue}`).map(Number);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
    expect(sent).toHaveLength(2_000);
    expect(peak).toBe(16);
  });
});

describe('a job that is added twice', () => {
  test('runs once, whether it is waiting or running', async () => {
    const { dispatcher, sent, end } = createManualDispatcher(1);
    for (const id of ['a', 'b', 'a', 'b']) dispatcher.add(job(id));
    expect(dispatcher.unsettled).toEqual(['a', 'b']);
    await end('a');
    await end('b');
    expect(sent).toEqual(['a', 'b']);
  });

  test('runs again after it has ended', async () => {
    const { dispatcher, sent, end } = createManualDispatcher(1);
    dispatcher.add(job('a'));
    await end('a');
    dispatcher.add(job('a'));
    expect(sent).toEqual(['a', 'a']);
  });
});

describe('idle', () => {
  test('is the state of a new dispatcher', async () => {
    const { dispatcher } = createManualDispatcher(1);
    expect(dispatcher.isIdle).toBe(true);
    await dispatcher.whenIdle();
  });

  test('is not the state while jobs run or wait', async () => {
    const { dispatcher, end } = createManualDispatcher(1);
    let isReported = false;
    dispatcher.add(job('a', 'deposit 1'));
    dispatcher.add(job('b', 'deposit 1'));
    const reported = Promise.all([dispatcher.whenIdle(), dispatcher.whenIdle()]).then(() => {
      isReported = true;
    });
    await end('a');
    expect([dispatcher.isIdle, isReported]).toEqual([false, false]);
    await end('b');
    expect([dispatcher.isIdle, isReported]).toEqual([true, true]);
    await reported;
  });
});

describe('a dispatcher that is stopped', () => {
  test('aborts running jobs and drops waiting ones', async () => {
    const { dispatcher, sent, isStopped, end } = createManualDispatcher(1);
    for (const each of [job('a', 'deposit 1'), job('b', 'deposit 1'), job('c')]) dispatcher.add(each);
    const idle = dispatcher.whenIdle();
    dispatcher.stop();
    expect(isStopped()).toBe(true);
    await idle;
    expect(dispatcher.unsettled).toEqual([]);
    await end('a');
    expect(sent).toEqual(['a']);
  });

  test('accepts no more jobs', async () => {
    const { dispatcher, sent } = createManualDispatcher(1);
    dispatcher.stop();
    dispatcher.add(job('a'));
    expect(sent).toEqual([]);
    expect(dispatcher.isIdle).toBe(true);
    await dispatcher.whenIdle();
  });
});
