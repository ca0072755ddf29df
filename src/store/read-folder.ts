import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isRecord } from '../lib/json.js';
import { quote } from '../lib/messages.js';
import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import { type Checkpoint, CheckpointFile, readTables } from './checkpoint.js';
import {
  checkpointPath,
  dataFolderFormat,
  type JournalFile,
  journalsIn,
  snapshotFileName,
  snapshotFilesIn,
  snapshotNumber,
} from './folder.js';
import { type JournalEntry, modeOf, readJournal } from './journal.js';
import { folderInsteadOfFile, type ReportProblem } from './problem.js';
import { type RowSource, validRows } from './rows.js';
import type { StoredTables } from './stored-tables.js';

export interface ReadOptions {
  readonly report: ReportProblem;
  /**
   * Applies if commits are missing and `report` returns: `stop` drops the commits that follow, which are based on the
   * missing ones; `continue` keeps them.
   */
  readonly afterMissingCommits: 'stop' | 'continue';
  /** True to not validate the rows of a checkpoint that nobody has changed since it was written. */
  readonly trustsUnchangedFiles: boolean;
}

/** The rows of one account. */
export type AccountRows = Omit<Commit, 'mode'>;

/** State of a data folder after its commits were read. */
export interface FolderState {
  /** Numbers of the last commit, and of the last one in the checkpoint. */
  readonly seq: number;
  readonly checkpointSeq: number;
  /** Highest lease number of the journals. */
  readonly lease: number;
  /** Sizes of the checkpoint and of all journals, in bytes. */
  readonly checkpointSize: number;
  readonly journalSize: number;
  /** Journals that are not read, or not to their end, because commits are missing. */
  readonly skippedJournals: readonly JournalFile[];
  /** Paths of snapshot files in a folder that has lost all its commits. */
  readonly orphanedSnapshots: readonly string[];
  /** Snapshot contents that version 1 stored inline, keyed by the file to write them to. */
  readonly inlineSnapshots: ReadonlyMap<string, AccountRows>;
  /** Number of the last snapshot file. */
  readonly lastSnapshot: number;
  /** True if any file is of version 1. */
  readonly isVersion1: boolean;
  /** Incomplete last line of the last journal after a crash; at offset 0 if the journal contains no complete line. */
  readonly incompleteLine: { readonly path: string; readonly offset: number } | undefined;
}

/** Reads a data folder without changing it: yields every commit, oldest first, and returns the state of the folder. */
export async function* readFolder(folder: string, options: ReadOptions): AsyncGenerator<Commit, FolderState> {
  const journals = await journalsIn(folder);
  const file = new CheckpointFile(checkpointPath(folder), options.report);
  const checkpoint = await file.read();
  const snapshots = await snapshotFilesIn(folder);
  const reader = new FolderReader(folder, options, snapshots);
  if (checkpoint) yield* reader.readCheckpoint(checkpoint);
  yield* reader.readJournals(journals);
  reader.checkSnapshots();
  const state = reader.state();
  const orphanedSnapshots = state.seq === 0 ? reportOrphanedSnapshots(folder, snapshots, options.report) : [];
  return { ...state, orphanedSnapshots, checkpointSize: file.size };
}

class FolderReader {
  readonly #folder: string;
  readonly #report: ReportProblem;
  readonly #afterMissingCommits: ReadOptions['afterMissingCommits'];
  readonly #trustsUnchangedFiles: boolean;
  readonly #inlineSnapshots = new Map<string, AccountRows>();
  readonly #skippedJournals: JournalFile[] = [];
  /** The files that the rows of snapshots refer to, by account and name of the snapshot. */
  readonly #snapshots = new Map<string, Map<string, string>>();
  /** Number of the last commit that the journals contain, or that precedes them. */
  #lastJournaled = 0;
  /** Names of the snapshot files in the folder. */
  readonly #snapshotFiles: ReadonlySet<string>;
  #lastSnapshot: number;
  #checkpointSeq = 0;
  #seq = 0;
  /** Number of the last missing commit that was reported, if reading continued after it. */
  #lastMissing = 0;
  #lease = 0;
  #journalSize = 0;
  #isVersion1 = false;
  #hasCheckpoint = false;
  #incompleteLine: FolderState['incompleteLine'];

