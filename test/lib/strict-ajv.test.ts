import { describe, expect, test } from 'vitest';
import { strictAjv } from '../../src/lib/strict-ajv.js';

const objectWith = (properties: object): object => ({ type: 'object', properties });

describe('the additional JSON Schema keywords', () => {
  const twoPlaces = { type: 'number', 'x-decimal-places': 2 };
  const amount = objectWith({ amount: { type: 'number', 'x-minor-units': 'currency' }, currency: {} });
  const dates = objectWith({ issued: { type: 'string' }, due: { type: 'string', 'x-not-before': 'issued' } });
  const duration = { type: 'string', 'x-duration': true };

  test.each([
    ['as many decimal places as allowed', twoPlaces, 19.99],
    ['an amount with the decimal places of its currency', amount, { amount: 1.234, currency: 'KWD' }],
    ['an amount without a currency', amount, { amount: 1.23456 }],
    ['a due date equal to the issue date', dates, { issued: '2026-03-01', due: '2026-03-01' }],
    ['a due date without an issue date', dates, { due: '2026-02-28' }],
    ['a duration', duration, '2h 30m'],
  ])('allow %s', (_description, schema, value) => {
    expect(strictAjv().compile(schema)(value)).toBe(true);
  });

  test.each([
    ['an amount whose currency is not a code', amount, { amount: 1.23456, currency: 'euros' }],
    ['an issue date in another format', dates, { issued: '2026-3-1', due: '2026-03-01' }],
    ['an issue date that does not exist', dates, { issued: '2026-02-30', due: '2026-02-28' }],
    ['an issue date that is not a date', dates, { issued: 'soon', due: '2026-03-01' }],
    ['a due date that does not exist', dates, { issued: '2026-03-01', due: '2026-02-30' }],
    ['a due date in another format', dates, { issued: '2026-03-01', due: '1 March' }],
  ])('leave it to other keywords to reject %s', (_description, schema, value) => {
    expect(strictAjv().compile(schema)(value)).toBe(true);
  });

  test.each([
    ['more decimal places than allowed', twoPlaces, 19.999],
    ['more decimal places than allowed, written with an exponent', twoPlaces, 1e-7],
    ['an amount with more decimal places than its currency', amount, { amount: 1.5, currency: 'JPY' }],
    ['a due date before the issue date', dates, { issued: '2026-03-01', due: '2026-02-28' }],
    ['a string that is not a duration', duration, 'soon'],
  ])('do not allow %s', (_description, schema, value) => {
    expect(strictAjv().compile(schema)(value)).toBe(false);
  });
});

test('`x-minor-units` reports too many decimal places as `x-decimal-places`, with the limit of the currency', () => {
  const validate = strictAjv().compile(
    objectWith({ amount: { type: 'number', 'x-minor-units': 'currency' }, currency: {} }),
  );
  validate({ amount: 1.234, currency: 'EUR' });
  expect(validate.errors).toMatchObject([
    { keyword: 'x-decimal-places', instancePath: '/amount', params: { limit: 2 }, data: 1.234 },
  ]);
});

test('the decimal places of amounts without a currency can be limited', () => {
  const schema = objectWith({ amount: { type: 'number', 'x-minor-units': 'currency' } });
  const validate = strictAjv({}, (currency) => (currency === undefined ? 3 : undefined)).compile(schema);
  expect([validate({ amount: 1.234 }), validate({ amount: 1.2345 })]).toEqual([true, false]);
});

test.each([
  { type: 'string', unknown: true },
  { type: 'string', format: 'unknown' },
])('the schema %j is refused', (schema) => {
  expect(() => strictAjv().compile(schema)).toThrow(/unknown/);
});
