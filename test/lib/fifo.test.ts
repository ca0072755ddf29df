import { expect, test } from 'vitest';
import { Fifo } from '../../src/lib/fifo.js';

test('a queue returns items in order of insertion, even while others are added', () => {
  const queue = new Fifo<number>();
  const removed: (number | undefined)[] = [];
  // The queue drops removed items from memory when there are more than 1,000 of them.
  for (let number = 0; number < 5_000; number++) {
    queue.push(number);
    if (number % 2 === 1) removed.push(queue.shift());
  }
  expect(queue.size).toBe(2_500);
  expect([...queue]).toEqual(Array.from({ length: 2_500 }, (_, index) => 2_500 + index));
  while (queue.size > 0) removed.push(queue.shift());
  expect(removed).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
});

test('an empty queue returns undefined, and can be filled again', () => {
  const queue = new Fifo<string>();
  expect(queue.shift()).toBeUndefined();
  queue.push('one');
  expect([queue.size, queue.shift()]).toEqual([1, 'one']);
});

test('a queue is empty after it was cleared, and can be filled again', () => {
  const queue = new Fifo<string>();
  for (const item of ['one', 'two', 'three']) queue.push(item);
  queue.shift();
  queue.clear();
  expect([...queue]).toEqual([]);
  queue.push('four');
  expect([queue.size, queue.shift()]).toEqual([1, 'four']);
});
