import { maxClockTimeMs, parseDateOrTime } from '../domain/dates.js';
import { namePattern } from '../domain/name-pattern.js';
import { snapshotFileFormat } from '../domain/snapshot-file-format.js';
import { isRecord } from '../lib/json.js';
import { InputError } from '../lib/user-error.js';
import type { RowsByTable } from '../simulation/state/changes.js';
import { brokenReferences } from '../simulation/state/references.js';
import { type SnapshotFile, snapshotFileVersion } from '../simulation/state/snapshot-file.js';
import { withCurrentNames } from './renamed-fields.js';
import { loadRowValidators, repeatedRows } from './rows.js';
import { rowsWithInvalidEffects } from './stored-effects.js';
import { type InvalidRow, tablesOf } from './stored-tables.js';

/** Thrown for a snapshot file that cannot be imported. The message says where it is invalid. */
class SnapshotFileError extends InputError {
  override readonly name = 'SnapshotFileError';

  constructor(message: string) {
    super([], message);
  }
}

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Tables of an account that are not part of a snapshot. */
const excludedTables = ['tokens', 'snapshots'];

/** Validates a snapshot file as strictly as the rows of a data folder. @throws SnapshotFileError */
export async function readSnapshotFile(value: unknown): Promise<SnapshotFile> {
  if (!isRecord(value) || value['format'] !== snapshotFileFormat) {
    throw new SnapshotFileError(`this is not a snapshot file: format must be ${snapshotFileFormat}`);
  }
  const { version, written_by, name, created_at, tables } = value;
  if (typeof version === 'number' && version > snapshotFileVersion) {
    const writer = typeof written_by === 'string' ? ` (${written_by.slice(0, 40)})` : '';
    throw new SnapshotFileError(
      `version ${version} was written by a newer billing-sim${writer}; this billing-sim reads only version ${snapshotFileVersion}; update billing-sim to import the file`,
    );
  }
  if (version !== snapshotFileVersion) throw new SnapshotFileError(`version must be ${snapshotFileVersion}`);
  if (typeof written_by !== 'string') throw new SnapshotFileError('written_by must be a string');
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw new SnapshotFileError(
      'name must have 1 to 63 lowercase letters, digits, hyphens and underscores, and begin with a letter or digit',
    );
  }
  if (typeof created_at !== 'string' || !isClockTime(created_at)) {
    throw new SnapshotFileError('created_at must be a time such as 2026-03-01T09:00:00.000Z');
  }
  return { format: snapshotFileFormat, version, written_by, name, created_at, tables: await readTables(tables) };
}

/** True if a string has the format of stored times, and is a time that a clock can show. */
function isClockTime(text: string): boolean {
  if (!instantPattern.test(text)) return false;
  const at = parseDateOrTime(text);
  return at !== undefined && at <= maxClockTimeMs;
}

async function readTables(value: unknown): Promise<RowsByTable> {
  if (!isRecord(value)) throw new SnapshotFileError('tables must be an object');
  const tables = withCurrentNames(value);
  const excluded = excludedTables.find((name) => Object.hasOwn(tables, name));
  if (excluded) throw new SnapshotFileError(`tables.${excluded} is not allowed in a snapshot file`);
  const { areValidRows } = await loadRowValidators();
  const invalidRows: InvalidRow[] = [];
  if (!areValidRows(tables, (invalid) => invalidRows.push(invalid))) {
    const others = invalidRows.length > 1 ? ` (and ${invalidRows.length - 1} more)` : '';
    throw new SnapshotFileError(`tables.${invalidRows[0]?.message}${others}`);
  }
  const { account, origin } = tables;
  if (account?.length !== 1) throw new SnapshotFileError('tables.account must have exactly one row');
  if (origin?.length !== 1) throw new SnapshotFileError('tables.origin must have exactly one row');
  const [repeated] = repeatedRows(tablesOf(tables));
  if (repeated) throw new SnapshotFileError(`tables.${repeated.message}`);
  const [invalidEffect] = await rowsWithInvalidEffects(tablesOf(tables));
  if (invalidEffect) throw new SnapshotFileError(`tables.${invalidEffect.message}`);
  const [broken] = brokenReferences(tables);
  if (broken) throw new SnapshotFileError(`tables.${broken.message}`);
  return tables;
}
