import { closeSync, createReadStream, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Commit } from '../simulation/world.js';
import { DataFolderError } from './lock.js';
import { syncFolder } from './snapshot.js';

/**
 * A journal is a file of lines. A line is one commit: `{"seq":12,"sum":"1c291ca3","commit":{…}}`, where `sum` is the
 * CRC-32 of the commit's JSON text.
 */
const lineForm = /^\{"seq":(\d+),"sum":"([0-9a-f]{8})","commit":(.*)\}$/s;

export interface JournalLine {
  readonly seq: number;
  readonly commit: Commit;
}

export function writeLine(seq: number, commit: Commit): string {
  const text = JSON.stringify(commit);
  return `{"seq":${seq},"sum":"${checksum(text)}","commit":${text}}\n`;
}

/**
 * The commits of a journal, oldest first. A line without its end, as a crash leaves it, is not given.
 * @param onTorn told at which byte such a line begins
 * @throws DataFolderError for a line that is complete, but is not what was written
 */
export async function* readJournal(path: string, onTorn: (offset: number) => void): AsyncGenerator<JournalLine> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  for await (const chunk of stream) {
    let data: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10)) {
      yield readLine(data.toString('utf8', 0, end), path, offset);
      offset += end + 1;
      data = data.subarray(end + 1);
    }
    rest = data;
  }
  if (rest.length > 0) onTorn(offset);
}

function readLine(line: string, path: string, offset: number): JournalLine {
  const [, seq, sum, text] = lineForm.exec(line) ?? [];
  if (text === undefined || sum !== checksum(text)) {
    throw new DataFolderError(
      `${path} is damaged at byte ${offset}: that line is not what was written. Nothing has been changed; ` +
        'mend or remove the line and what follows it, restore the folder, or choose another with --data',
    );
  }
  return { seq: Number(seq), commit: JSON.parse(text) };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

export type Durability = 'os' | 'disk';

/** The end of a journal, open for writing. */
export class JournalWriter {
  /** Bytes in the file that are whole lines. */
  size: number;
  readonly #path: string;
  readonly #file: number;
  readonly #durability: Durability;
  /** Something may stand behind the last whole line; at first, what a crash has left. */
  #torn = true;
  /** That the file exists is not yet on the disk. */
  #new = true;

  constructor(path: string, size: number, durability: Durability) {
    this.#path = path;
    this.#file = openSync(path, 'a');
    this.#durability = durability;
    this.size = size;
  }

  /**
   * Writes lines behind those that are there. If that fails, none of them is there.
   * With durability `os` they are in the hands of the operating system and outlive this process; with `disk` they
   * outlive the machine.
   */
  async write(lines: string): Promise<void> {
    const data = Buffer.from(lines);
    if (this.#torn) this.#mend();
    this.#torn = true;
    try {
      for (let written = 0; written < data.length; ) written += writeSync(this.#file, data, written);
      if (this.#durability === 'disk') await this.#sync();
    } catch (error) {
      this.#mend();
      throw error;
    }
    this.#torn = false;
    this.size += data.length;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Cuts off what is behind the last whole line. Where even that fails, nothing is written until it succeeds. */
  #mend(): void {
    ftruncateSync(this.#file, this.size);
    this.#torn = false;
  }

  async #sync(): Promise<void> {
    await promisify(fdatasync)(this.#file);
    if (this.#new) await syncFolder(dirname(this.#path));
    this.#new = false;
  }
}
