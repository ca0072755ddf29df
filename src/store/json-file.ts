import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Low } from 'lowdb';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import type { Store } from '../simulation/state/ports.js';
import { type Checkpoint, CheckpointFile } from './checkpoint.js';
import {
  checkpointPath,
  dataFolderFormat,
  ensureDataFolder,
  journalsIn,
  setAside,
  snapshotFileName,
  snapshotFilesIn,
  snapshotNumber,
  toDataFolderError,
} from './folder.js';
import { type Durability, JournalWriter, journalLine } from './journal.js';
import { type FolderLock, lockFolder } from './lock.js';
import { DataFolderError, describeProblem, type Problem, throwProblem } from './problem.js';
import { type FolderState, readFolder } from './read-folder.js';
import { readSnapshot } from './read-snapshot.js';
import { tablesOf } from './stored-tables.js';

export interface JsonFileStoreOptions {
  readonly folder: string;
  readonly durability: Durability;
  /** Returns all rows in memory, for a checkpoint, as one commit per account. */
  readonly allRows: () => readonly Commit[];
  /** Called with notices that are not failures, for example that an incomplete line was dropped. */
  readonly onNotice: (notice: string) => void;
  /**
   * Called when a checkpoint could not be written, or files that it replaces could not be removed. Nothing is lost: the
   * journals contain everything.
   */
  readonly onCheckpointFailure: (error: unknown) => void;
  /**
   * Size of the journals, in bytes, above which a checkpoint is written; default: 32 MB or the size of the last
   * checkpoint, whichever is larger. After a failed checkpoint, the next one is due when the journals have grown by
   * this size.
   */
  readonly journalLimit?: number | undefined;
  /** True to continue without commits that are missing because a file was deleted or replaced by an older one. */
  readonly acceptRollback?: boolean;
}

const defaultJournalLimit = 32 * 1024 * 1024;

/** Journal lines of commits that are written together. */
class Batch {
  readonly lines: string[] = [];
  readonly stored: Promise<void>;
  resolve: () => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.stored = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/**
 * Opens a data folder: a checkpoint (`db.json`), journals of the commits since, and a file for each snapshot. Commits
 * that wait at the same time are written together. Changes no existing data before `begin`.
 * @throws DataFolderError if the folder is not a data folder, is in use, or cannot be read or written
 */
export async function openJsonFileStore(options: JsonFileStoreOptions): Promise<Store> {
  const removeCreatedFolders = await ensureDataFolder(options.folder);
  try {
    return new JsonFileStore(options, await lockFolder(options.folder), removeCreatedFolders);
  } catch (error) {
    await removeCreatedFolders();
    throw toDataFolderError(options.folder, error);
  }
}

class JsonFileStore implements Store {
  readonly #options: JsonFileStoreOptions;
  readonly #lock: FolderLock;
  readonly #removeCreatedFolders: () => Promise<void>;
  readonly #checkpointFile: CheckpointFile;
  readonly #db: Low<Checkpoint>;
  #state: FolderState | undefined;
  #hasBegun = false;
  #journal: JournalWriter | undefined;
  /** Number of the last commit, including those that are waiting. */
  #seq = 0;
  /** Number of the last commit in the checkpoint. */
  #checkpointSeq = 0;
  /** Size of the journals before the current one, in bytes. */
  #earlierJournalsSize = 0;
  /** Size of all journals when the last checkpoint failed, in bytes; 0 if it was written. */
  #journalsSizeAtFailure = 0;
  /** True if a checkpoint is due regardless of the size of the journals, until it is written. */
  #isCheckpointDue = false;
  /** Set once the lock is lost; after that every write fails with this error. */
  #lostLockError: DataFolderError | undefined;
  /** The commits that are written next. */
  #waitingBatch: Batch | undefined;
  #flushing: Promise<void> | undefined;
  #checkpointing: Promise<void> | undefined;
  #lastSnapshot = 0;
  /** Snapshot files that no commit refers to yet. */
  readonly #newSnapshots = new Set<string>();

  constructor(options: JsonFileStoreOptions, lock: FolderLock, removeCreatedFolders: () => Promise<void>) {
    this.#options = options;
    this.#lock = lock;
    this.#removeCreatedFolders = removeCreatedFolders;
    this.#checkpointFile = new CheckpointFile(checkpointPath(options.folder), throwProblem, () => lock.check());
    this.#db = new Low<Checkpoint>(this.#checkpointFile, { format: dataFolderFormat, seq: 0, accounts: new Map() });
  }

