import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EffectName,
  type FaultMatcher,
  type FaultStage,
  type FaultTarget,
  faultStatus,
  predicateOf,
  shouldFire,
  stageOf,
} from '../../src/domain/faults.js';
import { matchesWildcard } from '../../src/domain/matches-wildcard.js';

const request = {
  operation: 'createDeposit',
  method: 'POST',
  path: '/deposits',
  status: 201,
  token: 'full',
  body: { booking_reference: 'BK-1', amount: 300, metadata: { channel: 'direct', guests: [{ age: 7 }], vip: true } },
} satisfies FaultTarget;

describe('the matchers of a fault', () => {
  it.each<[FaultMatcher, boolean]>([
    [{}, true],
    [{ operation: 'createDeposit' }, true],
    [{ operation: 'getDeposit' }, false],
    [{ method: 'POST' }, true],
    [{ method: 'GET' }, false],
    [{ path: '/deposits' }, true],
    [{ path: '/dep*' }, true],
    [{ path: '*' }, true],
    [{ path: '/deposits/*' }, false],
    [{ path: '/deposit' }, false],
    [{ status: 201 }, true],
    [{ status: '2xx' }, true],
    [{ status: 200 }, false],
    [{ status: '4xx' }, false],
    [{ token: 'full' }, true],
    [{ token: 'f*l' }, true],
    [{ token: 'read' }, false],
    [{ event: 'deposit.created' }, false],
    [{ event: '*' }, false],
    [{ body: { booking_reference: 'BK-1' } }, true],
    [{ body: { booking_reference: 'BK-*' } }, true],
    [{ body: { booking_reference: 'BK-2' } }, false],
    [{ body: { amount: 300 } }, true],
    [{ body: { amount: '300' } }, true],
    [{ body: { amount: '3*' } }, true],
    [{ body: { amount: 301 } }, false],
    [{ body: { 'metadata.channel': 'direct' } }, true],
    [{ body: { 'metadata.vip': true } }, true],
    [{ body: { 'metadata.vip': false } }, false],
    [{ body: { 'metadata.guests.0.age': 7 } }, true],
    [{ body: { 'metadata.guests.1.age': 7 } }, false],
    [{ body: { metadata: '*' } }, false],
    [{ body: { 'metadata.guests.length': 1 } }, false],
    [{ body: { 'metadata.constructor.name': 'Object' } }, false],
    [{ body: { '__proto__.toString': '*' } }, false],
    [{ body: { '': '*' } }, false],
    [{ body: { amount: 300, 'metadata.channel': 'direct' } }, true],
    [{ body: { amount: 300, 'metadata.channel': 'agency' } }, false],
    [
      { operation: 'createDeposit', method: 'POST', path: '/d*', status: '2xx', token: '*', body: { amount: 300 } },
      true,
    ],
    [
      { operation: 'createDeposit', method: 'POST', path: '/d*', status: '5xx', token: '*', body: { amount: 300 } },
      false,
    ],
  ])('%j match the request: %s', (match, expected) => {
    expect(predicateOf(match)(request)).toBe(expected);
  });

  it.each<[FaultMatcher, FaultTarget, boolean]>([
    [{ status: '2xx' }, {}, false],
    [{ token: '*' }, { token: null }, false],
    [{ operation: 'getInvoice' }, { operation: null }, false],
    [{ body: { a: 'x' } }, { body: undefined }, false],
    [{ body: { a: '49.90' } }, { body: { a: 49.9 } }, true],
    [{ body: { a: '1e1' } }, { body: { a: 10 } }, true],
    [{ body: { a: '49.90' } }, { body: { a: '49.9' } }, false],
    [{ body: { a: '49.90' } }, { body: { a: 49.91 } }, false],
    [{ body: { a: '' } }, { body: { a: 0 } }, false],
    [{ body: { a: 'x' } }, { body: 'x' }, false],
    [{ body: { a: 'x' } }, { body: null }, false],
    [{ body: { '0': 'x' } }, { body: 'x' }, false],
    [{ path: '*' }, { path: '' }, true],
    [{ event: 'deposit.*' }, { event: 'deposit.expired' }, true],
    [{ event: 'deposit.*' }, { event: 'payment.succeeded' }, false],
  ])('%j match %j: %s', (match, target, expected) => {
    expect(predicateOf(match)(target)).toBe(expected);
  });
});

