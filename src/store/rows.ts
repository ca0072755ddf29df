import type { ErrorObject } from 'ajv';
import { isRecord } from '../lib/json.js';
import { lazy } from '../lib/lazy.js';
import { describeDataError } from '../lib/schema-errors.js';
import type { RowsByTable } from '../simulation/state/changes.js';
import { withCurrentNames } from './renamed-fields.js';
import { brokenInvariant } from './row-invariants.js';
import { rowsWithInvalidEffects } from './stored-effects.js';
import type { InvalidRow, StoredTables } from './stored-tables.js';

/** Key of a row in its table: its id or name; empty in tables with one row per account. */
export function keyOf(row: object): string | number {
  if ('id' in row) return typeof row.id === 'number' ? row.id : String(row.id);
  return 'name' in row ? String(row.name) : '';
}

/** Finds the rows that have the same key as an earlier row of their table, and would replace it. */
export function repeatedRows(tables: StoredTables): InvalidRow[] {
  return Object.entries(tables).flatMap(([table, rows]) => {
    const keys = new Set<string | number>();
    return rows.flatMap((row, index) => {
      if (!isRecord(row)) return [];
      const key = keyOf(row);
      const isRepeated = keys.has(key);
      keys.add(key);
      if (!isRepeated) return [];
      const repetition = key === '' ? 'more than one row' : `two rows with the ${'id' in row ? 'id' : 'name'} ${key}`;
      return [{ table, index, message: `${table} has ${repetition}` }];
    });
  });
}

interface RowValidator {
  (row: unknown): boolean;
  errors?: null | readonly Pick<ErrorObject, 'instancePath' | 'params' | 'message'>[];
}

/**
 * Loads the validators of stored rows (`rows.schema.yaml` and `brokenInvariant`). Imported lazily, since an empty data
 * folder needs none.
 */
export const loadRowValidators = lazy(async () => {
  const { rowValidators } = await import('../generated/row-validators.js');
  const validators = new Map<string, RowValidator>(Object.entries(rowValidators));
  return {
    /** @param report called for each invalid row */
    areValidRows(tables: object, report: (invalid: InvalidRow) => void): tables is RowsByTable {
      let isValid = true;
      for (const [table, rows] of Object.entries(tables)) {
        const validate = validators.get(table);
        if (!validate || !Array.isArray(rows)) {
          isValid = false;
          const message = validate ? `${table} must be an array` : `${table} is not a known table`;
          report({ table, index: undefined, message });
          continue;
        }
        for (const [index, row] of rows.entries()) {
          const message = problemOfRow(row, table, index, validate);
          if (message === undefined) continue;
          isValid = false;
          report({ table, index, message });
        }
      }
      return isValid;
    },
  };
});

function problemOfRow(row: unknown, table: string, index: number, validate: RowValidator): string | undefined {
  const name = `${table}[${index}]`;
  return validate(row) ? brokenInvariant(table, name, row) : describeDataError(validate.errors, name);
}

/**
 * A commit may change a row twice; a file has each row once. An unchanged file is as a simulator with the same validators
 * has written it.
 */
export type RowSource = 'commit' | 'file' | 'unchanged-file';

/** True if rows need no validation, except that this version of Node may not know a time zone. */
function areTrusted(tables: StoredTables, source: RowSource): tables is RowsByTable & StoredTables {
  const hasKnownTimeZones = (table: string): boolean =>
    (tables[table] ?? []).every((row) => brokenInvariant(table, table, row) === undefined);
  return source === 'unchanged-file' && hasKnownTimeZones('account') && hasKnownTimeZones('origin');
}

/** Gives rows their current names, and drops and reports the invalid ones. */
export async function validRows(
  stored: StoredTables,
  report: (invalid: { readonly message: string }) => void,
  source: RowSource,
): Promise<RowsByTable> {
  const tables = withCurrentNames(stored);
  const invalidEffects = await rowsWithInvalidEffects(tables);
  if (invalidEffects.length === 0 && areTrusted(tables, source)) return tables;
  const { areValidRows } = await loadRowValidators();
  const invalid = new Map<string, Set<number | undefined>>();
  const addInvalid = (found: InvalidRow): void => {
    report(found);
    invalid.set(found.table, (invalid.get(found.table) ?? new Set()).add(found.index));
  };
  if (source !== 'commit') repeatedRows(tables).forEach(addInvalid);
  invalidEffects.forEach(addInvalid);
  if (areValidRows(tables, addInvalid) && invalid.size === 0) return tables;
  const valid = new Map<string, readonly unknown[]>(Object.entries(tables));
  for (const [table, indexes] of invalid) {
    if (indexes.has(undefined)) valid.delete(table);
    else valid.set(table, valid.get(table)?.filter((_, index) => !indexes.has(index)) ?? []);
  }
  const remaining = Object.fromEntries(valid);
  if (areValidRows(remaining, addInvalid)) return remaining;
  throw new Error('rows became invalid when others were dropped');
}
