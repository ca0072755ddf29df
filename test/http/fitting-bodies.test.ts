import { expect, test } from 'vitest';
import { fitBody } from '../../src/http/document/fitting-bodies.js';
import { readApi } from '../../src/openapi/document.js';
import { resolveProfile } from '../../src/openapi/profile.js';

test('names and values of metadata that are too long are shortened, and further entries are removed', () => {
  const profile = resolveProfile({ 'metadata.size': { bounds: { keys: 2, key_length: 3, value_length: 4 } } });
  const { validateBody } = readApi(profile).operation('createDeposit');
  const body = { booking_reference: 'BK-1', amount: 300 };
  const metadata = { floor: 'second', 'a/b': 'seaside', guests: '2' };
  expect(fitBody({ ...body, metadata }, validateBody)).toEqual({ ...body, metadata: { flo: 'seco', 'a/b': 'seas' } });
});

test.each([
  ['EUR', 300.256, 300.26],
  ['JPY', 300.4, 300],
  ['KWD', 300.2554, 300.255],
])('an amount in %s is rounded to the decimal places of the currency', (currency, amount, rounded) => {
  const { validateBody } = readApi(resolveProfile({})).operation('createDeposit');
  const body = { booking_reference: 'BK-1', currency };
  expect(fitBody({ ...body, amount }, validateBody)).toEqual({ ...body, amount: rounded });
});
