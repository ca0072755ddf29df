import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import {
  copyCrashedFolder,
  createCrashedFolder,
  damageCases,
  editFile,
  hashFiles,
  latestJournal,
  makeNewer,
  newerFolderError,
} from '../store/damaged-folder.js';
import { runCli } from '../support/cli.js';
import { clientOf } from '../support/client.js';
import { sampleUnlessFull } from '../support/sample.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';

/** The messages of the problems that `data check --json` prints. */
function problemMessages(stdout: string): string[] {
  return JSON.parse(stdout).problems.map(({ message }: { message: string }) => message);
}

/** Removes the customer of the first invoices from the text of a checkpoint or snapshot. */
const withoutFirstCustomer = (text: string): string => text.replace(/\n {4}\{"id":1,"name":"Ada.*/, '');

describe('billing-sim data check', () => {
  test('reports that a folder is valid, and how many accounts, rows, snapshots and commits it contains', async () => {
    const folder = await createCrashedFolder();
    const hashesBefore = hashFiles(folder);
    const { code, stdout } = await runCli('data', 'check', '--data', folder);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/ is valid: 1 account, \d+ rows, 1 saved snapshot, \d+ commits\n$/),
    ]);
    expect(hashFiles(folder)).toEqual(hashesBefore);
  });

  test.each([
    ['without a lock', undefined],
    ['with the lock of a process that has ended', '999999999 1\n'],
  ])('needs only read access: it creates and changes nothing in a folder %s', async (_name, lock) => {
    const folder = await createCrashedFolder();
    if (lock !== undefined) writeFileSync(join(folder, 'lock'), lock);
    const stateOf = () => [statSync(folder).mtimeMs, readdirSync(folder), hashFiles(folder)];
    const stateBefore = stateOf();
    expect(await runCli('data', 'check', '--data', folder)).toMatchObject({ code: 0 });
    expect(stateOf()).toEqual(stateBefore);
  });

  test('does not look for the file of a snapshot that was removed', async () => {
    const folder = tempFolder();
    const simulator = await startSimulator({ data: folder, log: () => undefined });
    onTestFinished(() => simulator.close());
    await simulator.account.snapshots.save('removed');
    await simulator.account.snapshots.save('kept');
    await simulator.account.snapshots.remove('removed');
    expect(await runCli('data', 'check', '--data', copyAsIfCrashed(folder))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ is valid: 1 account, \d+ rows, 1 saved snapshot, \d+ commits\n$/),
    });
  });

  test('quotes the folder in the command that repairs it, if its name has a space', async () => {
    const folder = join(tempFolder(), 'my data');
    renameSync(await createCrashedFolder(), folder);
    editFile(latestJournal(folder), (text) => text.replace('BK-2', 'BK-X'));
    const { stdout } = await runCli('data', 'check', '--data', folder);
    expect(stdout).toContain(`\nbilling-sim data repair --data '${folder}' --to NEW-FOLDER copies the valid data`);
  });

  test('refuses a folder that a simulator uses', async () => {
    const folder = tempFolder();
    const simulator = await startSimulator({ data: folder, log: () => undefined });
    onTestFinished(() => simulator.close());
    const { code, stderr } = await runCli('data', 'check', '--data', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`in use by process ${process.pid}; stop it`)]);
  });

  test('lists every problem of a folder, and changes nothing', async () => {
    const folder = await createCrashedFolder();
    // Two changed lines of the journal, two invalid rows of the checkpoint, and a missing snapshot file.
    editFile(latestJournal(folder), (text) => text.replace('BK-2', 'BK-X').replace('BK-4', 'BK-X'));
    editFile(join(folder, 'db.json'), (text) =>
      text.replace(/"paid_amount":[\d.]+/, '"paid_amount":"one"').replace('"slug":', '"slugg":'),
    );
    rmSync(join(folder, 'snapshot-000001.json'));
    const hashesBefore = hashFiles(folder);
    const { code, stdout } = await runCli('data', 'check', '--data', folder, '--json');
    expect(code).toBe(1);
    const messages = problemMessages(stdout);
    expect(messages).toEqual(
      expect.arrayContaining([
        'account demo: invoices[0].paid_amount must be number',
        expect.stringMatching(/account demo: payment_links\[0\]/),
        'this line differs from what was written',
        'this file, which holds the snapshot `before` of account demo, is missing',
      ]),
    );
    expect(messages.filter((message) => message === 'this line differs from what was written')).toHaveLength(2);
    expect(hashFiles(folder)).toEqual(hashesBefore);
  });

  test.each(damageCases)('reports %s, which makes a start fail', async (_name, damage) => {
    const folder = await copyCrashedFolder();
    damage(folder);
    const hashesBefore = hashFiles(folder);
    const { code, stdout } = await runCli('data', 'check', '--data', folder, '--json');
    expect([code, JSON.parse(stdout).problems]).toEqual([1, expect.arrayContaining([expect.anything()])]);
    expect(hashFiles(folder)).toEqual(hashesBefore);
  });

  test.each([
    ['missing', 'db.json is missing', (path: string) => rmSync(path)],
    ['unusable', 'db.json cannot be used', (path: string) => writeFileSync(path, '[]')],
  ])('reports once which commits are missing because db.json is %s', async (_name, cause, damage) => {
    const folder = await copyCrashedFolder();
    damage(join(folder, 'db.json'));
    const { stdout } = await runCli('data', 'check', '--data', folder, '--json');
    expect(problemMessages(stdout).filter((message) => message.includes(' missing: '))).toEqual([
      expect.stringMatching(`^commits 1 to \\d+ are missing: ${cause}, and this journal continues with \\d+$`),
    ]);
  });

  test('does not recommend a repair that would save no account', async () => {
    const folder = await copyCrashedFolder();
    rmSync(join(folder, 'db.json'));
    const { stdout } = await runCli('data', 'check', '--data', folder);
    expect(stdout).toMatch(/\nbilling-sim data repair cannot recover any account; restore the files from a backup\n$/);
  });

  test.each(['db.json', 'snapshot-000001.json'])('reports once that %s is empty', async (name) => {
    const folder = await copyCrashedFolder();
    const path = join(folder, name);
    writeFileSync(path, '');
    const { stdout } = await runCli('data', 'check', '--data', folder);
    expect(stdout.split('\n').filter((line) => line.startsWith(path))).toEqual([`${path}: this file is empty`]);
  });

  test('reports rows with the same id in a snapshot file', async () => {
    const folder = await copyCrashedFolder();
    const path = join(folder, 'snapshot-000001.json');
    editFile(path, (text) => text.replace(/\n {4}\{"id":1,"name":"Ada.*/, (row) => row + row));
    const { code, stdout } = await runCli('data', 'check', '--data', folder);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${path}: customers has two rows with the id 1\n`)]);
  });

  test('reports rows of a snapshot file that refer to a missing row', async () => {
    const folder = await copyCrashedFolder();
    const path = join(folder, 'snapshot-000001.json');
    editFile(path, withoutFirstCustomer);
    const { code, stdout } = await runCli('data', 'check', '--data', folder);
    const problem = `${path}: invoices: row 1 refers to customer 1, which does not exist\n`;
    expect([code, stdout]).toEqual([1, expect.stringContaining(problem)]);
  });

  test.each([
    ['does not exist', () => join(tempFolder(), 'nowhere')],
    [
      'has a lock that names no process',
      () => {
        const folder = tempFolder();
        writeFileSync(join(folder, 'lock'), '0 0\n');
        return folder;
      },
    ],
  ])('refuses a folder that %s with a one-line error', async (_name, createFolder) => {
    const { code, stderr } = await runCli('data', 'check', '--data', createFolder());
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
  });
});

describe.each([
  ['is empty', () => tempFolder()],
  [
    'has only files of another program',
    () => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'thesis.tex'), '');
      return folder;
    },
  ],
])('a folder that %s', (_name, createFolder) => {
  test.each(['check', 'repair'])('is refused by data %s', async (subcommand) => {
    const folder = createFolder();
    const to = join(tempFolder(), 'repaired');
    const options = subcommand === 'repair' ? ['--to', to] : [];
    expect(await runCli('data', subcommand, '--data', folder, ...options)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${folder} contains no billing-sim data (no db.json, journal or snapshot); choose another folder with --data\n`,
    });
    expect(existsSync(to)).toBe(false);
  });
});