describe('a wildcard pattern', () => {
  it('without a star matches only the same text', () => {
    const withoutStars = fc.string().filter((text) => !text.includes('*'));
    fc.assert(
      fc.property(withoutStars, withoutStars, (pattern, text) => {
        expect(matchesWildcard(pattern, text)).toBe(pattern === text);
        expect(matchesWildcard(pattern, pattern)).toBe(true);
      }),
    );
  });

  it('matches every text that results from replacing its stars with other texts', () => {
    const parts = fc.array(fc.string(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, parts, (literals, replacements) => {
        const text = literals.map((literal, index) => literal + (replacements[index] ?? '')).join('');
        expect(matchesWildcard(`${literals.join('*')}*`, text)).toBe(true);
      }),
    );
  });

  it('matches the same texts as the equivalent regular expression', () => {
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(matchesWildcard(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text));
      }),
    );
  });

  // A matcher that backtracks would not end before the timeout.
  it('with many stars does not slow down matching', () => {
    expect(matchesWildcard(`${'*a'.repeat(100)}*b`, 'a'.repeat(100_000))).toBe(false);
  });

  it.each([[null], [undefined], [{}], [[]]])('does not match %j, which is not a string, number or boolean', (value) => {
    expect(matchesWildcard('*', value)).toBe(false);
  });
});

/** Numbers of the matches, from 1 to `count`, on which a fault fires. */
function firingMatches(
  match: FaultMatcher,
  count: number,
  random: (matchNumber: number) => number = () => 0,
): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return numbers.filter((number) => shouldFire(match, number, () => random(number)));
}

const oneToFifty = fc.integer({ min: 1, max: 50 });

describe('a fault fires on', () => {
  it('only the nth match, with the `nth` matcher', () => {
    fc.assert(
      fc.property(oneToFifty, oneToFifty, (nth, count) => {
        expect(firingMatches({ nth }, count)).toEqual(nth > count ? [] : [nth]);
      }),
    );
  });

  it('every nth match and no other, with the `every` matcher', () => {
    fc.assert(
      fc.property(oneToFifty, oneToFifty, (every, count) => {
        const expected = Array.from({ length: Math.floor(count / every) }, (_, index) => (index + 1) * every);
        expect(firingMatches({ every }, count)).toEqual(expected);
      }),
    );
  });

  it('every nth match whose random number is below the probability, with the matchers `every` and `probability`', () => {
    expect(firingMatches({ every: 2, probability: 0.5 }, 8, (number) => (number < 6 ? 0.6 : 0.4))).toEqual([6, 8]);
  });

  it('a share of the matches that is close to its probability', () => {
    // The fractional parts of multiples of the golden ratio are spread evenly between 0 and 1.
    const evenlySpread = (number: number): number => (number * 0.618_033_988_75) % 1;
    for (const probability of [0.01, 0.25, 0.5, 0.99]) {
      expect(firingMatches({ probability }, 10_000, evenlySpread).length / 10_000).toBeCloseTo(probability, 2);
    }
    expect(firingMatches({ probability: 1 }, 100, () => 0.999_999)).toHaveLength(100);
  });

  const failIfCalled = (): number => {
    throw new Error('this match needs no random number');
  };

  it('every match by default, without drawing a random number', () => {
    expect(firingMatches({}, 10, failIfCalled)).toHaveLength(10);
  });

  it('no match before the nth, without drawing random numbers for those', () => {
    expect(firingMatches({ nth: 3, probability: 0.5 }, 2, failIfCalled)).toEqual([]);
  });
});

describe('a fault', () => {
  // `times_matched` counts the matches, and `times_fired` how often the fault has fired.
  const fault = { match: {}, times: null, times_matched: 0, times_fired: 0, until: null };
  const noon = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['without a limit', 'active', { ...fault, times_matched: 1_000_000, times_fired: 1_000_000 }],
    ['that has fired less often than allowed', 'active', { ...fault, times: 3, times_fired: 2 }],
    ['that has fired as often as allowed', 'ended', { ...fault, times: 3, times_fired: 3 }],
    ['before its end time', 'active', { ...fault, until: '2026-03-01T12:00:00.001Z' }],
    ['at its end time', 'ended', { ...fault, until: '2026-03-01T12:00:00.000Z' }],
    ['before its nth match', 'active', { ...fault, match: { nth: 3 }, times_matched: 2 }],
    ['after its nth match', 'ended', { ...fault, match: { nth: 3 }, times_matched: 3 }],
  ])('%s is %s', (_title, expected, countedFault) => {
    expect(faultStatus(countedFault, noon)).toBe(expected);
  });
});

/** See `FaultStage` for the meaning of the stages. */
describe('the stage of a fault', () => {
  it.each<[EffectName[], FaultMatcher, FaultStage]>([
    [['status'], {}, 'request'],
    [['latency'], {}, 'response'],
    [['latency', 'status'], {}, 'request'],
    [['status'], { status: 201 }, 'response'],
    [['latency'], { status: '4xx' }, 'response'],
    [['lose-response'], {}, 'response'],
    [['drop'], {}, 'message'],
    [['receiver-fails'], {}, 'attempt'],
  ])('with the effects %j and the matchers %j is %s', (names, match, stage) => {
    expect(stageOf({ effects: names.map((name) => ({ name })), match })).toBe(stage);
  });
});
