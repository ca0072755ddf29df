import { expect, test } from 'vitest';
import { timeUntil } from '../../src/text/agenda-text.js';
import { asSentence } from '../../src/text/format.js';

test.each([
  ['the clock is frozen', 'The clock is frozen.'],
  ['amount: must be a number', 'Amount: must be a number.'],
  ['deposit.created is sent only once', 'deposit.created is sent only once.'],
  ['http://127.0.0.1 cannot be reached', 'http://127.0.0.1 cannot be reached.'],
  ['status.status is unknown', 'status.status is unknown.'],
  ['webhook_url: must be a URL', 'webhook_url: must be a URL.'],
])('%j as a sentence is %j', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});

test.each([
  ['2026-03-01T09:00:02.016Z', 'in 3 s'],
  ['2026-03-01T09:00:00.001Z', 'in 1 s'],
  ['2026-03-01T10:30:00.000Z', 'in 1 h 30 min'],
  ['2026-03-01T09:00:00.000Z', 'now'],
])('the time until %s is %j, without milliseconds', (at, text) => {
  expect(timeUntil(at, '2026-03-01T09:00:00.000Z')).toBe(text);
});
