import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { formatInstant, maxClockTimeMs } from '../../src/domain/dates.js';
import { isRecord } from '../../src/lib/json.js';
import { withCurrentNames } from '../../src/store/renamed-fields.js';
import { loadRowValidators } from '../../src/store/rows.js';
import { storedFault } from './damaged-folder.js';

test('the clock of a stored account must not be later than the latest time that a clock can show', async () => {
  const { areValidRows } = await loadRowValidators();
  const seed = { currency: 'EUR', time_zone: 'UTC' };
  const isValidClock = (clock: unknown): boolean => areValidRows({ origin: [{ clock, seed }] }, () => undefined);
  expect(isValidClock({ mode: 'real', offset: maxClockTimeMs })).toBe(true);
  expect(isValidClock({ mode: 'real', offset: maxClockTimeMs + 1 })).toBe(false);
  expect(isValidClock({ mode: 'frozen', at: formatInstant(maxClockTimeMs) })).toBe(true);
  expect(isValidClock({ mode: 'frozen', at: formatInstant(maxClockTimeMs + 1) })).toBe(false);
});

describe('a stored row', () => {
  // Snapshots are skipped: version 1 stored their contents in the row. Tables without rows have no sample.
  const { accounts } = JSON.parse(readFileSync(fileURLToPath(new URL('version-1/db.json', import.meta.url)), 'utf8'));
  const samples = Object.entries(withCurrentNames<unknown[]>(accounts.demo)).flatMap(([table, [row]]) =>
    isRecord(row) && table !== 'snapshots' ? [{ table, row }] : [],
  );

  test.each(samples)(
    'of the `$table` table is invalid without a field, with an unknown field, or with an object as a field',
    async ({ table, row }) => {
      const { areValidRows } = await loadRowValidators();
      const isValid = (candidate: unknown): boolean => areValidRows({ [table]: [candidate] }, () => undefined);
      expect(isValid(row)).toBe(true);
      for (const field of Object.keys(row)) {
        const { [field]: _removed, ...rowWithout } = row;
        expect(isValid(rowWithout), `without ${field}`).toBe(false);
        expect(isValid({ ...row, [field]: { unexpected: [] } }), `an object for ${field}`).toBe(
          mayBeAnyObject(table, field),
        );
      }
      expect(isValid({ ...row, unknownField: 1 })).toBe(false);
    },
  );
});

describe('a stored row that no version can have written is invalid:', () => {
  const { accounts } = JSON.parse(readFileSync(fileURLToPath(new URL('version-1/db.json', import.meta.url)), 'utf8'));
  const { origin, invoices, deposits } = accounts.demo;
  const { seed } = origin[0];
  const [payment] = seed.payments;
  const partiallyCaptured = deposits.find(({ status }: { status: string }) => status === 'partially_captured');
  const capture = { amount: 300, description: null, at: '2026-03-01T09:00:00.000Z' };

  test.each<[title: string, table: string, row: object, error: string]>([
    [
      'a deposit whose captured amount differs from its captures',
      'deposits',
      { ...partiallyCaptured, captured_amount: 900 },
      'deposits[0].captured_amount must be the sum of the captures, 120.5',
    ],
    [
      'a deposit with captures above its amount',
      'deposits',
      { ...partiallyCaptured, captured_amount: 600, captures: [capture, capture] },
      'deposits[0].captured_amount must not exceed the amount, 500',
    ],
    [
      'an authorized deposit that never expires',
      'deposits',
      { ...partiallyCaptured, expires_at: null },
      'deposits[0].authorized_at and expires_at must both be times, or both be null',
    ],
    [
      'a deposit with a check-in on 31 February',
      'deposits',
      { ...partiallyCaptured, check_in_date: '2026-02-31' },
      'deposits[0].check_in_date must be a date that exists',
    ],
    [
      'an invoice that is due on 30 February',
      'invoices',
      { ...invoices[0], due_date: '2026-02-30' },
      'invoices[0].due_date must be a date that exists',
    ],
    [
      'an invoice whose amount cannot be added up',
      'invoices',
      { ...invoices[0], amount: 1e308 },
      'invoices[0].amount must be <= 1000000000000000000',
    ],
    [
      'a record whose id leaves no room for a next one',
      'deposits',
      { ...deposits[0], id: Number.MAX_SAFE_INTEGER },
      'deposits[0].id must be <= 9000000000000000',
    ],
    [
      'a fault without effects',
      'faults',
      { ...storedFault, effects: [] },
      'faults[0].effects must NOT have fewer than 1 items',
    ],
    [
      'a fault whose stage differs from that of its effects',
      'faults',
      { ...storedFault, stage: 'message' },
      'faults[0].stage must be request, the stage of the effects',
    ],
    [
      'a fault that matches a response status, with the stage `request`',
      'faults',
      { ...storedFault, match: { status: 201 } },
      'faults[0].stage must be response, the stage of the effects',
    ],
    [
      'a seed with an invoice of a missing customer',
      'origin',
      { ...origin[0], seed: { ...seed, invoices: [{ ...seed.invoices[0], customer_id: 99 }] } },
      'origin[0].seed.invoices[0].customer_id must be an id in seed.customers',
    ],
    ...['customer_id', 'payment_link_id', 'invoice_id'].map((field): [string, string, object, string] => [
      `a seed with a payment whose ${field} refers to a missing record`,
      'origin',
      { ...origin[0], seed: { ...seed, payments: [{ ...payment, [field]: 99 }] } },
      `origin[0].seed.payments[0].${field} must be an id in seed.${field.replace('_id', 's')}`,
    ]),
    [
      'a seed with an invalid time',
      'origin',
      { ...origin[0], seed: { ...seed, payments: [{ ...payment, created: '1 fortnight' }] } },
      'origin[0].seed.payments[0].created must be a time relative to the seeding, such as -8d',
    ],
    [
      'a seed with an invalid time of a capture',
      'origin',
      {
        ...origin[0],
        seed: { ...seed, deposits: [{ ...seed.deposits[3], captures: [{ amount: 1, description: null, at: '1x' }] }] },
      },
      'origin[0].seed.deposits[0].captures[0].at must be a time relative to the seeding, such as -8d',
    ],
  ])('%s', async (_title, table, row, error) => {
    const { areValidRows } = await loadRowValidators();
    const errors: string[] = [];
    areValidRows({ [table]: [row] }, ({ message }) => errors.push(message));
    expect(errors).toEqual([error]);
  });
});

function mayBeAnyObject(table: string, field: string): boolean {
  return ['deposits.metadata', 'account.profile'].includes(`${table}.${field}`);
}
