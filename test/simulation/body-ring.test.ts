import { expect, test } from 'vitest';
import { BodyRing, maxRecordedBytes } from '../../src/simulation/activity/request-log.js';

test('a ring keeps the latest bodies whole, also those that do not fit at its end', () => {
  const ring = new BodyRing();
  // The size of the ring is not a multiple of this size.
  const size = maxRecordedBytes - 1_000;
  const texts = Array.from({ length: 1_200 }, (_, index) => String(index).padStart(size, '.'));
  const keptTexts = texts.map((text) => ring.add(text, size)).map((body) => ring.read(body));
  const firstKept = keptTexts.findIndex((text) => text !== null);
  expect(firstKept).toBeGreaterThan(600);
  expect(firstKept).toBeLessThan(800);
  expect(keptTexts.slice(firstKept).map((text) => text?.slice(-10))).toEqual(
    texts.slice(firstKept).map((text) => text.slice(-10)),
  );
});

test('a ring with few bodies takes little memory', () => {
  const ring = new BodyRing();
  const { arrayBuffers } = process.memoryUsage();
  ring.add('a body', 6);
  expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(2_000_000);
});

test('a body that is cut off in the middle of a character ends before this character', () => {
  const ring = new BodyRing();
  const text = `${'.'.repeat(maxRecordedBytes - 1)}é`;
  for (const body of [text, Buffer.from(text)]) {
    expect(ring.read(ring.add(body, maxRecordedBytes + 1))).toBe(text.slice(0, -1));
  }
});
