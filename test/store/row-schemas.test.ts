import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatInstant, maxClockTimeMs } from '../../src/domain/dates.js';
import { effectStages } from '../../src/domain/faults.js';
import { depositStatuses, eventNames, invoiceStatuses, paymentStatuses, scopes } from '../../src/domain/records.js';
import { isRecord } from '../../src/lib/json.js';
import { verbs } from '../../src/simulation/scenarios/verbs.js';
import { withCurrentNames } from '../../src/store/renamed-fields.js';
import { loadRowValidators } from '../../src/store/rows.js';

const schemaPath = fileURLToPath(new URL('../../src/store/rows.schema.yaml', import.meta.url));
// The schema has more aliases than the parser allows by default.
const { definitions, tables } = parse(readFileSync(schemaPath, 'utf8'), { maxAliasCount: -1 });

describe('the schema of stored rows allows exactly the values that the domain defines', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['invoice statuses', definitions.invoiceStatus.enum, invoiceStatuses],
    ['payment statuses', definitions.paymentStatus.enum, paymentStatuses],
    ['deposit statuses', definitions.depositStatus.enum, depositStatuses],
    ['event names', definitions.eventName.enum, eventNames],
    ['fault effects', definitions.effectName.enum, Object.keys(effectStages)],
    ['scenario verbs', definitions.step.properties.do.enum, Object.keys(verbs)],
    ['scopes', tables.tokens.properties.scopes.items.enum, scopes],
  ])('%s', (_name, schemaValues, domainValues) => {
    expect([...schemaValues].sort()).toEqual([...domainValues].sort());
  });
});

test('the clock of a stored account is at most the latest time that a clock can show', async () => {
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

function mayBeAnyObject(table: string, field: string): boolean {
  return ['deposits.metadata', 'account.profile'].includes(`${table}.${field}`);
}
