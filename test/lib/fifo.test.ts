import { expect, test } from 'vitest';
import { Fifo } from '../../src/lib/fifo.js';

test('gives items in the order in which they came, however many were taken before', () => {
  const queue = new Fifo<number>();
  const taken: (number | undefined)[] = [];
  for (let number = 0; number < 5_000; number++) {
    queue.push(number);
    if (number % 2 === 1) taken.push(queue.shift());
  }
  expect(queue.size).toBe(2_500);
  expect([...queue]).toEqual(Array.from({ length: 2_500 }, (_, index) => 2_500 + index));
  while (queue.size > 0) taken.push(queue.shift());
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
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