  constructor(folder: string, options: ReadOptions, snapshots: readonly string[]) {
    this.#folder = folder;
    this.#report = options.report;
    this.#afterMissingCommits = options.afterMissingCommits;
    this.#trustsUnchangedFiles = options.trustsUnchangedFiles;
    this.#snapshotFiles = new Set(snapshots);
    this.#lastSnapshot = lastNumberOf(snapshots);
  }

  state(): Omit<FolderState, 'checkpointSize' | 'orphanedSnapshots'> {
    return {
      seq: this.#seq,
      checkpointSeq: this.#checkpointSeq,
      lease: this.#lease,
      journalSize: this.#journalSize,
      skippedJournals: this.#skippedJournals,
      inlineSnapshots: this.#inlineSnapshots,
      lastSnapshot: this.#lastSnapshot,
      isVersion1: this.#isVersion1,
      incompleteLine: this.#incompleteLine,
    };
  }

  async *readCheckpoint({ format: version, seq, accounts, isUnchanged }: Checkpoint): AsyncGenerator<Commit> {
    const file = checkpointPath(this.#folder);
    this.#hasCheckpoint = true;
    this.#checkpointSeq = seq;
    this.#seq = seq;
    if (version !== dataFolderFormat) this.#isVersion1 = true;
    const source = isUnchanged && this.#trustsUnchangedFiles ? 'unchanged-file' : 'file';
    for (const [account, tables] of accounts) {
      const changes = await this.#validate(tables, source, version !== dataFolderFormat, account, file);
      if (changes.account?.length === 1 && changes.account[0]?.id === account)
        yield { account, changes, mode: 'merge' };
      else
        this.#report({
          kind: 'invalid',
          file,
          message: `account ${account} must have exactly one row \`account\`, with its id`,
        });
    }
  }

  async *readJournals(journals: readonly JournalFile[]): AsyncGenerator<Commit> {
    if (this.#hasCheckpoint && journals.length === 0 && !this.#isVersion1) {
      this.#report({
        kind: 'rolled-back',
        file: this.#folder,
        message: 'the journal that belongs to db.json is missing, with all commits in it',
      });
    }
    for (const [index, journal] of journals.entries()) {
      this.#lease = Math.max(this.#lease, journal.lease);
      const stats = await stat(journal.path);
      if (stats.isDirectory()) {
        this.#report(folderInsteadOfFile(journal.path));
        continue;
      }
      this.#journalSize += stats.size;
      if (!this.#checkSequence(journal, journal.first)) continue;
      // For a journal of version 2, `#readCommits` does this once it has read the header.
      if (journal.lease === 0 || this.#isVersion1)
        this.#lastJournaled = Math.max(this.#lastJournaled, journal.first - 1);
      const next = journals[index + 1];
      // If another process took over the folder, the commits that the previous lock holder wrote afterwards were never
      // acknowledged, and have the same numbers as commits of the next journal. They are ignored.
      const endSeq = next && next.lease > journal.lease ? next.first : Number.POSITIVE_INFINITY;
      yield* this.#readCommits(journal, endSeq, next === undefined);
    }
    // Each checkpoint is written after a new journal has been started, so the journals reach at least as far.
    if (this.#lastJournaled < this.#checkpointSeq && journals.length > 0 && this.#skippedJournals.length === 0) {
      const cutJournal = this.#incompleteLine?.offset === 0 ? this.#incompleteLine.path : undefined;
      this.#report({
        kind: 'rolled-back',
        file: cutJournal ?? this.#folder,
        message: cutJournal
          ? 'this journal was cut off before its first commit, and all commits that it held are missing'
          : `db.json has commits up to ${this.#checkpointSeq}, but the journal ends with ${this.#lastJournaled}: they do not belong together`,
      });
    }
  }

  /** Reports snapshots whose file is missing. */
  checkSnapshots(): void {
    for (const [account, snapshots] of this.#snapshots) {
      for (const [name, file] of snapshots) {
        if (this.#snapshotFiles.has(file) || this.#inlineSnapshots.has(file)) continue;
        const message = `this file, which holds the snapshot ${quote(name)} of account ${account}, is missing`;
        this.#report({ kind: 'damaged', file: join(this.#folder, file), message });
      }
    }
  }

  /**
   * Checks that a commit is the next one, or was already read. Otherwise reports the missing commits.
   * @returns whether to read on
   */
  #checkSequence(journal: JournalFile, seq: number): boolean {
    const firstMissing = Math.max(this.#seq, this.#lastMissing) + 1;
    if (seq <= firstMissing) return true;
    const missing = seq - 1 === firstMissing ? `commit ${seq - 1} is` : `commits ${firstMissing} to ${seq - 1} are`;
    this.#report({
      kind: 'rolled-back',
      file: journal.path,
      message: `${missing} missing: ${this.#precedingText()}, and this journal continues with ${seq}`,
    });
    if (this.#afterMissingCommits === 'stop') {
      this.#skippedJournals.push(journal);
      return false;
    }
    this.#lastMissing = seq - 1;
    return true;
  }

  /** Says what precedes missing commits. */
  #precedingText(): string {
    if (this.#hasCheckpoint || this.#seq > 0) return `the preceding commit is ${this.#seq}`;
    return existsSync(checkpointPath(this.#folder)) ? 'db.json cannot be used' : 'db.json is missing';
  }

  /** @param endSeq number of the first commit to ignore */
  async *#readCommits(journal: JournalFile, endSeq: number, isLastJournal: boolean): AsyncGenerator<Commit> {
    const { path, lease } = journal;
    const isVersion1 = lease === 0;
    let isFirstEntry = true;
    for await (const entry of readJournal(journal)) {
      const isHeaderDue = isFirstEntry && !isVersion1;
      isFirstEntry = false;
      if (entry.kind === 'incomplete' && isLastJournal) this.#incompleteLine = { path, offset: entry.offset };
      if (entry.kind === 'incomplete' || !this.#checkLine(entry, journal, isHeaderDue)) continue;
      if (entry.kind === 'header') {
        if (!this.#checkHeader(entry, journal)) return;
        this.#lastJournaled = Math.max(this.#lastJournaled, journal.first - 1);
        continue;
      }
      if (entry.seq >= endSeq) continue;
      this.#lastJournaled = Math.max(this.#lastJournaled, entry.seq);
      if (this.#checkIsNew(journal, entry)) {
        const commit = await this.#readCommit(entry.commit, path, `byte ${entry.offset}`, isVersion1);
        this.#seq = entry.seq;
        if (commit) yield commit;
      } else if (this.#skippedJournals.includes(journal)) return; // `#checkSequence` has found commits missing.
    }
    if (isFirstEntry && isLastJournal) this.#incompleteLine = { path, offset: 0 };
    if (isVersion1) this.#isVersion1 = true;
  }

  /** Checks that a line is intact, and that it is a header if and only if one is due. */
  #checkLine(
    entry: Exclude<JournalEntry, { kind: 'incomplete' }>,
    { path: file }: JournalFile,
    isHeaderDue: boolean,
  ): entry is Exclude<JournalEntry, { kind: 'incomplete' | 'damaged' }> {
    if (entry.kind === 'damaged') {
      const message = 'this line differs from what was written';
      this.#report({ kind: 'damaged', file, place: `byte ${entry.offset}`, message });
      return false;
    }
    const isHeader = entry.kind === 'header';
    if (isHeader === isHeaderDue) return true;
    const place = isHeader ? undefined : `byte ${entry.offset}`;
    this.#report({ kind: 'damaged', file, place, message: 'the journal must begin with one header line' });
    return false;
  }

  #checkHeader(entry: JournalEntry & { kind: 'header' }, { path, first, lease }: JournalFile): boolean {
    if (entry.format !== dataFolderFormat) {
      const message = `this was written by a newer version of billing-sim (format ${String(entry.format)})`;
      this.#report({ kind: 'newer', file: path, message });
      return false;
    }
    if (entry.first === first && entry.lease === lease) return true;
    const name = basename(path);
    this.#report({
      kind: 'damaged',
      file: path,
      message: `${name} is not the name that this journal was written under`,
    });
    return false;
  }

  /** Checks that a commit has not been read yet. Skips commits in the checkpoint. @returns whether to apply it */
  #checkIsNew(journal: JournalFile, { seq, offset }: { readonly seq: number; readonly offset: number }): boolean {
    if (seq > this.#seq) return this.#checkSequence(journal, seq);
    if (seq > this.#checkpointSeq) {
      const message = `commit ${seq} appears twice`;
      this.#report({ kind: 'damaged', file: journal.path, place: `byte ${offset}`, message });
    }
    return false;
  }

  async #readCommit(value: unknown, file: string, place: string, isVersion1: boolean): Promise<Commit | undefined> {
    const { account, put, before }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
    const mode = modeOf(before);
    if (typeof account !== 'string' || mode === undefined) {
      this.#report({ kind: 'invalid', file, place, message: 'this is not a commit' });
      return undefined;
    }
    if (mode !== 'merge') this.#snapshots.delete(account);
    const tables = readTables(put, `account ${account}`, file, this.#report, place);
    const changes = await this.#validate(tables, 'commit', isVersion1, account, file, place);
    return { account, changes, mode };
  }

  async #validate(
    tables: StoredTables,
    source: RowSource,
    isVersion1: boolean,
    account: string,
    file: string,
    place?: string,
  ): Promise<RowsByTable> {
    const report = ({ message }: { readonly message: string }): void =>
      this.#report({ kind: 'invalid', file, place, message: `account ${account}: ${message}` });
    const migrated = isVersion1 ? await this.#migrate(tables, account, file, place) : tables;
    const changes = await validRows(migrated, report, source);
    for (const { name, contents } of changes.snapshots ?? []) {
      const files = this.#snapshots.get(account) ?? new Map<string, string>();
      if (contents === null) files.delete(name);
      else files.set(name, contents);
      this.#snapshots.set(account, files);
    }
    return changes;
  }

  /** Migrates rows of version 1. */
  async #migrate(tables: StoredTables, account: string, file: string, place?: string): Promise<StoredTables> {
    return {
      ...(await this.#withoutInlineSnapshots(tables, account, file, place)),
      ...(tables['account'] && { account: tables['account'].map(withCurrentChoices) }),
    };
  }

  /**
   * Replaces snapshot contents, which version 1 stored in the rows of the `snapshots` table, with the names of files.
   * `#inlineSnapshots` collects the contents to write there.
   */
  async #withoutInlineSnapshots(
    tables: StoredTables,
    account: string,
    file: string,
    place?: string,
  ): Promise<StoredTables> {
    const { snapshots } = tables;
    if (snapshots === undefined) return tables;
    const rows: unknown[] = [];
    for (const row of snapshots) {
      if (!isRecord(row) || !isRecord(row['contents'])) {
        rows.push(row);
        continue;
      }
      this.#lastSnapshot += 1;
      const name = snapshotFileName(this.#lastSnapshot);
      const contents = readTables(row['contents'], 'contents', file, this.#report, place);
      const changes = await this.#validate(contents, 'file', true, account, file, place);
      this.#inlineSnapshots.set(name, { account, changes });
      rows.push({ ...row, contents: name });
    }
    return { ...tables, snapshots: rows };
  }
}

/** Replaces a choice that only version 1 had: all responses have rate-limit headers now. */
function withCurrentChoices(row: unknown): unknown {
  if (!isRecord(row) || !isRecord(row['profile'])) return row;
  const { profile } = row;
  if (profile['rate.unauthenticated'] !== 'neither') return row;
  return { ...row, profile: { ...profile, 'rate.unauthenticated': 'uncounted' } };
}

function lastNumberOf(snapshots: readonly string[]): number {
  return Math.max(0, ...snapshots.map(snapshotNumber));
}

/**
 * Reports snapshot files in a folder without commits: each is written shortly before a commit that refers to it, so the
 * commits have been lost.
 * @param names names of all snapshot files
 * @returns paths of the files
 */
function reportOrphanedSnapshots(folder: string, names: readonly string[], report: ReportProblem): string[] {
  // An unfinished file proves no loss: a crash may have left it before the first commit.
  const finished = names.filter((name) => !name.endsWith('.tmp'));
  if (finished.length > 0) {
    const message = 'there are saved snapshots, but no commits: db.json and the journals are missing or unusable';
    report({ kind: 'rolled-back', file: folder, message });
  }
  return finished.map((name) => join(folder, name));
}