test.each(['check', 'repair'])('data %s refuses a folder of a newer version, as a start does', async (subcommand) => {
  const folder = await copyCrashedFolder();
  makeNewer(folder);
  const hashesBefore = hashFiles(folder);
  const to = join(tempFolder(), 'repaired');
  const options = subcommand === 'repair' ? ['--to', to] : [];
  expect(await runCli('data', subcommand, '--data', folder, ...options)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${newerFolderError(folder)}\n`,
  });
  expect(hashFiles(folder)).toEqual(hashesBefore);
  expect(existsSync(to)).toBe(false);
});

describe('billing-sim data repair', () => {
  test('copies the valid data into a new folder, from which the simulator starts', async () => {
    const folder = await createCrashedFolder();
    editFile(latestJournal(folder), (text) => text.replace('BK-2', 'BK-X'));
    const repairedFolder = join(tempFolder(), 'repaired');
    const hashesBefore = hashFiles(folder);
    const { code, stdout } = await runCli('data', 'repair', '--data', folder, '--to', repairedFolder);
    expect([code, stdout]).toEqual([0, expect.stringContaining('this line differs from what was written')]);
    expect(hashFiles(folder)).toEqual(hashesBefore);
    const simulator = await startSimulator({ data: repairedFolder, log: () => undefined });
    onTestFinished(() => simulator.close());
    const { data } = await clientOf(simulator.baseUrl).GET('/deposits', { params: { query: { per_page: 100 } } });
    const references = data?.data.data.map(({ booking_reference }) => booking_reference);
    expect(references).toEqual(expect.arrayContaining(['BK-1', 'BK-3', 'BK-4', 'BK-5']));
    expect(references).not.toContain('BK-2');
    await simulator.account.snapshots.restore('before');
  });

  test('keeps an account whose seed is invalid; a reset then empties the account', async () => {
    const folder = await createCrashedFolder();
    editFile(join(folder, 'db.json'), (text) => text.replace('"customers":[', '"customers":["lost",'));
    const to = join(tempFolder(), 'repaired');
    expect(await runCli('data', 'repair', '--data', folder, '--to', to)).toMatchObject({ code: 0 });
    const simulator = await startSimulator({ data: to, rateLimit: false, log: () => undefined });
    onTestFinished(() => simulator.close());
    const countInvoices = async () => (await clientOf(simulator.baseUrl).GET('/invoices')).data?.data.total;
    expect(await countInvoices()).toBeGreaterThan(0);
    await simulator.account.reset();
    expect(await countInvoices()).toBe(0);
  });

  test('replaces unknown choices of a profile with the defaults, in accounts and snapshots', async () => {
    const folder = await createCrashedFolder();
    for (const name of ['db.json', 'snapshot-000001.json'])
      editFile(join(folder, name), (text) => text.replace('"profile":{}', '"profile":{"list.order":"sideways"}'));
    const to = join(tempFolder(), 'repaired');
    const { stdout } = await runCli('data', 'repair', '--data', folder, '--to', to, '--json');
    expect(JSON.parse(stdout).problems).toMatchObject([
      { file: folder, message: expect.stringContaining('account demo: list.order has no choice `sideways`') },
      {
        file: join(folder, 'snapshot-000001.json'),
        message: expect.stringContaining('list.order has no choice `sideways`'),
      },
    ]);
    const simulator = await startSimulator({ data: to, log: () => undefined });
    onTestFinished(() => simulator.close());
    await simulator.account.snapshots.restore('before');
  });

  test('drops rows of a snapshot that refer to a missing row, so that its restore leaves valid data', async () => {
    const folder = await copyCrashedFolder();
    editFile(join(folder, 'snapshot-000001.json'), withoutFirstCustomer);
    const to = join(tempFolder(), 'repaired');
    expect(await runCli('data', 'repair', '--data', folder, '--to', to)).toMatchObject({ code: 0 });
    const simulator = await startSimulator({ data: to, log: () => undefined });
    onTestFinished(() => simulator.close());
    await simulator.account.snapshots.restore('before');
    expect(await clientOf(simulator.baseUrl).GET('/invoices')).toMatchObject({ response: { status: 200 } });
    await simulator.close();
    expect(await runCli('data', 'check', '--data', to)).toMatchObject({ code: 0 });
  });

  test('drops a snapshot that lacks the row of its account, since it could not be restored', async () => {
    const folder = await copyCrashedFolder();
    editFile(join(folder, 'snapshot-000001.json'), (text) => text.replace(/("account": \[)\n.*/, '$1'));
    const to = join(tempFolder(), 'repaired');
    const { stdout } = await runCli('data', 'repair', '--data', folder, '--to', to);
    expect(stdout).toMatch(/the snapshot must have exactly one row `account`\n(?:.*\n)*.*, 0 saved snapshots,/);
  });

  test('exits with 1 and says so if no account could be recovered', async () => {
    const folder = await copyCrashedFolder();
    rmSync(join(folder, 'db.json'));
    const repair = (...options: readonly string[]) =>
      runCli('data', 'repair', '--data', folder, '--to', join(tempFolder(), 'repaired'), ...options);
    const { code, stdout } = await repair();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/ has 0 accounts, 0 rows, .*\nNo account could be recovered\.\n$/),
    ]);
    const withJson = await repair('--json');
    expect([withJson.code, JSON.parse(withJson.stdout)]).toMatchObject([1, { accounts: 0 }]);
  });

  test('does not write into a folder that is not empty', async () => {
    const folder = await createCrashedFolder();
    const { code, stderr } = await runCli('data', 'repair', '--data', folder, '--to', folder);
    expect([code, stderr]).toEqual([2, `error: ${folder} is not empty; choose a new folder\n`]);
    const otherFolder = tempFolder();
    writeFileSync(join(otherFolder, 'thesis.tex'), '');
    expect(await runCli('data', 'repair', '--data', folder, '--to', otherFolder)).toMatchObject({
      code: 2,
      stderr: `error: ${otherFolder} is not a data folder of billing-sim (it contains thesis.tex); choose a new folder\n`,
    });
  });

  test('turns every damaged folder into a valid one', async () => {
    for (const [name, damage] of sampleUnlessFull(damageCases, { oneIn: 10 })) {
      const folder = await createCrashedFolder();
      damage(folder);
      const repairedFolder = join(tempFolder(), 'repaired');
      await runCli('data', 'repair', '--data', folder, '--to', repairedFolder);
      const { code, stdout } = await runCli('data', 'check', '--data', repairedFolder);
      expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining(' is valid')]);
      expect(readdirSync(repairedFolder)).not.toContain('lock');
    }
  });
});
