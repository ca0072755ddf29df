import { describe, expect, test } from 'vitest';
import { columns, moreLines, printable } from '../../src/commands/support/output.js';
import { formatCount, formatDuration, formatTime, subjectName } from '../../src/text/format.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test.each([
  [0, '0 s'],
  [1, '1 ms'],
  [999, '999 ms'],
  [secondMs, '1 s'],
  [secondMs + 5, '1 s 5 ms'],
  [5 * minuteMs, '5 min'],
  [2 * hourMs + 30 * minuteMs, '2 h 30 min'],
  [2 * hourMs + 30 * secondMs, '2 h'],
  [8 * dayMs, '8 d'],
  [14 * dayMs + 15 * hourMs + 59 * minuteMs, '14 d 15 h'],
  [8 * dayMs - 1, '7 d 23 h'],
])('%i ms are formatted as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test.each([
  ['2026-03-09T09:00:00.000Z', '2026-03-09 09:00:00'],
  ['2026-03-09T09:00:00.471Z', '2026-03-09 09:00:00'],
  ['2026-03-09T09:00:00+00:00', '2026-03-09 09:00:00'],
])('the time %s is formatted as %s', (time, text) => {
  expect(formatTime(time)).toBe(text);
});

test.each([
  [0, 'event', '0 events'],
  [1, 'event', '1 event'],
  [2, 'delivery', '2 deliveries'],
])('%i %s is formatted as %s', (count, noun, text) => {
  expect(formatCount(count, noun)).toBe(text);
});

test.each([
  [20, 20, []],
  [21, 20, ['… and 1 more; raise --limit to see them']],
  [10_003, 10_000, ['… and 3 more; read them from the control API, with ?per_page=10000&page=2']],
])('a list of %i entries that shows %i says how to see the others', (total, shown, lines) => {
  expect(moreLines(total, shown)).toEqual(lines);
});

test('a record is named by its type and id', () => {
  expect(subjectName({ resource: 'payment_link', id: 4 })).toBe('payment link 4');
  expect(subjectName({ resource: 'deposit', id: 'dep_1' })).toBe('deposit dep_1');
});

describe('columns', () => {
  test('are aligned, without trailing spaces', () => {
    expect(columns([['a', 'long word', ''], ['long', 'b', 'c'], ['short row']])).toBe(
      'a          long word\nlong       b          c\nshort row',
    );
  });

  test('keep each row on one line, even if cells contain line breaks and tabs', () => {
    expect(columns([['two\nlines', 'a\r\n\tb']])).toBe('two lines  a b');
  });

  test('can be formatted for no rows and for 200,000 rows', () => {
    expect(columns([])).toBe('');
    expect(columns(Array.from({ length: 200_000 }, () => ['a', 'b'])).length).toBe(200_000 * 5 - 1);
  });
});

test('control characters are replaced, except line breaks and tabs', () => {
  expect(printable('a\u001b[2Jb\u0007\u009bc\r')).toBe('a�[2Jb��c�');
  expect(printable('line\n\ttab — é ✓')).toBe('line\n\ttab — é ✓');
});

test.each([
  ['of Japanese', '日本', 4],
  ['of Korean', '한국', 4],
  ['with an emoji', '😀', 2],
  ['with a combining accent', 'e\u0301', 1],
  ['with an accent', 'é', 1],
  ['with a check mark', '✓', 1],
])('a cell %s is aligned by the columns that it takes on a terminal', (_what, text, width) => {
  expect(
    columns([
      [text, 'x'],
      ['abcdef', 'y'],
    ]),
  ).toBe(`${text}${' '.repeat(6 - width)}  x\nabcdef  y`);
});
