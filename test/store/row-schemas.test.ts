import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { effectStages } from '../../src/domain/faults.js';
import { depositStatuses, eventNames, invoiceStatuses, paymentStatuses, scopes } from '../../src/domain/records.js';
import { verbs } from '../../src/simulation/scenarios/verbs/index.js';
import { loadRowValidators } from '../../src/store/rows.js';

const file = fileURLToPath(new URL('../../src/store/rows.schema.yaml', import.meta.url));
const { definitions, tables } = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 });

describe('the schema of stored rows has the values of the domain', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['invoice statuses', definitions.invoiceStatus.enum, invoiceStatuses],
    ['payment statuses', definitions.paymentStatus.enum, paymentStatuses],
    ['deposit statuses', definitions.depositStatus.enum, depositStatuses],
    ['events', definitions.eventName.enum, eventNames],
    ['effects', definitions.effectName.enum, Object.keys(effectStages)],
    ['scenario verbs', definitions.step.properties.do.enum, [...verbs.keys()]],
    ['scopes', tables.tokens.properties.scopes.items.enum, scopes],
  ])('%s', (_, stored, values) => {
    expect([...stored].sort()).toEqual([...values].sort());
  });
});

describe('a stored row', () => {
  const rows: Record<string, Record<string, unknown>[]> = JSON.parse(
    readFileSync(fileURLToPath(new URL('version-1/db.json', import.meta.url)), 'utf8'),
  ).accounts.demo;
  const samples = Object.entries(rows).flatMap(([table, [row]]) =>
    row && table !== 'snapshots' ? [{ table, row }] : [],
  );

  test.each(samples)('of $table is valid, and every field is required and has a type', async ({ table, row }) => {
    const { areRowChanges } = await loadRowValidators();
    const isValid = (candidate: unknown): boolean => areRowChanges({ [table]: [candidate] }, () => undefined);
    expect(isValid(row)).toBe(true);
    for (const field of Object.keys(row)) {
      const { [field]: _, ...without } = row;
      expect(isValid(without), `without ${field}`).toBe(false);
      expect(isValid({ ...row, [field]: { unexpected: [] } }), `another type for ${field}`).toBe(
        isAnyObject(table, field),
      );
    }
    expect(isValid({ ...row, more: 1 })).toBe(false);
  });
});

/** Fields with free content, set by integrators or profiles. */
function isAnyObject(table: string, field: string): boolean {
  return ['deposits.metadata', 'account.profile'].includes(`${table}.${field}`);
}
