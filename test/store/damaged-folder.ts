import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';

/** SHA-256 of every file in a folder except the lock, by name. */
export function hashFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'lock');
  return Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

/** Creates a folder as a crash leaves it: a checkpoint, a saved snapshot, and five deposits in the journal. */
export async function createCrashedFolder(): Promise<string> {
  const folder = tempFolder();
  const options = { data: folder, seed: 'demo', rateLimit: false, log: () => undefined };
  const simulator = await startSimulator(options);
  await simulator.account.snapshots.save('before');
  await simulator.close();
  const restarted = await startSimulator(options);
  for (let number = 1; number <= 5; number++) {
    await clientOf(restarted.baseUrl).POST('/deposits', {
      body: { booking_reference: `BK-${number}`, amount: number },
    });
  }
  const crashed = copyAsIfCrashed(folder);
  await restarted.close();
  return crashed;
}

let crashedFiles: Promise<Record<string, Buffer>> | undefined;

async function readFiles(folder: string): Promise<Record<string, Buffer>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Copies the folder that `createCrashedFolder` creates. That function is called only once. */
export async function copyCrashedFolder(): Promise<string> {
  crashedFiles ??= createCrashedFolder().then(readFiles);
  const folder = tempFolder();
  for (const [name, content] of Object.entries(await crashedFiles)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Path of the journal with the latest commits. */
export function latestJournal(folder: string): string {
  const name = readdirSync(folder)
    .filter((file) => file.startsWith('journal-'))
    .sort()
    .at(-1);
  if (name === undefined) throw new Error(`${folder} has no journal`);
  return join(folder, name);
}

/** Changes the text of a file; throws if `change` leaves it the same, since the test would then test nothing. */
export function editFile(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} was not changed`);
  writeFileSync(path, changed);
}

function editLines(path: string, change: (lines: string[]) => readonly string[]): void {
  editFile(path, (text) => change(text.split('\n')).join('\n'));
}

/** A row of the `faults` table. */
export const storedFault = {
  id: 1,
  stage: 'request',
  effects: [{ name: 'status', status: 503 }],
  match: {},
  times: null,
  until: null,
  times_matched: 0,
  times_fired: 0,
  created_at: '2026-03-01T09:00:00.000Z',
  cleared_at: null,
};

/** A row of the `attempts` table. */
const storedAttempt = {
  id: 'evt_1/1',
  delivery_id: 'evt_1',
  number: 1,
  by: 'schedule',
  at: '2026-03-01T09:00:00.000Z',
  url: 'http://127.0.0.1:1/',
  headers: {},
  status: 204,
  error: null,
  milliseconds: 1,
  response_body: '',
  next_attempt_at: null,
};

const faultWithInvalidOption = { ...storedFault, stage: 'message', effects: [{ name: 'duplicate', count: 'many' }] };

/** Ways to damage a folder, each with the error that the next start fails with. */
export const damageCases: readonly [name: string, damage: (folder: string) => void, error: RegExp][] = [
  [
    'a changed byte in the journal',
    (folder) => editFile(latestJournal(folder), (text) => text.replace('BK-2', 'BK-X')),
    /journal-\d+-\d+\.ndjson, byte \d+: this line differs from what was written\. Nothing has been changed/,
  ],
  [
    'a changed sequence number in the journal',
    (folder) => editFile(latestJournal(folder), (text) => text.replace(/^\{"seq":(\d+)/m, '{"seq":9$1')),
    /byte \d+: this line differs from what was written/,
  ],
  [
    'a duplicated line in the journal',
    (folder) => editLines(latestJournal(folder), (lines) => lines.toSpliced(2, 0, lines[2] ?? '')),
    /byte \d+: commit \d+ appears twice/,
  ],
  [
    'a deleted line in the journal',
    (folder) => editLines(latestJournal(folder), (lines) => lines.toSpliced(2, 1)),
    /commit \d+ is missing: the preceding commit is \d+, and this journal continues with \d+/,
  ],
  [
    'a line in the journal that is not JSON',
    (folder) => editLines(latestJournal(folder), (lines) => lines.with(2, 'garbage')),
    /byte \d+: this line differs from what was written/,
  ],
  [
    'an empty line in the journal',
    (folder) => editLines(latestJournal(folder), (lines) => lines.toSpliced(2, 0, '')),
    /byte \d+: this line differs from what was written/,
  ],
  [
    'a journal without its first line',
    (folder) => editLines(latestJournal(folder), (lines) => lines.slice(1)),
    /byte 0: the journal must begin with one header line/,
  ],
  [
    'a deleted journal',
    (folder) => rmSync(latestJournal(folder)),
    /the journal that belongs to db\.json is missing.*start with --accept-rollback/,
  ],
  [
    'an emptied journal',
    (folder) => truncateSync(latestJournal(folder)),
    /journal-\d+-\d+\.ndjson: this journal was cut off before its first commit, .*start with --accept-rollback/,
  ],
  [
    'a journal that ends in its first line',
    (folder) => truncateSync(latestJournal(folder), 20),
    /journal-\d+-\d+\.ndjson: this journal was cut off before its first commit, .*start with --accept-rollback/,
  ],
  [
    'snapshots without db.json and journal',
    (folder) => {
      for (const name of ['db.json', basename(latestJournal(folder))]) rmSync(join(folder, name));
    },
    /there are saved snapshots, but no commits: db\.json and the journals are missing or unusable\..*--accept-rollback/,
  ],
  [
    'snapshots without db.json, and an emptied journal',
    (folder) => {
      rmSync(join(folder, 'db.json'));
      rmSync(latestJournal(folder));
      writeFileSync(join(folder, 'journal-000000000001-000001.ndjson'), '');
    },
    /there are saved snapshots, but no commits: db\.json and the journals are missing or unusable/,
  ],
  [
    'a deleted db.json',
    (folder) => rmSync(join(folder, 'db.json')),
    /commits? [\d to]+ (is|are) missing: db\.json is missing.*restore the files, or start with --accept-rollback/,
  ],
  [
    'a db.json that is newer than the journal',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/"seq": \d+/, '"seq": 900')),
    /db\.json has commits up to 900, but the journal ends with \d+: they do not belong together/,
  ],
  [
    'a truncated db.json',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.slice(0, text.length / 2)),
    /db\.json, line \d+: /,
  ],
  [
    'a row in db.json that is not JSON',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace('"amount":', '"amount"')),
    /db\.json, line \d+: invalid JSON/,
  ],
  [
    'an array as `accounts`',
    (folder) => editFile(join(folder, 'db.json'), (text) => JSON.stringify({ ...JSON.parse(text), accounts: [] })),
    /db\.json: `accounts` must be an object/,
  ],
  [
    'null as `accounts`, on a line of its own',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => `${text.slice(0, text.indexOf('"accounts"'))}"accounts": null\n}\n`),
    /db\.json: `accounts` must be an object/,
  ],
  [
    'a second `accounts`',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/\n\}\n$/, ',\n"accounts": {\n}\n}\n')),
    /db\.json, line \d+: the key "accounts" is repeated/,
  ],
  [
    'a negative sequence number in db.json',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/"seq": \d+/, '"seq": -1')),
    /db\.json: `seq` must be a whole number, 0 or more/,
  ],
  [
    'a second sequence number in db.json',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/"seq": \d+,\n/, '$&"seq": 1,\n')),
    /db\.json, line \d+: the key "seq" is repeated, and only its last value can be read/,
  ],
  [
    'a string as an amount',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace(/"paid_amount":[\d.]+/, '"paid_amount":"one"')),
    /db\.json: account demo: invoices\[0\]\.paid_amount must be number/,
  ],
  [
    'an unknown status',
    // Does not match the seed for resets, which has the same status, but no `past_due` after it.
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace('"status":"overdue","past', '"status":"late","past')),
    /account demo: invoices\[\d\]\.status must be one of draft, pending, sent, /,
  ],
  [
    'a negative amount',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/"paid_amount":[\d.]+/, '"paid_amount":-5')),
    /account demo: invoices\[0\]\.paid_amount must be >= 0/,
  ],
  [
    'a negative payment of an invoice',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace(/"amount":[\d.]+(?=[^\n]*"payment_link_id":null)/, '"amount":-5'),
      ),
    /account demo: payments\[\d\]\.amount must be >= 0/,
  ],
  [
    'a captured amount that differs from the captures',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace(/"captured_amount":[\d.]+/, '"captured_amount":900')),
    /account demo: deposits\[\d\]\.captured_amount must be the sum of the captures, \d+/,
  ],
  [
    'an unknown time zone',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/"time_zone":"[^"]+"/, '"time_zone":"Mars"')),
    /account demo: account\[0\]\.time_zone must be a known time zone/,
  ],
  [
    'an unknown time zone in the seed for resets',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/("seed":.*"time_zone":)"[^"]+"/, '$1"Mars"')),
    /account demo: origin\[0\]\.seed\.time_zone must be a known time zone/,
  ],
  [
    'a clock beyond the year 8999',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace('"offset":0', '"offset":1e18')),
    /account demo: account\[0\]\.clock\.offset must be <= \d+/,
  ],
  [
    'a clock that is frozen beyond the year 8999',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace('{"mode":"real","offset":0}', '{"mode":"frozen","at":"9999-01-01T00:00:00.000Z"}'),
      ),
    /account demo: account\[0\]\.clock\.at must match pattern/,
  ],
  [
    'an unknown gap',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace('"profile":{}', '"profile":{"list.ordr":"oldest-first"}'),
      ),
    /unknown gap `list\.ordr`; did you mean `list\.order`\?/,
  ],
  [
    'an unknown choice',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace('"profile":{}', '"profile":{"list.order":"sideways"}')),
    /list\.order has no choice `sideways`; available: `newest-first`, `oldest-first`/,
  ],
  [
    'two customers with the same id',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace(/\n {4}\{"id":1,"name":"Ada.*/, (row) => row + row)),
    /account demo: customers has two rows with the id 1/,
  ],
  [
    'two snapshots with the same name',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace(/\n {4}(\{"name":"before".*)/, (_line, row) => `\n    ${row},\n    ${row}`),
      ),
    /account demo: snapshots has two rows with the name before/,
  ],
  [
    'two seeds for resets, which are rows of the `origin` table',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace(/\n {4}(\{"clock":.*)/, (_line, row) => `\n    ${row},\n    ${row}`),
      ),
    /account demo: origin has more than one row/,
  ],
  [
    'a second block of a table',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace(/ {2}"deposits": \[\n(?: {4}.*\n)* {2}\],\n/, (block) => block + block),
      ),
    /db\.json, line \d+: the key "deposits" is repeated, and only its last value can be read/,
  ],
  [
    'a second block of an account',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace(/"demo": \{\n.*?\n\}/s, (block) => `${block},\n${block}`),
      ),
    /db\.json, line \d+: the key "demo" is repeated, and only its last value can be read/,
  ],
  [
    'a number as an account',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => text.replace('"accounts": {\n', '"accounts": {\n"other": 5,\n')),
    /db\.json: account other must be an object/,
  ],
  [
    'an account that was copied without changing its key, in another layout',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) => {
        const { accounts, ...header } = JSON.parse(text);
        const account = `"demo": ${JSON.stringify(accounts.demo, null, 2)}`;
        return JSON.stringify({ ...header, accounts: {} }).replace('{}', `{${account},\n${account}}`);
      }),
    /db\.json, line \d+: the key "demo" is repeated, and only its last value can be read/,
  ],
  [
    'an invalid option of a fault',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace('"faults": []', `"faults": [\n    ${JSON.stringify(faultWithInvalidOption)}\n  ]`),
      ),
    /db\.json: account demo: faults\[0\]\.effects: duplicate\.count: must be /,
  ],
  [
    'an unknown property',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace('"slug":', '"slugg":')),
    /account demo: payment_links\[0\] (must have required property 'slug'|has the unknown property "slugg")/,
  ],
  [
    'an unknown table',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace('"customers": [', '"costumers": [')),
    /account demo: costumers is not a known table/,
  ],
  [
    'a deleted customer to whom invoices refer',
    (folder) => editFile(join(folder, 'db.json'), (text) => text.replace(/\n {4}\{"id":1,"name":"Ada.*/, '')),
    /^\/.*: the stored data of account demo cannot be used: invoices: row \d+ refers to customer 1, which does not exist\./,
  ],
  [
    'an attempt to send a deleted delivery',
    (folder) =>
      editFile(join(folder, 'db.json'), (text) =>
        text.replace('"attempts": []', `"attempts": [\n    ${JSON.stringify(storedAttempt)}\n  ]`),
      ),
    /^\/.*: attempt evt_1\/1 refers to a delivery that does not exist\. Nothing has been changed/,
  ],
  [
    'a deleted file of a saved snapshot',
    (folder) => rmSync(join(folder, 'snapshot-000001.json')),
    /snapshot-000001\.json: this file, which holds the snapshot `before` of account demo, is missing/,
  ],
];

/** Changes the format of a folder's checkpoint to the next version, as a newer billing-sim would. */
export function makeNewer(folder: string): void {
  editFile(join(folder, 'db.json'), (text) => text.replace('billing-sim/2', 'billing-sim/3'));
}

/** The error for a folder that `makeNewer` has changed. */
export function newerFolderError(folder: string): string {
  return `${join(folder, 'db.json')}: this was written by a newer version of billing-sim (format billing-sim/3). Nothing has been changed; use the newer version, or choose another folder with --data`;
}
