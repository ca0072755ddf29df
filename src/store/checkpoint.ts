import { isUtf8 } from 'node:buffer';
import { renameSync, rmSync } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Adapter } from 'lowdb';
import { rowValidatorsChecksum } from '../generated/row-validators-checksum.js';
import { errorCode } from '../lib/errors.js';
import { isRecord, parseJson, tryParseJson, withoutByteOrderMark } from '../lib/json.js';
import { repeatedKeys } from '../lib/repeated-keys.js';
import { syncFolder } from './folder.js';
import { formatChecksum } from './journal.js';
import { readLines } from './lines.js';
import { folderInsteadOfFile, type ReportProblem } from './problem.js';
import type { StoredTables } from './stored-tables.js';

/**
 * Contents of `db.json`: everything as of one commit. The file of a saved snapshot has the same format, with the tables
 * of its account alone.
 */
export interface Checkpoint {
  /** Version of the file format. */
  readonly format: string;
  /** Number of the last commit included. */
  readonly seq: number;
  /** Tables by the id of the account. Not an object, which would list ids such as `7` before all others. */
  readonly accounts: ReadonlyMap<string, StoredTables>;
  /** Set when a file is read: true if nobody has changed it since a simulator with the same validators wrote it (`sumEntry`). */
  readonly isUnchanged?: boolean;
}

/** Approximate size of each write, in bytes. Writing in parts keeps a large checkpoint from delaying requests. */
const chunkSize = 64 * 1024;

/**
 * `db.json` or a snapshot file, as a lowdb adapter: JSON with one row per line. People can read and edit it, and it is
 * written and read line by line, so that the maximum length of a string does not limit its size. A file is replaced
 * atomically: the new one is written next to it, synced and renamed; lowdb's own adapter does not sync.
 */
export class CheckpointFile implements Adapter<Checkpoint> {
  /** Size of the file, in bytes. */
  size = 0;
  readonly #path: string;
  readonly #report: ReportProblem;
  readonly #checkLock: () => void;

  /** @param checkLock throws if this process may no longer replace the file */
  constructor(path: string, report: ReportProblem, checkLock: () => void = () => undefined) {
    this.#path = path;
    this.#report = report;
    this.#checkLock = checkLock;
  }

