import { closeSync, fdatasync, fsync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { isRecord, parseJson } from '../lib/json.js';
import type { Commit } from '../simulation/state/changes.js';
import { dataFolderFormat, type JournalFile, journalPath, syncFolder } from './folder.js';
import { type Line, readLines } from './lines.js';
import { DataFolderError } from './problem.js';

/**
 * A commit as stored in journals. `put` holds the changes, and `before` the mode: the names of the first format version,
 * which are kept so that older data folders can still be read.
 */
interface StoredCommit {
  readonly account: string;
  readonly put: Commit['changes'];
  /** If the account's earlier rows were dropped, says why; left out if the changes are merged into them. */
  readonly before?: 'replaced' | 'removed' | undefined;
}

const storedModes = { merge: undefined, replace: 'replaced', remove: 'removed' } as const;

function storedCommit({ account, changes, mode }: Commit): StoredCommit {
  return { account, put: changes, before: storedModes[mode] };
}

/** @returns undefined for an unknown mode */
export function modeOf(before: unknown): Commit['mode'] | undefined {
  if (before === undefined) return 'merge';
  if (before === 'replaced') return 'replace';
  return before === 'removed' ? 'remove' : undefined;
}

/**
 * A journal is a file of JSON objects, one per line, each ending with `"sum"`, the CRC-32 of the preceding part of the
 * line. The first line is a header, with the number of the first commit (`first`) and the `lease`, a number that
 * increases with each process that takes over the folder (see `JournalFile`). Every other line is a commit:
 *
 *     {"format":"billing-sim/2","first":12,"lease":3,"sum":"5f0c2b7e"}
 *     {"seq":12,"commit":{…},"sum":"1c291ca3"}
 *
 * Version 1 had no header, and its sum covered only the commit: `{"seq":12,"sum":"1c291ca3","commit":{…}}`.
 */
const sumKey = ',"sum":"';
const sumLength = `${sumKey}00000000"}`.length;
const version1Pattern = /^\{"seq":(\d+),"sum":"([0-9a-f]{8})","commit":(.*)\}$/s;
/** The part of a line of version 1 before its commit. */
const version1Start = /^\{"seq":\d+,"sum":"([0-9a-f]{8})","commit":/;
const version1StartLength = `{"seq":${Number.MAX_SAFE_INTEGER},"sum":"00000000","commit":`.length;

export function journalLine(seq: number, commit: Commit): string {
  return withChecksum(`{"seq":${seq},"commit":${JSON.stringify(storedCommit(commit))}`);
}

function headerLine(first: number, lease: number): string {
  return withChecksum(`{"format":"${dataFolderFormat}","first":${first},"lease":${lease}`);
}

/** Adds the checksum to a JSON object without its closing brace, and ends the line. */
function withChecksum(text: string): string {
  return `${text}${sumKey}${checksum(text)}"}\n`;
}

function checksum(text: string | Buffer): string {
  return formatChecksum(crc32(text));
}

/** Formats a CRC-32 as 8 hex digits. */
export function formatChecksum(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** A line read from a journal. Offsets are in bytes. */
export type JournalEntry =
  | { readonly kind: 'header'; readonly format: unknown; readonly first: unknown; readonly lease: unknown }
  | { readonly kind: 'commit'; readonly seq: number; readonly commit: unknown; readonly offset: number }
  | { readonly kind: 'damaged'; readonly offset: number }
  /** An incomplete last line after a crash, which was never acknowledged. */
  | { readonly kind: 'incomplete'; readonly offset: number };

/** Reads a journal line by line. */
export async function* readJournal({ path, lease }: JournalFile): AsyncGenerator<JournalEntry> {
  // Journals of version 1 have no lease.
  const isVersion1 = lease === 0;
  for await (const lines of readLines(path)) for (const line of lines) yield entryOf(line, isVersion1);
}

type Fields = Readonly<Record<string, unknown>>;

function entryOf({ bytes, offset, hasNewline }: Line, isVersion1: boolean): JournalEntry {
  const read = isVersion1 ? readVersion1 : readChecksummed;
  const beginsWithLine = isVersion1 ? beginsWithVersion1Line : beginsWithChecksummedLine;
  // Accepts a last line that lacks only its newline, or whose newline has become another byte.
  const value = read(bytes) ?? (hasNewline ? undefined : read(bytes.subarray(0, -1)));
  if (value === undefined) return { kind: hasNewline || beginsWithLine(bytes) ? 'damaged' : 'incomplete', offset };
  const { format, first, lease, seq, commit } = value;
  if (format !== undefined) return { kind: 'header', format, first, lease };
  if (typeof seq !== 'number') return { kind: 'damaged', offset };
  return { kind: 'commit', seq, commit, offset };
}

/**
 * Returns true if bytes begin with a complete line. If the last line does, it is really two lines whose newline is
 * damaged. It must not be dropped as an incomplete line, since the first of the two is complete.
 */
function beginsWithChecksummedLine(bytes: Buffer): boolean {
  for (let sumStart = bytes.indexOf(sumKey); sumStart !== -1; sumStart = bytes.indexOf(sumKey, sumStart + 1)) {
    if (readChecksummed(bytes.subarray(0, sumStart + sumLength)) !== undefined) return true;
  }
  return false;
}

/** Like `beginsWithChecksummedLine`, for version 1, in which only the checksum shows where a commit ends. */
function beginsWithVersion1Line(bytes: Buffer): boolean {
  const [start = '', sum] = version1Start.exec(bytes.toString('latin1', 0, version1StartLength)) ?? [];
  let checkedEnd = start.length;
  let crc = 0;
  for (let end = bytes.indexOf('}', checkedEnd); end !== -1; end = bytes.indexOf('}', end + 1)) {
    crc = crc32(bytes.subarray(checkedEnd, end), crc);
    checkedEnd = end;
    if (formatChecksum(crc) === sum) return true;
  }
  return false;
}

function readChecksummed(bytes: Buffer): Fields | undefined {
  const end = bytes.length - sumLength;
  if (end < 0 || bytes.toString('latin1', end) !== `${sumKey}${checksum(bytes.subarray(0, end))}"}`) return undefined;
  const value = parseJson(bytes.toString());
  return isRecord(value) ? value : undefined;
}

function readVersion1(bytes: Buffer): Fields | undefined {
  const [, seq, sum, text] = version1Pattern.exec(bytes.toString()) ?? [];
  if (text === undefined || sum !== checksum(text)) return undefined;
  return { seq: Number(seq), commit: parseJson(text) };
}

/** Acknowledged writes survive a crash of the process (`os`), or even of the machine (`disk`). */
export type Durability = 'os' | 'disk';

/** Writes a new journal. The file is created with the first commits, or by `create`. */
export class JournalWriter {
  readonly first: number;
  /** Size of the complete lines, in bytes. */
  size = 0;
  readonly #path: string;
  readonly #header: string;
  readonly #durability: Durability;
  #file: number | undefined;
  /** True while there may be bytes after the last complete line. */
  #hasPartialLine = false;
  /** True until the creation of the file is durable. */
  #isNew = true;

  constructor(folder: string, first: number, lease: number, durability: Durability) {
    this.first = first;
    this.#path = journalPath(folder, first, lease);
    this.#header = headerLine(first, lease);
    this.#durability = durability;
  }

  /**
   * Creates the file with only a header. From its `first`, a reader knows that the checkpoint must contain every earlier
   * commit.
   */
  create(): void {
    if (this.size > 0) return;
    try {
      this.#write(Buffer.from(this.#header));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Resolves once the file is durable. */
  async sync(): Promise<void> {
    if (this.#file !== undefined) await promisify(fsync)(this.#file);
    await syncFolder(dirname(this.#path));
    this.#isNew = false;
  }

  /**
   * Appends lines, all or none. With durability `os` they survive a crash of this process; with `disk` also a crash of
   * the machine.
   * @param checkLock called once the lines are written
   */
  async append(lines: string, checkLock: () => void): Promise<void> {
    const sizeBefore = this.size;
    const file = this.#write(Buffer.from(sizeBefore === 0 ? this.#header + lines : lines));
    try {
      if (this.#durability === 'disk') await this.#syncLines(file);
      // A process that has taken over the folder may have read it before this write.
      checkLock();
    } catch (error) {
      // If another process has taken over, it may have read these lines and continue after them, so they must stay.
      if (!(error instanceof DataFolderError)) {
        this.size = sizeBefore;
        this.#truncate(file);
      }
      throw error;
    }
  }

  /** Closes the file; removes it if it is empty. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (this.size === 0) rmSync(this.#path, { force: true });
  }

  async #syncLines(file: number): Promise<void> {
    await promisify(fdatasync)(file);
    if (this.#isNew) await syncFolder(dirname(this.#path));
    this.#isNew = false;
  }

  #write(data: Buffer): number {
    this.#file ??= openSync(this.#path, 'a', 0o600);
    if (this.#hasPartialLine) this.#truncate(this.#file);
    this.#hasPartialLine = true;
    try {
      for (let written = 0; written < data.length; ) written += writeSync(this.#file, data, written);
    } catch (error) {
      this.#truncate(this.#file);
      throw error;
    }
    this.#hasPartialLine = false;
    this.size += data.length;
    return this.#file;
  }

  /** Removes bytes after the last complete line. If this fails, the next write tries it again first. */
  #truncate(file: number): void {
    this.#hasPartialLine = true;
    ftruncateSync(file, this.size);
    this.#hasPartialLine = false;
  }
}
