import type { snapshotFileFormat } from '../../domain/snapshot-file-format.js';
import type { RowsByTable } from './changes.js';

/** The version of the format that is written. Files of a newer version cannot be read. */
export const snapshotFileVersion = 1;

/**
 * A snapshot exported to a file, which any simulator can import. It contains no tokens, no secrets and no random seed.
 */
export interface SnapshotFile {
  readonly format: typeof snapshotFileFormat;
  readonly version: typeof snapshotFileVersion;
  /** Version of billing-sim. */
  readonly written_by: string;
  readonly name: string;
  /** Time of the snapshot on the clock of its account. */
  readonly created_at: string;
  readonly tables: RowsByTable;
}