  /** @returns null if the file does not exist or nothing in it is usable */
  async read(): Promise<Checkpoint | null> {
    try {
      const stats = await stat(this.#path);
      if (stats.isDirectory()) {
        this.#report(folderInsteadOfFile(this.#path));
        return null;
      }
      this.size = stats.size;
      if (stats.size === 0) {
        this.#report({ kind: 'damaged', file: this.#path, message: 'this file is empty' });
        return null;
      }
      return await readCheckpoint(this.#path, stats.size, this.#report);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async write(checkpoint: Checkpoint): Promise<void> {
    const temporaryPath = `${this.#path}.tmp`;
    this.#checkLock();
    // A process that has lost the lock may still be writing to this file. Once the file is removed, its writes do no
    // harm.
    rmSync(temporaryPath, { force: true });
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      this.size = await writeFile(file, checkpoint);
      await file.sync();
    } catch (error) {
      // On a full disk, an unfinished file would take up space that journals need.
      await file.truncate();
      throw error;
    } finally {
      await file.close();
    }
    this.#checkLock();
    // Synchronous, to keep the time short in which another process could take over the folder after the check.
    renameSync(temporaryPath, this.#path);
    await syncFolder(dirname(this.#path));
  }
}

/** JSON with one row per line; `LayoutReader` depends on this layout. */
function* linesOf({ format, seq, accounts }: Checkpoint): Generator<string> {
  yield `{\n"format": ${JSON.stringify(format)},\n"seq": ${seq},\n"accounts": {`;
  let betweenAccounts = '\n';
  for (const [id, tables] of accounts) {
    yield `${betweenAccounts}${JSON.stringify(id)}: {`;
    betweenAccounts = ',\n';
    let betweenTables = '\n';
    for (const [table, rows] of Object.entries(tables)) {
      yield `${betweenTables}  ${JSON.stringify(table)}: [`;
      betweenTables = ',\n';
      let betweenRows = '\n    ';
      for (const row of rows) {
        yield betweenRows + JSON.stringify(row);
        betweenRows = ',\n    ';
      }
      yield rows.length > 0 ? '\n  ]' : ']';
    }
    yield '\n}';
  }
  yield '\n},\n';
}

/**
 * The end of a file: the CRC-32 of everything before it. It begins with the checksum of the validators, so it only
 * matches if the file is as a simulator with the same validators wrote it. Its rows then need no validation, which
 * takes a sixth of the start with 100,000 invoices. A file that was edited, or that another version wrote, is validated.
 */
function sumEntry(sum: string): string {
  return `"sum": "${sum}"\n}\n`;
}

const sumEntryLength = sumEntry('00000000').length;

/** @returns the size of the file, in bytes */
async function writeFile(file: FileHandle, checkpoint: Checkpoint): Promise<number> {
  let size = 0;
  let crc = rowValidatorsChecksum;
  let chunk = '';
  const flush = async (): Promise<void> => {
    const data = Buffer.from(chunk);
    chunk = '';
    crc = crc32(data, crc);
    for (let written = 0; written < data.length; ) {
      written += (await file.write(data, written)).bytesWritten;
    }
    size += data.length;
  };
  for (const part of linesOf(checkpoint)) {
    chunk += part;
    if (chunk.length >= chunkSize) await flush();
  }
  await flush();
  chunk = sumEntry(formatChecksum(crc));
  await flush();
  return size;
}

/**
 * Reads a file line by line if it has our layout, otherwise (after a manual edit) as a whole. If the file as a
 * whole is not valid JSON either, reports the invalid lines and returns the valid ones.
 */
async function readCheckpoint(path: string, size: number, report: ReportProblem): Promise<Checkpoint | null> {
  const reader = new LayoutReader();
  let crc = rowValidatorsChecksum;
  let rest = size - sumEntryLength;
  const addToChecksum = (chunk: Buffer): void => {
    crc = crc32(chunk.subarray(0, Math.max(rest, 0)), crc);
    rest -= chunk.length;
  };
  for await (const lines of readLines(path, addToChecksum)) for (const { bytes } of lines) reader.readLine(bytes);
  reader.end();
  if (reader.invalidLines.length === 0) return validated(reader.value(), path, report, formatChecksum(crc));
  const whole = reader.isValidUtf8 ? await parseWhole(path, report) : undefined;
  if (whole !== undefined) return validated(whole, path, report);
  for (const { line, message } of reader.invalidLines) {
    report({ kind: 'damaged', file: path, place: `line ${line}`, message });
  }
  return validated(reader.value(), path, report);
}

/**
 * Parses a file in any layout, and reports repeated keys.
 * @returns undefined if the file is not JSON, or too large to parse as a whole
 */
async function parseWhole(path: string, report: ReportProblem): Promise<unknown> {
  let text: string;
  let value: unknown;
  try {
    text = withoutByteOrderMark(await readFile(path, 'utf8'));
    value = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || errorCode(error) === 'ERR_STRING_TOO_LONG') {
      return undefined;
    }
    throw error;
  }
  for (const { key, line } of repeatedKeys(text, { inArrays: false })) {
    const message = `the key ${JSON.stringify(key)} is repeated, and only its last value can be read`;
    report({ kind: 'invalid', file: path, place: `line ${line}`, message });
  }
  return value;
}

/** The innermost part of the layout that a line is in. */
type Level = 'start' | 'file' | 'accounts' | 'account' | 'table' | 'end';

/** A line that is not a row, such as `"seq": 12,` or `  "invoices": [`: key, opening bracket, and what follows. */
const entryPattern = /^\s*("(?:[^"\\]|\\.)*"): ([[{]?)(.*?),?$/;

/** Reads the layout that `linesOf` writes. Collects and skips lines that do not match it. */
class LayoutReader {
  readonly invalidLines: { readonly line: number; readonly message: string }[] = [];
  /** True while every line is valid UTF-8. */
  isValidUtf8 = true;
  readonly #header: Record<string, unknown> = {};
  readonly #accounts = new Map<string, Map<string, unknown[]>>();
  /** True after the line `"accounts": {`. */
  #hasAccounts = false;
  #account = new Map<string, unknown[]>();
  #rows: unknown[] = [];
  #level: Level = 'start';
  #line = 0;

  readLine(bytes: Buffer): void {
    this.#line += 1;
    if (!isUtf8(bytes)) {
      this.isValidUtf8 = false;
      this.#addInvalidLine('invalid UTF-8');
      return;
    }
    const text = this.#level === 'start' ? withoutByteOrderMark(bytes.toString()) : bytes.toString();
    if (text.startsWith('    {') && this.#level === 'table') this.#readRow(text);
    else this.#readStructure(text);
  }

  end(): void {
    if (this.#level !== 'end') this.#addInvalidLine('the file ends too early');
  }

  value(): unknown {
    if (!this.#hasAccounts) return this.#header;
    const accounts = new Map([...this.#accounts].map(([id, tables]) => [id, Object.fromEntries(tables)]));
    return { ...this.#header, accounts };
  }

  #readRow(text: string): void {
    try {
      this.#rows.push(parseJson(text.endsWith(',') ? text.slice(0, -1) : text));
    } catch {
      this.#addInvalidLine('invalid JSON');
    }
  }

  #readStructure(text: string): void {
    const withoutComma = text.replace(/,$/, '');
    if (this.#level === 'start' && withoutComma === '{') this.#level = 'file';
    else if (this.#level === 'table' && withoutComma === '  ]') this.#level = 'account';
    else if (this.#level === 'account' && withoutComma === '}') this.#level = 'accounts';
    else if (this.#level === 'accounts' && withoutComma === '}') this.#level = 'file';
    else if (this.#level === 'file' && withoutComma === '}') this.#level = 'end';
    else if (!this.#readEntry(text)) this.#addInvalidLine('unexpected content');
  }

  #readEntry(text: string): boolean {
    const [, key, opening, rest = ''] = entryPattern.exec(text) ?? [];
    if (key === undefined) return false;
    const name = tryParseJson(key);
    if (typeof name !== 'string') return false;
    if (this.#level === 'file' && name === 'accounts') {
      if (opening !== '{' || rest !== '' || this.#hasAccounts) return false;
      this.#hasAccounts = true;
      this.#level = 'accounts';
    } else if (this.#level === 'file' && opening === '' && !Object.hasOwn(this.#header, name)) {
      return this.#readHeader(name, rest);
    } else if (this.#level === 'accounts' && opening === '{' && rest === '' && !this.#accounts.has(name)) {
      this.#account = new Map();
      this.#accounts.set(name, this.#account);
      this.#level = 'account';
    } else if (this.#level === 'account' && opening === '[' && !this.#account.has(name)) {
      this.#rows = [];
      this.#account.set(name, this.#rows);
      if (rest === '') this.#level = 'table';
      return rest === '' || rest === ']';
    } else return false;
    return true;
  }

  #readHeader(name: string, text: string): boolean {
    try {
      this.#header[name] = parseJson(text);
      return true;
    } catch {
      return false;
    }
  }

  #addInvalidLine(message: string): void {
    this.invalidLines.push({ line: this.#line, message });
  }
}

/**
 * Reports what is wrong with the structure of a file.
 * @param actualSum checksum of the file; undefined if it does not have our layout
 * @returns null if nothing in it is usable
 */
function validated(value: unknown, file: string, report: ReportProblem, actualSum?: string): Checkpoint | null {
  const structure = structureOf(value);
  if (structure === undefined) {
    report({ kind: 'invalid', file, message: 'this is not a billing-sim data file' });
    return null;
  }
  const { format, seq, accounts, sum } = structure;
  if (!/^billing-sim\/[12]$/.test(format)) {
    report({ kind: 'newer', file, message: `this was written by a newer version of billing-sim (format ${format})` });
    return null;
  }
  const isSeqValid = typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0;
  if (!isSeqValid) report({ kind: 'invalid', file, message: '`seq` must be a whole number, 0 or more' });
  if (!isRecord(accounts) && !(accounts instanceof Map)) {
    report({ kind: 'invalid', file, message: '`accounts` must be an object' });
    return null;
  }
  const entries: Iterable<[string, unknown]> = accounts instanceof Map ? accounts : Object.entries(accounts);
  const tablesById = new Map<string, StoredTables>();
  for (const [id, tables] of entries) tablesById.set(id, readTables(tables, `account ${id}`, file, report));
  const isUnchanged = actualSum !== undefined && sum === actualSum;
  return { format, seq: isSeqValid ? seq : 0, accounts: tablesById, isUnchanged };
}

function structureOf(value: unknown): { format: string; seq: unknown; accounts: unknown; sum: unknown } | undefined {
  if (!isRecord(value)) return undefined;
  const { format, seq, accounts, sum } = value;
  return typeof format === 'string' && format.startsWith('billing-sim/') ? { format, seq, accounts, sum } : undefined;
}

/**
 * Reads the tables of an account or of a commit. Reports those that are not arrays, and leaves them out.
 * @param name how messages refer to the value
 */
export function readTables(
  value: unknown,
  name: string,
  file: string,
  report: ReportProblem,
  place?: string,
): StoredTables {
  const tables = new Map<string, readonly unknown[]>();
  if (!isRecord(value)) report({ kind: 'invalid', file, place, message: `${name} must be an object` });
  else {
    for (const [table, rows] of Object.entries(value)) {
      if (Array.isArray(rows)) tables.set(table, rows);
      else report({ kind: 'invalid', file, place, message: `${name}: ${table} must be an array` });
    }
  }
  return Object.fromEntries(tables);
}
