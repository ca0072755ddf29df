import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { describe, expect, test } from 'vitest';
import { breakDisk, countWrites } from '../support/failing-disk.js';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { numbered, numbersIn, openFolder } from './open-store.js';

const journalOf = (folder: string): string =>
  join(
    folder,
    readdirSync(folder)
      .filter((name) => name.startsWith('journal-'))
      .sort()
      .at(-1) ?? 'none',
  );

/** A folder as a crash leaves it after these commits. */
async function crashedWith(numbers: readonly number[]): Promise<string> {
  const folder = tempFolder();
  const { store, append } = await openFolder(folder);
  for (const number of numbers) await append(numbered(number, `text ${number}`));
  const copy = copyAsAfterCrash(folder);
  await store.close();
  return copy;
}

async function numbersAfterOpening(folder: string): Promise<number[]> {
  const { store, loaded } = await openFolder(folder);
  await store.close();
  return numbersIn(loaded);
}

describe('the journal', () => {
  test('begins with the checkpoint that it continues, and has a numbered line with a checksum for each commit', async () => {
    const [header, line] = readFileSync(journalOf(await crashedWith([7])), 'utf8').split('\n');
    expect(header).toMatch(/^\{"format":"billing-sim\/2","first":1,"lease":1,"sum":"[0-9a-f]{8}"\}$/);
    expect(line).toMatch(
      /^\{"seq":1,"commit":\{"account":"demo","put":\{"replays":\[\{"id":"7",.*\}\]\}\},"sum":"[0-9a-f]{8}"\}$/,
    );
  });

  test('writes all waiting commits at once', async () => {
    const { store } = await openFolder(tempFolder());
    const writes = await countWrites(() =>
      Promise.all(Array.from({ length: 100 }, (_, number) => store.append(numbered(number)))),
    );
    expect(writes).toBe(1);
    await store.close();
  });

  test('loses only an incomplete last line, wherever that is cut off, and warns about it', async () => {
    const whole = await crashedWith([1, 2, 3]);
    const name = basename(journalOf(whole));
    const text = readFileSync(journalOf(whole));
    const lastLine = text.lastIndexOf(10, text.length - 2) + 1;
    for (let end = lastLine + 1; end < text.length - 1; end++) {
      const folder = tempFolder();
      writeFileSync(join(folder, name), text.subarray(0, end));
      const { store, loaded, notices } = await openFolder(folder);
      expect(numbersIn(loaded)).toEqual([1, 2]);
      expect(notices).toEqual([
        `${join(folder, name)}: dropped the last line, which a crash had left incomplete (byte ${lastLine})`,
      ]);
      await store.close();
    }
  });

  test('continues after an incomplete last line, which later starts do not report as damage', async () => {
    const folder = await crashedWith([1, 2]);
    truncateSync(journalOf(folder), readFileSync(journalOf(folder)).length - 10);
    const { store, append } = await openFolder(folder);
    await append(numbered(3));
    expect(await numbersAfterOpening(copyAsAfterCrash(folder))).toEqual([1, 3]);
    await store.close();
  });

  test.each([
    ['is missing', (text: Buffer) => text.subarray(0, -1)],
    ['was changed', (text: Buffer) => Buffer.concat([text.subarray(0, -1), Buffer.from('\v')])],
  ])('keeps a last line that is whole, though its newline %s', async (_, damage) => {
    const folder = await crashedWith([1, 2, 3]);
    writeFileSync(journalOf(folder), damage(readFileSync(journalOf(folder))));
    const { store, append } = await openFolder(folder);
    await append(numbered(4));
    expect(await numbersAfterOpening(copyAsAfterCrash(folder))).toEqual([1, 2, 3, 4]);
    await store.close();
  });

  test('starts over if even its first line is incomplete', async () => {
    const whole = journalOf(await crashedWith([1]));
    const folder = tempFolder();
    writeFileSync(join(folder, basename(whole)), readFileSync(whole).subarray(0, 40));
    const { store, loaded, append } = await openFolder(folder);
    expect(numbersIn(loaded)).toEqual([]);
    await append(numbered(2));
    expect(await numbersAfterOpening(copyAsAfterCrash(folder))).toEqual([2]);
    await store.close();
  });
});

