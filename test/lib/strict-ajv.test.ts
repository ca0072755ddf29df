import { describe, expect, test } from 'vitest';
import { strictAjv } from '../../src/lib/strict-ajv.js';

const of = (properties: object): object => ({ type: 'object', properties });

describe('the additional keywords', () => {
  const amount = of({ amount: { type: 'number', 'x-minor-units': 'currency' }, currency: {} });
  const due = of({ date: { type: 'string' }, due: { type: 'string', 'x-not-before': 'date' } });
  const wait = { type: 'string', 'x-duration': true };

  test.each([
    ['as many decimal places as allowed', { type: 'number', 'x-decimal-places': 2 }, 19.99, true],
    ['more decimal places', { type: 'number', 'x-decimal-places': 2 }, 19.999, false],
    ['a number that JSON writes with an exponent', { type: 'number', 'x-decimal-places': 2 }, 1e-7, false],
    ['an amount with the places of its currency', amount, { amount: 1.234, currency: 'KWD' }, true],
    ['an amount with more places than its currency', amount, { amount: 1.5, currency: 'JPY' }, false],
    ['an amount whose currency is not a code', amount, { amount: 1.23456, currency: 'euros' }, true],
    ['an amount without a currency', amount, { amount: 1.23456 }, true],
    ['a date on the day that it may not precede', due, { date: '2026-03-01', due: '2026-03-01' }, true],
    ['a date before it', due, { date: '2026-03-01', due: '2026-02-28' }, false],
    ['a date beside none', due, { due: '2026-02-28' }, true],
    ['a duration', wait, '2h 30m', true],
    ['a word', wait, 'soon', false],
  ])('%s', (_name, schema, value, isValid) => {
    expect(strictAjv().compile(schema)(value)).toBe(isValid);
  });
});

test('an amount with too many places is an error of `x-decimal-places`, whose limit the currency sets', () => {
  const validate = strictAjv().compile(of({ amount: { type: 'number', 'x-minor-units': 'currency' }, currency: {} }));
  validate({ amount: 1.234, currency: 'EUR' });
  expect(validate.errors).toMatchObject([
    { keyword: 'x-decimal-places', instancePath: '/amount', params: { limit: 2 }, data: 1.234 },
  ]);
});

test('the decimal places of amounts without a currency can be set', () => {
  const schema = of({ amount: { type: 'number', 'x-minor-units': 'currency' } });
  const validate = strictAjv({}, (currency) => (currency === undefined ? 3 : undefined)).compile(schema);
  expect([validate({ amount: 1.234 }), validate({ amount: 1.2345 })]).toEqual([true, false]);
});

test.each([
  { type: 'string', unknown: true },
  { type: 'string', format: 'unknown' },
])('%j is refused', (schema) => {
  expect(() => strictAjv().compile(schema)).toThrow(/unknown/);
});
