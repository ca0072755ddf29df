import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import type { Commit, Put } from '../simulation/world.js';
import { codeOf, DataFolderError } from './lock.js';

/** What `db.json` holds: everything, as of one commit. */
export interface Snapshot {
  readonly format: typeof format;
  /** Number of the last commit that is in it. */
  readonly seq: number;
  readonly accounts: Readonly<Record<string, Put>>;
}

export const format = 'billing-sim/1';

/** A chunk is written at a time, so that a large snapshot does not keep requests waiting. */
const chunkSize = 64 * 1024;

/**
 * `db.json` as a lowdb adapter. A snapshot replaces the one before at once or not at all: it is written beside it, synced
 * and renamed, which lowdb's own adapter does without the syncs.
 */
export class SnapshotFile implements Adapter<Snapshot> {
  /** Size of the file, in bytes. */
  size = 0;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<Snapshot | null> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
    this.size = Buffer.byteLength(text);
    const snapshot = parse(text);
    if (!isSnapshot(snapshot)) {
      throw new DataFolderError(`${this.#path} is not a snapshot of billing-sim; choose another folder with --data`);
    }
    return snapshot;
  }

  async write(snapshot: Snapshot): Promise<void> {
    const beside = `${this.#path}.tmp`;
    const file = await open(beside, 'w');
    try {
      this.size = await writeChunks(file, lines(snapshot));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, this.#path);
    await syncFolder(dirname(this.#path));
  }
}

export function toCommits(snapshot: Snapshot): Commit[] {
  return Object.entries(snapshot.accounts).map(([account, put]) => ({ account, put }));
}

/** The snapshot's JSON, a row a line, so that a person can read and edit it while the simulator is stopped. */
function* lines(snapshot: Snapshot): Generator<string> {
  yield `{\n"format": ${JSON.stringify(snapshot.format)},\n"seq": ${snapshot.seq},\n"accounts": {`;
  let accountSeparator = '\n';
  for (const [id, tables] of Object.entries(snapshot.accounts)) {
    yield `${accountSeparator}${JSON.stringify(id)}: {`;
    accountSeparator = ',\n';
    let tableSeparator = '\n';
    for (const [table, rows] of Object.entries(tables)) {
      yield `${tableSeparator}  ${JSON.stringify(table)}: [`;
      tableSeparator = ',\n';
      let separator = '\n    ';
      for (const row of rows) {
        yield separator + JSON.stringify(row);
        separator = ',\n    ';
      }
      yield ']';
    }
    yield '}';
  }
  yield '\n}\n}\n';
}

async function writeChunks(file: FileHandle, parts: Iterable<string>): Promise<number> {
  let size = 0;
  let chunk = '';
  const flush = async (): Promise<void> => {
    size += (await file.write(chunk)).bytesWritten;
    chunk = '';
  };
  for (const part of parts) {
    chunk += part;
    if (chunk.length >= chunkSize) await flush();
  }
  await flush();
  return size;
}

/** Makes a rename, or a new file, last. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some file systems cannot sync a folder, and say so.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM') throw error;
  } finally {
    await folder.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === format &&
    'seq' in value &&
    Number.isSafeInteger(value.seq) &&
    'accounts' in value &&
    typeof value.accounts === 'object'
  );
}

/** Names that a data folder may have in it. */
export function isOwnFile(name: string): boolean {
  return ['db.json', 'db.json.tmp', 'lock'].includes(name) || /^(journal-\d+\.ndjson|lock\.\d+)$/.test(name);
}