describe('the checkpoint', () => {
  test('is written at a clean stop, and the journal starts over', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numbered(1));
    await store.close();
    expect(JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'))).toEqual({
      format: 'billing-sim/2',
      seq: 1,
      accounts: {
        demo: {
          account: [expect.objectContaining({ id: 'demo' })],
          replays: numbered(1).changes.replays,
          snapshots: [],
        },
      },
    });
    expect(readFileSync(journalOf(folder), 'utf8')).toMatch(
      /^\{"format":"billing-sim\/2","first":2,"lease":1,"sum":"\w+"\}\n$/,
    );
  });

  test('has one row per line, and loads edits made while the simulator was stopped', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    for (const number of [1, 2, 3]) await append(numbered(number));
    await store.close();
    const path = join(folder, 'db.json');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('"id":"2"')).join('\n'));
    expect(await numbersAfterOpening(folder)).toEqual([1, 3]);
  });

  test.each([
    ['indented by an editor', (text: string) => JSON.stringify(JSON.parse(text), null, 4)],
    ['written on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['with one row spread over several lines', (text: string) => text.replace('"fingerprint":', '\n"fingerprint":\n')],
  ])('is read whatever its layout: %s', async (_, edit) => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    for (const number of [1, 2]) await append(numbered(number));
    await store.close();
    const path = join(folder, 'db.json');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    expect(await numbersAfterOpening(folder)).toEqual([1, 2]);
  });

  test('can be read with lowdb', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numbered(1));
    await store.close();
    const db = new Low<{ seq?: number }>(new JSONFile(join(folder, 'db.json')), {});
    await db.read();
    expect(db.data.seq).toBe(1);
  });

  test('is rewritten when the journal is larger than it, and later commits are in the journal', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder, { journalLimit: 1_000 });
    for (let number = 1; number <= 50; number++) await append(numbered(number));
    await expect.poll(() => JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8')).seq).toBeGreaterThan(5);
    expect(await numbersAfterOpening(copyAsAfterCrash(folder))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    await store.close();
  });

  test('does not apply commits twice after a crash before the old journal was removed', async () => {
    const crashed = await crashedWith([1, 2, 3]);
    const outgrown = journalOf(crashed);
    const journal = readFileSync(outgrown);
    const { store, append } = await openFolder(crashed);
    await append(numbered(4));
    await store.close();
    expect(existsSync(outgrown)).toBe(false);
    writeFileSync(outgrown, journal);
    expect(await numbersAfterOpening(crashed)).toEqual([1, 2, 3, 4]);
  });

  test('is ignored until it is complete', async () => {
    const folder = await crashedWith([1, 2]);
    writeFileSync(join(folder, 'db.json.tmp'), '{"format": "billing-sim/2", "se');
    expect(await numbersAfterOpening(folder)).toEqual([1, 2]);
  });

  test('is rejected if it is not a file of billing-sim', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'db.json'), '{"posts": []}');
    await expect(openFolder(folder)).rejects.toThrow(
      'db.json: this is not a data file of billing-sim. Nothing has been changed',
    );
  });

  test('is not treated as empty if it cannot be read', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'db.json'));
    await expect(openFolder(folder)).rejects.toThrow(
      `cannot use the data folder ${folder} (EISDIR: illegal operation on a directory, read); choose another with --data`,
    );
  });

  test('is written later if it could not be created at first', async () => {
    const folder = tempFolder();
    const { store, append, notices } = await openFolder(folder, { journalLimit: 1 });
    mkdirSync(join(folder, 'journal-000000000002-000001.ndjson'));
    await append(numbered(1));
    await expect.poll(() => notices).toEqual([expect.stringContaining('EISDIR')]);
    rmSync(join(folder, 'journal-000000000002-000001.ndjson'), { recursive: true });
    await append(numbered(2));
    await expect.poll(() => readdirSync(folder)).toContain('db.json');
    await store.close();
    expect(await numbersAfterOpening(folder)).toEqual([1, 2]);
  });

  test('loses nothing if it cannot be written: the journals have everything', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'db.json.tmp'));
    const { store, append, notices } = await openFolder(folder);
    await append(numbered(1));
    await store.close();
    expect(notices).toEqual([expect.stringContaining('EISDIR')]);
    rmSync(join(folder, 'db.json.tmp'), { recursive: true });
    expect(await numbersAfterOpening(folder)).toEqual([1]);
  });
});

describe('a disk that fails', () => {
  test.each(['ENOSPC', 'EIO'] as const)(
    'with %s refuses what waits, and takes what comes after it was mended',
    async (code) => {
      const folder = tempFolder();
      const { store, append } = await openFolder(folder);
      await append(numbered(1));
      const repair = breakDisk(code);
      const refused = await Promise.allSettled([2, 3, 4].map((number) => append(numbered(number))));
      expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(numbersInJournal(folder)).toEqual([1]);
      repair();
      await append(numbered(5));
      expect(numbersInJournal(folder)).toEqual([1, 5]);
      await store.close();
    },
  );

  /** Reads without opening a store, which could not write its checkpoint while the disk is broken. */
  function numbersInJournal(folder: string): number[] {
    const lines = readFileSync(journalOf(folder), 'utf8').split('\n').slice(0, -1);
    const rows = lines.slice(1).flatMap((line): { id: string }[] => JSON.parse(line).commit.put.replays ?? []);
    return rows.map(({ id }) => Number(id));
  }
});

test('a folder with something else in it is left alone', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'holiday.jpg'), '');
  await expect(openFolder(folder)).rejects.toThrow(
    `${folder} is not a data folder of billing-sim (it contains holiday.jpg); choose an empty one with --data`,
  );
  expect(readdirSync(folder)).toEqual(['holiday.jpg']);
});
