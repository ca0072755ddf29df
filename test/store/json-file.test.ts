import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { describe, expect, test } from 'vitest';
import { breakDisk, breakFdatasync, breakTruncation, countWrites } from '../support/failing-disk.js';
import { sampleUnlessFull } from '../support/sample.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { editFile, latestJournal } from './damaged-folder.js';
import { commitNumbers, numberedCommit, openFolder, readCommitNumbers } from './open-store.js';

/** Creates a folder as a crash leaves it, with these commits in the journal. */
async function crashAfterCommits(numbers: readonly number[]): Promise<string> {
  const folder = tempFolder();
  const { store, append } = await openFolder(folder);
  for (const number of numbers) await append(numberedCommit(number, `text ${number}`));
  const copy = copyAsIfCrashed(folder);
  await store.close();
  return copy;
}

describe('the journal', () => {
  test('has a header, and for each commit a numbered line with a checksum', async () => {
    const [header, line] = readFileSync(latestJournal(await crashAfterCommits([7])), 'utf8').split('\n');
    // `first` is the number of the first commit, and `lease` the number of the lease; both count from 1 in each folder.
    expect(header).toMatch(/^\{"format":"billing-sim\/2","first":1,"lease":1,"sum":"[0-9a-f]{8}"\}$/);
    expect(line).toMatch(
      /^\{"seq":1,"commit":\{"account":"demo","put":\{"keyed_responses":\[\{"id":"7",.*\}\]\}\},"sum":"[0-9a-f]{8}"\}$/,
    );
  });

  test('is written once for all pending commits', async () => {
    const { store } = await openFolder(tempFolder());
    const writes = await countWrites(() =>
      Promise.all(Array.from({ length: 100 }, (_, number) => store.append(numberedCommit(number)))),
    );
    expect(writes).toBe(1);
    await store.close();
  });

  test('loses only the last line if it is incomplete, and warns about it', async () => {
    const crashed = await crashAfterCommits([1, 2, 3]);
    const name = basename(latestJournal(crashed));
    const text = readFileSync(latestJournal(crashed));
    const lastLineStart = text.lastIndexOf('\n', text.length - 2) + 1;
    const ends = Array.from({ length: text.length - 2 - lastLineStart }, (_, index) => lastLineStart + 1 + index);
    for (const end of sampleUnlessFull(ends, { oneIn: 6 })) {
      const folder = tempFolder();
      writeFileSync(join(folder, name), text.subarray(0, end));
      const { store, loaded, notices } = await openFolder(folder);
      expect(commitNumbers(loaded)).toEqual([1, 2]);
      expect(notices).toEqual([
        `${join(folder, name)}: dropped the last line, which a crash had left incomplete (byte ${lastLineStart})`,
      ]);
      await store.close();
    }
  });

  test('drops an incomplete last line for good, so that it stays readable after further commits', async () => {
    const folder = await crashAfterCommits([1, 2]);
    truncateSync(latestJournal(folder), readFileSync(latestJournal(folder)).length - 10);
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(3));
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1, 3]);
    await store.close();
  });

  test.each([
    ['is missing', (text: Buffer) => text.subarray(0, -1)],
    ['was changed', (text: Buffer) => Buffer.concat([text.subarray(0, -1), Buffer.from('\v')])],
  ])('keeps a complete last line whose newline %s', async (_name, damage) => {
    const folder = await crashAfterCommits([1, 2, 3]);
    writeFileSync(latestJournal(folder), damage(readFileSync(latestJournal(folder))));
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(4));
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([1, 2, 3, 4]);
    await store.close();
  });

  test('is refused if the newline before an incomplete last line was changed, since the line before it would be lost', async () => {
    const folder = await crashAfterCommits([1, 2, 3]);
    const bytes = readFileSync(latestJournal(folder)).subarray(0, -10);
    bytes.write('\v', bytes.lastIndexOf('\n'));
    writeFileSync(latestJournal(folder), bytes);
    await expect(readCommitNumbers(folder)).rejects.toThrow('Nothing has been changed');
  });

  test('counts as empty if even its header is incomplete', async () => {
    const headerPartLength = 40;
    const intactJournal = latestJournal(await crashAfterCommits([1]));
    const folder = tempFolder();
    writeFileSync(join(folder, basename(intactJournal)), readFileSync(intactJournal).subarray(0, headerPartLength));
    const { store, loaded, append } = await openFolder(folder);
    expect(commitNumbers(loaded)).toEqual([]);
    await append(numberedCommit(2));
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual([2]);
    await store.close();
  });

  test.each([0, 20])(
    'may be cut to %i bytes by a crash while it replaces an earlier one without commits',
    async (size) => {
      const folder = tempFolder();
      const { store, append } = await openFolder(folder);
      await append(numberedCommit(1));
      await store.close();
      const nextJournal = latestJournal(folder).replace('-000001.ndjson', '-000002.ndjson');
      writeFileSync(nextJournal, readFileSync(latestJournal(folder)).subarray(0, size));
      const reopened = await openFolder(folder);
      expect(commitNumbers(reopened.loaded)).toEqual([1]);
      expect(reopened.notices).toEqual([
        `${nextJournal}: contains no commits, probably because of a crash during its first write`,
      ]);
      await reopened.append(numberedCommit(2));
      await reopened.store.close();
      expect(await readCommitNumbers(folder)).toEqual([1, 2]);
    },
  );
});

