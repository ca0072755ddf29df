import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Low } from 'lowdb';
import type { Commit, Store } from '../simulation/world.js';
import { type Durability, JournalWriter, readJournal, writeLine } from './journal.js';
import { codeOf, DataFolderError, lockFolder } from './lock.js';
import { format, isOwnFile, type Snapshot, SnapshotFile, toCommits } from './snapshot.js';

export interface JsonFileStoreOptions {
  readonly folder: string;
  readonly durability: Durability;
  /** Everything that is in memory now, for a snapshot. */
  readonly contents: () => readonly Commit[];
  /** Told what is worth knowing and no failure: that a torn line was dropped. */
  readonly onNotice: (notice: string) => void;
  /** Told when a snapshot could not be written. Nothing is lost by it: the journal has everything. */
  readonly onSnapshotFailure: (error: unknown) => void;
  /** The journal is put into a snapshot when it is larger than this and than the snapshot, in bytes. */
  readonly journalLimit?: number;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a data folder: a snapshot (`db.json`) and journals of what came after it. Commits that wait at the same time are
 * written at once.
 * @throws DataFolderError if the folder is not ours, is in use, or cannot be read or written
 */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<Store> {
  await claimFolder(options.folder);
  const unlock = lockFolder(options.folder);
  return new JsonFileStore(options, unlock);
}

class JsonFileStore implements Store {
  readonly #options: JsonFileStoreOptions;
  readonly #unlock: () => void;
  readonly #snapshotFile: SnapshotFile;
  readonly #db: Low<Snapshot>;
  #journal: JournalWriter | undefined;
  /** Number of the last commit, and of the last one that the snapshot has. */
  #seq = 0;
  #snapshotSeq = 0;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #snapshotting: Promise<void> | undefined;

  constructor(options: JsonFileStoreOptions, unlock: () => void) {
    this.#options = options;
    this.#unlock = unlock;
    this.#snapshotFile = new SnapshotFile(join(options.folder, 'db.json'));
    this.#db = new Low<Snapshot>(this.#snapshotFile, { format, seq: 0, accounts: {} });
  }

  async *load(): AsyncGenerator<Commit> {
    try {
      yield* this.#read();
    } catch (error) {
      this.#unlock();
      throw codeOf(error) === undefined ? error : unusable(this.#options.folder, error);
    }
  }

  async *#read(): AsyncGenerator<Commit> {
    await this.#db.read();
    const snapshot = this.#db.data;
    this.#seq = snapshot.seq;
    this.#snapshotSeq = snapshot.seq;
    yield* toCommits(snapshot);
    // lowdb holds on to what it has read; the rows live in the tables from here on.
    this.#db.data = { ...snapshot, accounts: {} };

    const journals = await journalsIn(this.#options.folder);
    let torn: { path: string; offset: number } | undefined;
    for (const { path } of journals) {
      if (torn)
        throw new DataFolderError(`${torn.path} is damaged at byte ${torn.offset}: its last line is not complete`);
      const lines = readJournal(path, (offset) => {
        torn = { path, offset };
      });
      for await (const { seq, commit } of lines) {
        if (seq <= snapshot.seq) continue;
        if (seq !== this.#seq + 1) {
          throw new DataFolderError(
            `${path} does not follow: commit ${seq} comes after ${this.#seq}; restore the folder`,
          );
        }
        this.#seq = seq;
        yield commit;
      }
    }
    if (torn) {
      this.#options.onNotice(
        `${torn.path}: dropped its last line, which a crash had left incomplete (byte ${torn.offset})`,
      );
    }
    const last = journals.at(-1);
    const path = last?.path ?? journalPath(this.#options.folder, this.#seq + 1);
    const size = torn?.offset ?? (last ? (await stat(last.path)).size : 0);
    this.#journal = new JournalWriter(path, size, this.#options.durability);
  }

  append(commit: Commit): Promise<void> {
    this.#seq += 1;
    const line = writeLine(this.#seq, commit);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#snapshotting;
    if (this.#seq > this.#snapshotSeq) await this.#snapshot();
    this.#journal?.close();
    this.#unlock();
  }

  /** Writes what waits, all of it at once, until nothing waits. */
  async #flush(): Promise<void> {
    // Requests that came in with this one get to wait too.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#theJournal().write(batch.map(({ line }) => line).join(''));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // Whatever waits was made on top of what is refused.
        const refused = [...batch, ...this.#waiting];
        this.#waiting = [];
        this.#seq -= refused.length;
        for (const { reject } of refused) reject(error);
      }
    }
    this.#flushing = undefined;
    const limit = Math.max(this.#options.journalLimit ?? 32 * 1024 * 1024, this.#snapshotFile.size);
    if (this.#snapshotting || this.#theJournal().size <= limit) return;
    this.#snapshotting = this.#snapshot().finally(() => {
      this.#snapshotting = undefined;
    });
  }

  /**
   * Writes everything into a new snapshot and goes on in a new journal. Called while nothing waits, so that what is in
   * memory is what is in the journal; both are taken before the first wait.
   */
  async #snapshot(): Promise<void> {
    const { folder, durability, contents, onSnapshotFailure } = this.#options;
    const seq = this.#seq;
    try {
      const accounts = Object.fromEntries(contents().map(({ account, put }) => [account, put]));
      const outgrown = this.#journal;
      this.#journal = new JournalWriter(journalPath(folder, seq + 1), 0, durability);
      outgrown?.close();
      this.#db.data = { format, seq, accounts };
      await this.#db.write();
      this.#snapshotSeq = seq;
      for (const { path, first } of await journalsIn(folder)) if (first <= seq) await rm(path);
    } catch (error) {
      onSnapshotFailure(error);
    } finally {
      // lowdb would hold on to every row as it was.
      this.#db.data = { format, seq, accounts: {} };
    }
  }

  #theJournal(): JournalWriter {
    if (!this.#journal) throw new Error('the store must be loaded before it is written to');
    return this.#journal;
  }
}

/** Makes the folder, or makes sure that it is one of ours. @throws DataFolderError */
async function claimFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const names = await readdir(folder);
    const ours = names.some((name) => name === 'db.json' || journalForm.test(name)) || names.every(isOwnFile);
    if (!ours) {
      throw new DataFolderError(
        `${folder} is not a data folder of billing-sim (it has ${names[0]} in it); choose an empty one with --data`,
      );
    }
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw codeOf(error) === undefined ? error : unusable(folder, error);
  }
}

/** What the system has to say against a folder. */
function unusable(folder: string, error: unknown): DataFolderError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DataFolderError(`the data folder ${folder} cannot be used (${reason}); choose another with --data`);
}

/** Not `recursive`, with which Node never comes back where a parent exists but takes no folders, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

const journalForm = /^journal-(\d+)\.ndjson$/;

function journalPath(folder: string, first: number): string {
  return join(folder, `journal-${String(first).padStart(12, '0')}.ndjson`);
}

/** The journals of a folder, oldest first, and the number of the first commit that each may hold. */
async function journalsIn(folder: string): Promise<{ path: string; first: number }[]> {
  const names = (await readdir(folder)).filter((name) => journalForm.test(name)).sort();
  return names.map((name) => ({ path: join(folder, name), first: Number(journalForm.exec(name)?.[1]) }));
}
