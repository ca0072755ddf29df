import { describe, expect, it, test } from 'vitest';
import { holdCards, readCard, testCards } from '../../src/domain/test-cards.js';
import { testOutcomes } from '../../src/domain/test-outcomes.js';

describe('the test cards', () => {
  test('include one card for each outcome of a payment', () => {
    expect(testCards.map(({ outcome }) => outcome).sort()).toEqual(Object.keys(testOutcomes).sort());
  });

  test('for authorizing deposits are those whose outcome is not delayed', () => {
    expect(holdCards).toEqual([
      { number: '4242 4242 4242 4242', outcome: 'authorized' },
      { number: '4000 0000 0000 0002', outcome: 'declined' },
      { number: '4000 0025 0000 3155', outcome: 'authentication' },
    ]);
  });

  test.each(testCards)('$number has a valid check digit', ({ number }) => {
    // `other-card` is a valid card number that is not in the given list, which is empty here.
    expect(readCard(number, [])).toEqual({ kind: 'other-card' });
  });
});

describe('an input for a card number', () => {
  it.each(['4242 4242 4242 4242', '4242424242424242', ' 4242-4242-4242-4242\t', '42 42 42 42 42 42 42 42'])(
    '%j is recognized as a test card, however its digits are grouped',
    (typed) => {
      expect(readCard(typed, testCards)).toEqual({ kind: 'test-card', card: testCards[0] });
    },
  );

  it.each(['5555 5555 5555 4444', '378282246310005', '4000000000000077', '4539 1488 0343 6467'])(
    '%s is a card number, but not a test card for holds',
    (typed) => {
      expect(readCard(typed, holdCards)).toEqual({ kind: 'other-card' });
    },
  );

  it.each([
    ['', 'length'],
    ['4242', 'length'],
    ['4242 4242 4242 4242 4242', 'length'],
    ['four two four two', 'length'],
    ['<script>', 'length'],
    ['４２４２４２４２４２４２４２４２', 'length'],
    ['4242 4242 4242 4241', 'check-digit'],
    ['4242 4242 4224 4242', 'check-digit'],
  ])('%j is not a card number, because of its %s', (typed, reason) => {
    expect(readCard(typed, testCards)).toEqual({ kind: 'not-a-card', reason });
  });
});
