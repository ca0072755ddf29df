import { expect, test } from 'vitest';
import { itemsOf, memberOf } from '../../src/lib/json.js';
import { readSchema } from '../../src/lib/read-schema.js';
import { readPage } from './page.js';

/** The table of required keys: for each row, the first cell and the keys that are always required. */
function documentedKeys(): Record<string, string[]> {
  const [, afterTitle = ''] = readPage('docs/data.md').split('These keys are required:\n\n');
  const [table = ''] = afterTitle.split('\n\n');
  const [_header, _divider, ...rows] = table.split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const [, place = '', keys = ''] = row.split('|');
      // Keys after a semicolon are required only for some statuses.
      const [alwaysRequired = ''] = keys.split(';');
      return [place.trim(), [...alwaysRequired.matchAll(/`(\w+)`/g)].map(([, key = '']) => key)];
    }),
  );
}

test('the table of required keys of a seed lists what its schema requires', () => {
  const seed = readSchema('fixtures/accounts/seed.schema.json');
  const itemsIn = (schema: unknown, list: string): unknown =>
    memberOf(memberOf(memberOf(schema, 'properties'), list), 'items');
  expect(documentedKeys()).toEqual({
    'the seed': itemsOf(seed, 'required'),
    '`customers`': itemsOf(itemsIn(seed, 'customers'), 'required'),
    '`invoices`': itemsOf(itemsIn(seed, 'invoices'), 'required'),
    '`items` of an invoice': itemsOf(itemsIn(itemsIn(seed, 'invoices'), 'items'), 'required'),
    '`payment_links`': itemsOf(itemsIn(seed, 'payment_links'), 'required'),
    '`payments`': itemsOf(itemsIn(seed, 'payments'), 'required'),
    '`deposits`': itemsOf(itemsIn(seed, 'deposits'), 'required'),
  });
});
