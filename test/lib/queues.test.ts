import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo, Ring } from '../../src/lib/queues.js';

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

test('a queue is empty after it has been cleared, and can be filled again', () => {
  const queue = new Fifo<string>();
  for (const item of ['one', 'two', 'three']) queue.push(item);
  queue.shift();
  queue.clear();
  expect([...queue]).toEqual([]);
  queue.push('four');
  expect([queue.size, queue.shift()]).toEqual([1, 'four']);
});

test('a ring has the latest items, oldest first, and the last one that was dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer(), { maxLength: 20 }), (capacity, items) => {
      const ring = new Ring<number>(capacity);
      for (const item of items) ring.add(item);
      expect(ring.items()).toEqual(items.slice(-capacity));
      expect(ring.size).toBe(Math.min(items.length, capacity));
      expect(ring.lastDropped).toBe(items.slice(0, -capacity).at(-1));
    }),
  );
});

test('items can be removed from a ring, which then has room for others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 10, max: 19 }), { maxLength: 20 }),
      (capacity, firstItems, laterItems) => {
        const ring = new Ring<number>(capacity);
        for (const item of firstItems) ring.add(item);
        ring.remove((item) => item % 2 === 0);
        for (const item of laterItems) ring.add(item);
        const remaining = firstItems.slice(-capacity).filter((item) => item % 2 !== 0);
        expect(ring.items()).toEqual([...remaining, ...laterItems].slice(-capacity));
      },
    ),
  );
});
