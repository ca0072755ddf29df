import { isRecord } from '../lib/json.js';

/** Current names of fields, and of values of a field, that were stored under another name. */
interface Renames {
  readonly fields?: Readonly<Record<string, string>>;
  readonly values?: { readonly field: string; readonly names: Readonly<Record<string, string>> };
}

const renamesByTable: Readonly<Record<string, Renames>> = {
  attempts: {
    fields: { answer: 'response_body', next_at: 'next_attempt_at', done: 'applied_faults', undone: 'skipped_faults' },
    values: { field: 'by', names: { hand: 'manual' } },
  },
  deliveries: { fields: { held: 'delay', releases: 'overtakes' } },
  payments: { fields: { ends: 'scheduled_end' } },
  mails: { fields: { next_at: 'next_attempt_at' } },
  runs: { fields: { played: 'completed_steps' } },
  faults: {
    fields: { seen: 'times_matched', hits: 'times_fired' },
    values: { field: 'stage', names: { call: 'request', answer: 'response' } },
  },
};

/** Current names of tables that were stored under another name. */
const renamedTables = new Map([['replays', 'keyed_responses']]);

/**
 * Replaces former names of tables, fields and values, so that rows that were stored before a renaming can still be
 * read.
 * @param tables rows by table; a value that is not an array is left unchanged
 */
export function withCurrentNames<Rows>(tables: Readonly<Record<string, Rows>>): Record<string, Rows | unknown[]> {
  const renamed: Record<string, Rows | unknown[]> = Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [renamedTables.get(table) ?? table, rows]),
  );
  for (const [table, renames] of Object.entries(renamesByTable)) {
    const rows = tables[table];
    if (Array.isArray(rows)) renamed[table] = rows.map((row) => (isRecord(row) ? renameIn(row, renames) : row));
  }
  return renamed;
}

function renameIn(row: Readonly<Record<string, unknown>>, { fields = {}, values }: Renames): object {
  const newValue = values?.names[String(row[values.field])];
  const hasFormerField = Object.keys(fields).some((name) => Object.hasOwn(row, name));
  if (newValue === undefined && !hasFormerField) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      fields[name] ?? name,
      name === values?.field ? (newValue ?? value) : value,
    ]),
  );
}