describe('the checkpoint', () => {
  test('is written at a clean stop, together with a new journal', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    await store.close();
    expect(JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8'))).toEqual({
      format: 'billing-sim/2',
      seq: 1,
      accounts: {
        demo: {
          account: [expect.objectContaining({ id: 'demo' })],
          keyed_responses: numberedCommit(1).changes.keyed_responses,
          snapshots: [],
        },
      },
      sum: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(readFileSync(latestJournal(folder), 'utf8')).toMatch(
      /^\{"format":"billing-sim\/2","first":2,"lease":1,"sum":"\w+"\}\n$/,
    );
  });

  test('has one row per line, and rows can be deleted in an editor while the simulator is stopped', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    for (const number of [1, 2, 3]) await append(numberedCommit(number));
    await store.close();
    const path = join(folder, 'db.json');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.filter((line) => !line.includes('"id":"2"')).join('\n'));
    expect(await readCommitNumbers(folder)).toEqual([1, 3]);
  });

  test.each([
    ['indented by an editor', (text: string) => JSON.stringify(JSON.parse(text), null, 4)],
    ['written on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['with one row spread over several lines', (text: string) => text.replace('"fingerprint":', '\n"fingerprint":\n')],
    ['with the line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with a byte-order mark', (text: string) => `\uFEFF${text}`],
    ['with a byte-order mark, on one line', (text: string) => `\uFEFF${JSON.stringify(JSON.parse(text))}`],
  ])('is read regardless of its layout: %s', async (_name, changeLayout) => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    for (const number of [1, 2]) await append(numberedCommit(number));
    await store.close();
    const path = join(folder, 'db.json');
    writeFileSync(path, changeLayout(readFileSync(path, 'utf8')));
    expect(await readCommitNumbers(folder)).toEqual([1, 2]);
  });

  describe('whose rows a simulator with the same validators has written', () => {
    /** Creates a checkpoint with an invalid row, which is only reported if the rows are validated. */
    async function folderWithInvalidRow(): Promise<string> {
      const folder = tempFolder();
      const { store, append } = await openFolder(folder);
      const [response] = numberedCommit(1).changes.keyed_responses ?? [];
      if (!response) throw new Error('a numbered commit must have a response');
      await append({ account: 'demo', changes: { keyed_responses: [{ ...response, status: 42 }] }, mode: 'merge' });
      await append(numberedCommit(2));
      await store.close();
      return folder;
    }

    test('is read without validating them again', async () => {
      expect(await readCommitNumbers(await folderWithInvalidRow())).toEqual([1, 2]);
    });

    test.each([
      ['a value is edited', (text: string) => text.replace('"fingerprint":""', '"fingerprint":"1"')],
      ['a row is deleted', (text: string) => text.replace(/,\n {4}\{"id":"2".*/, '')],
      ['a header is edited', (text: string) => text.replace('"seq": 2', '"seq": 1')],
      ['its layout is changed', (text: string) => JSON.stringify(JSON.parse(text), null, 1)],
      ['it has the checksum of another version', (text: string) => text.replace(/"sum": "\w+"/, '"sum": "00000000"')],
      ['it has no checksum, as in earlier versions', (text: string) => text.replace(/,\n"sum": "\w+"/, '')],
    ])('is validated if %s', async (_change, edit) => {
      const folder = await folderWithInvalidRow();
      editFile(join(folder, 'db.json'), edit);
      await expect(openFolder(folder)).rejects.toThrow('account demo: keyed_responses[0].status must be >= 100');
    });
  });

  test('can be read with the JSON database lowdb', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    await store.close();
    const db = new Low<{ seq?: number }>(new JSONFile(join(folder, 'db.json')), {});
    await db.read();
    expect(db.data.seq).toBe(1);
  });

  test('is written when the journal exceeds its limit, and later commits are in the journal', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder, { journalLimit: 1_000 });
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const number of numbers) await append(numberedCommit(number));
    // A journal of 1,000 bytes has room for five commits.
    await expect.poll(() => JSON.parse(readFileSync(join(folder, 'db.json'), 'utf8')).seq).toBeGreaterThan(5);
    expect(await readCommitNumbers(copyAsIfCrashed(folder))).toEqual(numbers);
    await store.close();
  });

  test('that is written at the same time as a snapshot does not remove the unfinished file of the snapshot', async () => {
    const { store, append } = await openFolder(tempFolder(), { journalLimit: 1 });
    const body = 'x'.repeat(100_000);
    const contents = Array.from({ length: 40 }, (_, number) => numberedCommit(number, body).changes);
    let isSaved = false;
    const saved = store
      .saveContents('demo', { keyed_responses: contents.flatMap(({ keyed_responses = [] }) => keyed_responses) })
      .finally(() => {
        isSaved = true;
      });
    for (let number = 1; !isSaved; number++) await append(numberedCommit(number));
    expect(await saved).toBe('snapshot-000001.json');
    await store.close();
  });

  test('may contain commits that are also in an old journal after a crash; these are loaded only once', async () => {
    const crashed = await crashAfterCommits([1, 2, 3]);
    const oldJournal = latestJournal(crashed);
    const oldContent = readFileSync(oldJournal);
    const { store, append } = await openFolder(crashed);
    await append(numberedCommit(4));
    await store.close();
    expect(existsSync(oldJournal)).toBe(false);
    writeFileSync(oldJournal, oldContent);
    expect(await readCommitNumbers(crashed)).toEqual([1, 2, 3, 4]);
  });

  test('is not read from a temporary file', async () => {
    const folder = await crashAfterCommits([1, 2]);
    writeFileSync(join(folder, 'db.json.tmp'), '{"format": "billing-sim/2", "se');
    expect(await readCommitNumbers(folder)).toEqual([1, 2]);
  });

  test.each([
    ['is not a billing-sim data file', '{"posts": []}', 'db.json: this is not a billing-sim data file'],
    ['is empty', '', 'db.json: this file is empty'],
    ['is cut off', '{\n"format": "billing-sim/2",\n', 'db.json, line 2: the file ends too early'],
  ])('causes an error at startup if it %s', async (_problem, content, message) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'db.json'), content);
    await expect(openFolder(folder)).rejects.toThrow(`${message}. Nothing has been changed`);
  });

  test.each([
    ['db.json', 'db.json: this is a folder, but must be a file'],
    ['journal-000000000001-000001.ndjson', 'journal-000000000001-000001.ndjson: this is a folder, but must be a file'],
  ])('causes an error at startup if %s is a folder', async (name, message) => {
    const folder = tempFolder();
    mkdirSync(join(folder, name));
    await expect(openFolder(folder)).rejects.toThrow(`${message}. Nothing has been changed`);
  });

  test('is written later if the first attempt fails', async () => {
    const folder = tempFolder();
    // A checkpoint is due after every commit. A folder with the name of the new journal makes the first one fail.
    const { store, append, notices } = await openFolder(folder, { journalLimit: 1 });
    const nextJournal = join(folder, 'journal-000000000002-000001.ndjson');
    mkdirSync(nextJournal);
    await append(numberedCommit(1));
    await expect.poll(() => notices).toEqual([expect.stringContaining('EISDIR')]);
    rmSync(nextJournal, { recursive: true });
    await append(numberedCommit(2));
    await expect.poll(() => readdirSync(folder)).toContain('db.json');
    await store.close();
    expect(await readCommitNumbers(folder)).toEqual([1, 2]);
  });

  test('is attempted again each time the journals have grown by their limit, until it can be written', async () => {
    const folder = tempFolder();
    const obstacle = join(folder, 'db.json.tmp');
    mkdirSync(obstacle);
    const { store, append, notices } = await openFolder(folder, { journalLimit: 2_000 });
    const longText = 'x'.repeat(2_000);
    // Each attempt starts a new journal.
    const countJournals = (): number => readdirSync(folder).filter((name) => name.startsWith('journal-')).length;
    await append(numberedCommit(1, longText));
    await expect.poll(() => notices).toHaveLength(1);
    for (const number of [2, 3, 4]) await append(numberedCommit(number));
    expect(countJournals()).toBe(2);
    await append(numberedCommit(5, longText));
    await expect.poll(() => notices).toHaveLength(2);
    expect(countJournals()).toBe(3);
    rmSync(obstacle, { recursive: true });
    await append(numberedCommit(6, longText));
    await expect.poll(() => readdirSync(folder)).toContain('db.json');
    await store.close();
    expect(await readCommitNumbers(folder)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('loses no commit if it cannot be written, since the journals have every commit', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'db.json.tmp'));
    const { store, append, notices } = await openFolder(folder);
    await append(numberedCommit(1));
    await store.close();
    expect(notices).toEqual([expect.stringContaining('EISDIR')]);
    rmSync(join(folder, 'db.json.tmp'), { recursive: true });
    expect(await readCommitNumbers(folder)).toEqual([1]);
  });
});

