import { closeSync, fdatasync, fsync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { isRecord } from '../lib/is-record.js';
import { parseJson } from '../lib/parse-json.js';
import type { Commit } from '../simulation/state/changes.js';
import { format, type JournalFile, journalPath, syncFolder } from './folder.js';
import { type Line, readLines } from './lines.js';
import { storedCommit } from './stored-commit.js';

/**
 * A journal is a file of JSON objects, one per line, each ending with `"sum"`, the CRC-32 of the preceding part of the
 * line. The first line says what the journal follows, each other line is a commit:
 *
 *     {"format":"billing-sim/2","first":12,"lease":3,"sum":"5f0c2b7e"}
 *     {"seq":12,"commit":{…},"sum":"1c291ca3"}
 *
 * Version 1 had no first line, and its sum covered only the commit: `{"seq":12,"sum":"1c291ca3","commit":{…}}`.
 */
const sumLength = ',"sum":"00000000"}'.length;
const firstVersion = /^\{"seq":(\d+),"sum":"([0-9a-f]{8})","commit":(.*)\}$/s;

export function journalLine(seq: number, commit: Commit): string {
  return sealed(`{"seq":${seq},"commit":${JSON.stringify(storedCommit(commit))}`);
}

function headerLine(first: number, lease: number): string {
  return sealed(`{"format":"${format}","first":${first},"lease":${lease}`);
}

function sealed(text: string): string {
  return `${text},"sum":"${checksum(text)}"}\n`;
}

function checksum(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(8, '0');
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
  for await (const lines of readLines(path)) for (const line of lines) yield entryOf(line, lease === 0);
}

type Fields = Readonly<Record<string, unknown>>;

function entryOf({ bytes, offset, isEnded }: Line, isFirstVersion: boolean): JournalEntry {
  const read = isFirstVersion ? readFirstVersion : readSealed;
  const value = read(bytes) ?? (isEnded ? undefined : read(bytes.subarray(0, -1)));
  // A complete last line counts, even if its newline is missing or damaged.
  if (value === undefined) return { kind: isEnded ? 'damaged' : 'incomplete', offset };
  const { format, first, lease, seq, commit } = value;
  if (format !== undefined) return { kind: 'header', format, first, lease };
  if (typeof seq !== 'number') return { kind: 'damaged', offset };
  return { kind: 'commit', seq, commit, offset };
}

function readSealed(bytes: Buffer): Fields | undefined {
  const end = bytes.length - sumLength;
  if (end < 0 || bytes.toString('latin1', end) !== `,"sum":"${checksum(bytes.subarray(0, end))}"}`) return undefined;
  const value = parseJson(bytes.toString());
  return isRecord(value) ? value : undefined;
}

function readFirstVersion(bytes: Buffer): Fields | undefined {
  const [, seq, sum, text] = firstVersion.exec(bytes.toString()) ?? [];
  if (text === undefined || sum !== checksum(text)) return undefined;
  return { seq: Number(seq), commit: parseJson(text) };
}

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
  /** Whether there may be bytes after the last complete line. */
  #isTorn = false;
  /** Whether the creation of the file is not durable yet. */
  #isNew = true;

  constructor(folder: string, first: number, lease: number, durability: Durability) {
    this.first = first;
    this.#path = journalPath(folder, first, lease);
    this.#header = headerLine(first, lease);
    this.#durability = durability;
  }

  /** Creates the file without commits, which records what the checkpoint must contain. */
  create(): void {
    if (this.size > 0) return;
    try {
      this.#write(Buffer.from(this.#header));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Settles once the current file is durable. */
  async sync(): Promise<void> {
    if (this.#file !== undefined) await promisify(fsync)(this.#file);
    await syncFolder(dirname(this.#path));
    this.#isNew = false;
  }

  /**
   * Appends lines, all or none. With durability `os` they survive this process; with `disk` they survive a crash of the
   * machine.
   */
  async append(lines: string): Promise<void> {
    const before = this.size;
    const file = this.#write(Buffer.from(before === 0 ? this.#header + lines : lines));
    if (this.#durability === 'os') return;
    try {
      await promisify(fdatasync)(file);
      if (this.#isNew) await syncFolder(dirname(this.#path));
      this.#isNew = false;
    } catch (error) {
      this.size = before;
      this.#truncate(file);
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

  #write(data: Buffer): number {
    this.#file ??= openSync(this.#path, 'a', 0o600);
    if (this.#isTorn) this.#truncate(this.#file);
    this.#isTorn = true;
    try {
      for (let written = 0; written < data.length; ) written += writeSync(this.#file, data, written);
    } catch (error) {
      this.#truncate(this.#file);
      throw error;
    }
    this.#isTorn = false;
    this.size += data.length;
    return this.#file;
  }

  /** Removes bytes after the last complete line. If that fails, too, nothing is written until it succeeds. */
  #truncate(file: number): void {
    this.#isTorn = true;
    ftruncateSync(file, this.size);
    this.#isTorn = false;
  }
}