  async *load(): AsyncGenerator<Commit> {
    const { folder, acceptRollback, onNotice } = this.#options;
    const report = (problem: Problem): void => {
      if (problem.kind !== 'rolled-back' || !acceptRollback) throwProblem(problem);
      onNotice(`${describeProblem(problem)}; continuing without the missing commits because of --accept-rollback`);
      this.#isCheckpointDue = true;
    };
    try {
      const state = yield* readFolder(folder, { report, afterMissingCommits: 'stop', trustsUnchangedFiles: true });
      this.#state = state;
      this.#seq = state.seq;
      this.#checkpointSeq = state.checkpointSeq;
      this.#checkpointFile.size = state.checkpointSize;
      this.#earlierJournalsSize = state.journalSize;
      this.#isCheckpointDue ||= state.isVersion1;
      this.#lastSnapshot = state.lastSnapshot;
    } catch (error) {
      throw toDataFolderError(folder, error);
    }
  }

  async begin(): Promise<void> {
    const { inlineSnapshots, skippedJournals, orphanedSnapshots, incompleteLine } = this.#loaded();
    if (incompleteLine) {
      const { path, offset } = incompleteLine;
      this.#options.onNotice(
        offset === 0
          ? `${path}: contains no commits, probably because of a crash during its first write`
          : `${path}: dropped the last line, which a crash had left incomplete (byte ${offset})`,
      );
    }
    // Moves snapshots out of `db.json`, where version 1 of the format stored them.
    for (const [name, { account, changes }] of inlineSnapshots) await this.#writeSnapshot(name, account, changes);
    for (const path of [...skippedJournals.map((journal) => journal.path), ...orphanedSnapshots]) {
      await setAside(path);
    }
    this.#hasBegun = true;
    if (this.#waitingBatch || this.#isCheckpointDue) this.#flushing ??= this.#flush();
  }