describe('a failing disk', () => {
  test.each(['ENOSPC', 'EIO'] as const)(
    'makes pending commits fail with %s, and later commits succeed once it is repaired',
    async (code) => {
      const folder = tempFolder();
      const { store, append } = await openFolder(folder);
      await append(numberedCommit(1));
      const repair = breakDisk(code);
      const results = await Promise.allSettled([2, 3, 4].map((number) => append(numberedCommit(number))));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(numbersInJournal(folder)).toEqual([1]);
      repair();
      await append(numberedCommit(5));
      expect(numbersInJournal(folder)).toEqual([1, 5]);
      await store.close();
    },
  );

  test('leaves no part of a commit before later ones, even if the part could not be removed at once', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder);
    await append(numberedCommit(1));
    const repairs = [breakDisk('ENOSPC'), breakTruncation()];
    await expect(append(numberedCommit(2))).rejects.toThrow('EIO');
    for (const repair of repairs) repair();
    await append(numberedCommit(3));
    expect(numbersInJournal(folder)).toEqual([1, 3]);
    await store.close();
  });

  test('removes commits that were written but could not be flushed, with the durability `disk`', async () => {
    const folder = tempFolder();
    const { store, append } = await openFolder(folder, { durability: 'disk' });
    await append(numberedCommit(1));
    const repair = breakFdatasync('EIO');
    for (const number of [2, 3]) await expect(append(numberedCommit(number))).rejects.toThrow('EIO');
    expect(numbersInJournal(folder)).toEqual([1]);
    repair();
    await append(numberedCommit(4));
    expect(numbersInJournal(folder)).toEqual([1, 4]);
    await store.close();
  });

  /** Reads the journal itself, since closing a store writes a checkpoint, which fails on a broken disk. */
  function numbersInJournal(folder: string): number[] {
    const lines = readFileSync(latestJournal(folder), 'utf8').split('\n').slice(0, -1);
    const rows = lines.slice(1).flatMap((line): { id: string }[] => JSON.parse(line).commit.put.keyed_responses ?? []);
    return rows.map(({ id }) => Number(id));
  }
});

test('a start on a folder with other files fails and leaves it unchanged', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'holiday.jpg'), '');
  await expect(openFolder(folder)).rejects.toThrow(
    `${folder} is not a data folder of billing-sim (it contains holiday.jpg); choose an empty one with --data`,
  );
  expect(readdirSync(folder)).toEqual(['holiday.jpg']);
});
