import { expect, test } from 'vitest';
import { Fifo } from '../../src/lib/fifo.js';

test('returns items in order of insertion, also after others were removed', () => {
  const queue = new Fifo<number>();
  const removed: (number | undefined)[] = [];
  for (let number = 0; number < 5_000; number++) {
    queue.push(number);
    if (number % 2 === 1) removed.push(queue.shift());
  }
  expect(queue.size).toBe(2_500);
  expect([...queue]).toEqual(Array.from({ length: 2_500 }, (_, index) => 2_500 + index));
  while (queue.size > 0) removed.push(queue.shift());
  expect(removed).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  expect(queue.shift()).toBeUndefined();
});

test('is empty after it was cleared', () => {
  const queue = new Fifo<string>();
  queue.push('one');
  queue.clear();
  expect([...queue]).toEqual([]);
  queue.push('two');
  expect(queue.shift()).toBe('two');
});