  append(commit: Commit): Promise<void> {
    for (const { contents: file } of commit.changes.snapshots ?? []) if (file !== null) this.#newSnapshots.delete(file);
    // Before the commit gets its number: this throws if the line would be longer than a string can be.
    const line = journalLine(this.#seq + 1, commit);
    this.#seq += 1;
    this.#waitingBatch ??= new Batch();
    this.#waitingBatch.lines.push(line);
    const { stored } = this.#waitingBatch;
    if (this.#hasBegun) this.#flushing ??= this.#flush();
    return stored;
  }

  async saveContents(account: string, contents: RowsByTable): Promise<string> {
    this.#lastSnapshot += 1;
    const name = snapshotFileName(this.#lastSnapshot);
    this.#newSnapshots.add(name);
    try {
      await this.#writeSnapshot(name, account, contents);
    } catch (error) {
      this.#newSnapshots.delete(name);
      throw error;
    }
    return name;
  }

  async readContents(reference: string): Promise<RowsByTable> {
    const { folder } = this.#options;
    const contents = await readSnapshot(folder, reference, { report: throwProblem, trustsUnchangedFiles: true });
    if (!contents) throw new DataFolderError(`${join(folder, reference)} has been removed`);
    return contents;
  }

  async close(): Promise<void> {
    try {
      await this.#settled();
      if (this.#hasBegun && (this.#isCheckpointDue || this.#seq > this.#checkpointSeq)) this.#startCheckpoint();
      await this.#settled();
      this.#journal?.close();
    } finally {
      this.#lock.release();
      if (!this.#hasBegun) await this.#removeCreatedFolders();
    }
  }

  /** Resolves once nothing is being written. A commit that arrives during a checkpoint starts another flush. */
  async #settled(): Promise<void> {
    while (this.#flushing || this.#checkpointing) await (this.#flushing ?? this.#checkpointing);
  }

  /** Writes all waiting commits together, and repeats this until none are left. */
  async #flush(): Promise<void> {
    // Lets requests that arrived together join the batch.
    await nextTurn();
    let hasFailed = false;
    for (let batch = this.#takeWaiting(); batch; batch = this.#takeWaiting()) {
      const isFirstOfJournal = (this.#journal?.size ?? 0) === 0;
      let journal: JournalWriter;
      try {
        if (this.#lostLockError) throw this.#lostLockError;
        // Checked before the write, too: if the lock was lost earlier, no part of a rejected commit is written.
        this.#lock.check();
        journal = this.#journal ??= this.#newJournal(this.#seq - batch.lines.length + 1);
        await journal.append(batch.lines.join(''), () => this.#lock.check());
      } catch (error) {
        hasFailed = true;
        if (error instanceof DataFolderError) this.#lostLockError = error;
        // All waiting commits are based on the rejected ones.
        for (const rejected of [batch, this.#takeWaiting()]) {
          this.#seq -= rejected?.lines.length ?? 0;
          rejected?.reject(error);
        }
        continue;
      }
      batch.resolve();
      if (isFirstOfJournal) await this.#removeEmptyJournals(journal.first);
    }
    this.#flushing = undefined;
    const limit = this.#options.journalLimit ?? Math.max(defaultJournalLimit, this.#checkpointFile.size);
    // After a failed checkpoint, the next one waits until the journals have grown, so that not every flush tries again.
    const hasFailedBefore = this.#journalsSizeAtFailure > 0;
    const isCheckpointDue =
      (this.#isCheckpointDue && !hasFailedBefore) || this.#journalsSize - this.#journalsSizeAtFailure > limit;
    // After a failure, memory still has the rejected commits, which a checkpoint must not store.
    if (!this.#checkpointing && !hasFailed && isCheckpointDue) this.#startCheckpoint();
  }

  #startCheckpoint(): void {
    this.#checkpointing = this.#checkpoint().finally(() => {
      this.#checkpointing = undefined;
    });
  }

  /** Size of all journals, in bytes. */
  get #journalsSize(): number {
    return this.#earlierJournalsSize + (this.#journal?.size ?? 0);
  }

  #takeWaiting(): Batch | undefined {
    const batch = this.#waitingBatch;
    this.#waitingBatch = undefined;
    return batch;
  }

  /**
   * Writes a checkpoint and starts a new journal. Called while nothing waits, so that memory and journals agree; both
   * are captured before the first await.
   */
  async #checkpoint(): Promise<void> {
    const { allRows, onCheckpointFailure } = this.#options;
    const seq = this.#seq;
    try {
      this.#lock.check();
      const commits = allRows();
      const isSnapshotKept = this.#snapshotFilter(commits);
      // A current journal without commits is kept as the new one.
      const isJournalEmpty = this.#journal?.first === seq + 1;
      const journal = (isJournalEmpty && this.#journal) || this.#newJournal(seq + 1);
      journal.create();
      if (!isJournalEmpty) {
        this.#earlierJournalsSize += this.#journal?.size ?? 0;
        this.#journal?.close();
        this.#journal = journal;
      }
      await journal.sync();
      const accounts = new Map(commits.map(({ account, changes }) => [account, tablesOf(changes)]));
      this.#db.data = { format: dataFolderFormat, seq, accounts };
      await this.#db.write();
      this.#checkpointSeq = seq;
      this.#isCheckpointDue = false;
      await this.#removeObsoleteFiles(seq, isSnapshotKept);
      this.#journalsSizeAtFailure = 0;
    } catch (error) {
      this.#journalsSizeAtFailure = this.#journalsSize;
      onCheckpointFailure(error);
    } finally {
      // lowdb would keep all these rows in memory otherwise.
      this.#db.data = { format: dataFolderFormat, seq, accounts: new Map() };
    }
  }

  /**
   * Removes earlier, empty journals with the same first number as the new one. If a user deleted the new one, a reader
   * would otherwise take an empty one for it, and not notice that commits are missing.
   */
  async #removeEmptyJournals(first: number): Promise<void> {
    try {
      for (const journal of await journalsIn(this.#options.folder)) {
        if (journal.first === first && journal.lease < this.#lease()) await rm(journal.path);
      }
    } catch (error) {
      // The commits are stored anyway.
      this.#options.onCheckpointFailure(error);
    }
  }

  /**
   * Returns a filter for the snapshot files that are in use, are being written, or may be used by a commit that is not
   * written yet.
   */
  #snapshotFilter(commits: readonly Commit[]): (name: string) => boolean {
    const rows = commits.flatMap(({ changes }) => changes.snapshots ?? []);
    const names = new Set([...rows.map(({ contents: file }) => file), ...this.#newSnapshots]);
    const last = this.#lastSnapshot;
    return (name) => names.has(name.replace(/\.tmp$/, '')) || snapshotNumber(name) > last;
  }

  /** Removes journals that the checkpoint covers, and unused snapshot files. */
  async #removeObsoleteFiles(seq: number, isSnapshotKept: (name: string) => boolean): Promise<void> {
    const { folder } = this.#options;
    const lease = this.#lease();
    this.#lock.check();
    for (const journal of await journalsIn(folder)) {
      if (journal.first <= seq || (journal.first === seq + 1 && journal.lease < lease)) await rm(journal.path);
    }
    this.#earlierJournalsSize = 0;
    for (const name of await snapshotFilesIn(folder)) if (!isSnapshotKept(name)) await rm(join(folder, name));
  }

  async #writeSnapshot(name: string, account: string, contents: RowsByTable): Promise<void> {
    const file = new CheckpointFile(join(this.#options.folder, name), throwProblem, () => this.#lock.check());
    await file.write({ format: dataFolderFormat, seq: this.#seq, accounts: new Map([[account, tablesOf(contents)]]) });
  }

  #newJournal(first: number): JournalWriter {
    return new JournalWriter(this.#options.folder, first, this.#lease(), this.#options.durability);
  }

  /**
   * Number of this process's lease, the period in which it holds the lock. Each process that takes the lock gets the next
   * number. Once a journal of a higher lease begins, readers ignore what processes with lower leases write after that.
   */
  #lease(): number {
    return this.#loaded().lease + 1;
  }

  #loaded(): FolderState {
    if (!this.#state) throw new Error('the store must be loaded before it is written to');
    return this.#state;
  }
}
