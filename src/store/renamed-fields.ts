import { isRecord } from '../lib/json.js';

type Rename = (row: unknown) => unknown;

/** Gives the fields and values of a row their current names, by table. */
const renameByTable: Readonly<Record<string, Rename>> = {
  attempts: renameFields({
    answer: 'response_body',
    next_at: 'next_attempt_at',
    done: 'applied_faults',
    undone: 'skipped_faults',
  }),
  mails: renameFields({ next_at: 'next_attempt_at' }),
  runs: renameFields({ played: 'completed_steps' }),
  faults: renameStage({ call: 'request', answer: 'response' }),
};

/**
 * Replaces former names of fields and values, so that rows that were stored before a renaming can still be read.
 * @param tables rows by table; what is not an array of rows is left as it is
 */
export function withCurrentNames<Rows>(tables: Readonly<Record<string, Rows>>): Record<string, Rows | unknown[]> {
  const renamed: Record<string, Rows | unknown[]> = { ...tables };
  for (const [table, rename] of Object.entries(renameByTable)) {
    const rows = tables[table];
    if (Array.isArray(rows)) renamed[table] = rows.map(rename);
  }
  return renamed;
}

function renameFields(newNames: Readonly<Record<string, string>>): Rename {
  const oldNames = Object.keys(newNames);
  return (row) => {
    if (!isRecord(row) || !oldNames.some((name) => Object.hasOwn(row, name))) return row;
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [newNames[name] ?? name, value]));
  };
}

function renameStage(newStages: Readonly<Record<string, string>>): Rename {
  return (row) => {
    const stage = isRecord(row) ? newStages[String(row['stage'])] : undefined;
    return isRecord(row) && stage !== undefined ? { ...row, stage } : row;
  };
}
