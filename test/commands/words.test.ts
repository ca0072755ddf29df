import { describe, expect, test } from 'vitest';
import {
  columns,
  countOf,
  formatDuration,
  formatTime,
  printable,
  subjectName,
} from '../../src/commands/support/output.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, '0 s'],
  [1, '1 ms'],
  [999, '999 ms'],
  [second, '1 s'],
  [second + 5, '1 s 5 ms'],
  [5 * minute, '5 min'],
  [2 * hour + 30 * minute, '2 h 30 min'],
  [2 * hour + 30 * second, '2 h'],
  [8 * day, '8 d'],
  [14 * day + 15 * hour + 59 * minute, '14 d 15 h'],
  [8 * day - 1, '7 d 23 h'],
])('%i ms are %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words);
});

test.each([
  ['2026-03-09T09:00:00.000Z', '2026-03-09 09:00:00'],
  ['2026-03-09T09:00:00.471Z', '2026-03-09 09:00:00'],
  ['2026-03-09T09:00:00+00:00', '2026-03-09 09:00:00'],
])('the instant %s is shown as %s', (instant, words) => {
  expect(formatTime(instant)).toBe(words);
});

test.each([
  [0, 'event', '0 events'],
  [1, 'event', '1 event'],
  [2, 'delivery', '2 deliveries'],
])('%i %s is written %s', (count, noun, words) => {
  expect(countOf(count, noun)).toBe(words);
});

test('a record is named by its kind and id', () => {
  expect(subjectName({ resource: 'payment_link', id: 4 })).toBe('payment link 4');
  expect(subjectName({ resource: 'deposit', id: 'dep_1' })).toBe('deposit dep_1');
});

describe('columns', () => {
  test('are aligned, without trailing spaces', () => {
    expect(columns([['a', 'long word', ''], ['long', 'b', 'c'], ['short row']])).toBe(
      'a          long word\nlong       b          c\nshort row',
    );
  });

  test('keep each row on one line, whatever the cells contain', () => {
    expect(columns([['two\nlines', 'a\r\n\tb']])).toBe('two lines  a b');
  });

  test('work for any number of rows', () => {
    expect(columns([])).toBe('');
    expect(columns(Array.from({ length: 200_000 }, () => ['a', 'b'])).length).toBe(200_000 * 5 - 1);
  });
});

test('control characters are made visible', () => {
  expect(printable('a\u001b[2Jb\u0007\u009bc\r')).toBe('a�[2Jb��c�');
  expect(printable('line\n\ttab — é ✓')).toBe('line\n\ttab — é ✓');
});
