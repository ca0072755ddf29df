import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring } from '../../src/lib/ring.js';

test('a ring has the latest items, oldest first, and says whether others were dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer(), { maxLength: 20 }), (capacity, items) => {
      const ring = new Ring<number>(capacity);
      for (const item of items) ring.add(item);
      expect(ring.items()).toEqual(items.slice(-capacity));
      expect(ring.size).toBe(Math.min(items.length, capacity));
      expect(ring.hasDropped).toBe(items.length > capacity);
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
