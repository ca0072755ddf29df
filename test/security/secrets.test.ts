import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator } from '../../src/index.js';
import { type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';

/** A token is shown once and appears nowhere else: not in the data, the recorded requests, or the log. */

const wrongToken = 'wrong_token_0123456789abcdef';
const controlToken = 'control_token_0123456789abcdef';
const idempotencyKey = 'idempotency-key-1';

const secretNames = [
  'the full token of demo',
  'the read token of demo',
  'the write token of demo',
  'the full token of a created account',
  'the read token of a created account',
  'the write token of a created account',
  'a wrong token',
  'the control token',
] as const;

const log: string[] = [];
let folder: string;
let secrets: Readonly<Record<(typeof secretNames)[number], string>>;
/** Texts that the simulator stored or returned, by their source. */
const textBySource = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'billing-sim-secrets-'));
  const data = join(folder, 'data');
  const options = { data, controlToken, rateLimit: false, log: (line: string) => log.push(line) };
  const sim = await startSimulator(options);
  const { tokens } = await sim.createAccount({ id: 'other', seed: 'demo', rateLimit: false });
  secrets = {
    'the full token of demo': 'demo_full',
    'the read token of demo': 'demo_read',
    'the write token of demo': 'demo_write',
    'the full token of a created account': tokens.full,
    'the read token of a created account': tokens.read,
    'the write token of a created account': tokens.write,
    'a wrong token': wrongToken,
    'the control token': controlToken,
  };
  for (const token of Object.values(secrets)) {
    for (const request of requestsWith(token)) await sendHttpRequest(sim.url, request);
  }
  for (const account of ['demo', 'other']) {
    for (const resource of ['requests', 'coverage']) {
      const { text } = await sendHttpRequest(sim.url, {
        path: `/_sim/accounts/${account}/${resource}`,
        token: controlToken,
      });
      textBySource.set(`the ${resource} of ${account}`, text);
    }
  }
  const accounts = await sendHttpRequest(sim.url, { path: '/_sim/accounts', token: controlToken });
  textBySource.set('the list of accounts', accounts.text);
  await recordFiles(data, 'before closing');
  await sim.close();
  await recordFiles(data, 'after closing');

  const restarted = await startSimulator(options);
  await sendHttpRequest(restarted.url, { path: '/api/v1/invoices', token: 'demo_full' });
  await restarted.close();
  await recordFiles(data, 'after another start');
});

afterAll(() => rm(folder, { recursive: true }));

/** Requests with a token: successful ones, refused ones, and ones with the token in a wrong place. */
function requestsWith(token: string): RequestToSend[] {
  const deposit = '{"booking_reference":"BK-9","amount":1}';
  return [
    { path: '/api/v1/invoices', token },
    { path: '/api/v1/invoices/99', token },
    { path: '/api/v1/nothing', token },
    { path: '/api/v1/invoices?per_page=0', token },
    { method: 'DELETE', path: '/api/v1/invoices', token },
    { method: 'POST', path: '/api/v1/payment-links', body: '{"description":"a","amount":1}', token },
    { method: 'POST', path: '/api/v1/payment-links', body: '{', token },
    { method: 'POST', path: '/api/v1/deposits', body: deposit, headers: ['Idempotency-Key', idempotencyKey], token },
    { path: `/api/v1/deposits/${token}`, token },
    { path: `/api/v1/payments?description=${token}`, token },
    { path: '/_sim/accounts', token },
    { path: '/docs', token },
    { path: `/api/v1/invoices?access_token=${token}` },
    { path: `/api/v1/invoices?access_token=${token}`, token },
    { path: `/api/v1/invoices?page=1&access_token=${token}&per_page=1` },
    { path: `/api/v1/invoices?token=${token}` },
    { path: `/api/v1/invoices?api_key=${token}` },
    { path: `/api/v1/invoices?authorization=Bearer%20${token}` },
    { path: `/api/v1/invoices?ACCESS_TOKEN=${token}` },
    { path: `/api/v1/invoices?access%5Ftoken=${token}` },
    { path: `/api/v1/invoices?a=1?access_token=${token}` },
    { path: `/api/v1/invoices?a=1;access_token=${token}` },
    { path: `/api/v1/nothing?access_token=${token}`, token },
    { path: `/_sim/accounts?access_token=${token}` },
    { path: `/_sim/accounts?access_token=${token}`, token: controlToken },
    { path: `/docs?access_token=${token}` },
    { path: `/nothing?access_token=${token}` },
  ];
}

/** Adds the files of the data folder to `textBySource`. */
async function recordFiles(data: string, moment: string): Promise<void> {
  for (const name of await readdir(data))
    textBySource.set(`${name} ${moment}`, await readFile(join(data, name), 'utf8'));
}

/** Returns the names of the sources whose text contains `text`. */
function sourcesContaining(text: string): string[] {
  return [...textBySource].filter(([, sourceText]) => sourceText.includes(text)).map(([source]) => source);
}

test('the search covers responses and all files', () => {
  expect([...textBySource.keys()]).toStrictEqual([
    'the requests of demo',
    'the coverage of demo',
    'the requests of other',
    'the coverage of other',
    'the list of accounts',
    // The numbers in the name of a journal are its first commit, and its lease: see `JournalFile` in src/store/folder.ts.
    'journal-000000000001-000001.ndjson before closing',
    'lock before closing',
    'db.json after closing',
    'journal-000000000009-000001.ndjson after closing',
    'db.json after another start',
    'journal-000000000009-000001.ndjson after another start',
  ]);
});

// Shows that the search finds a text that was stored.
test('an idempotency key, which is not secret, is found in the stored data', () => {
  expect(sourcesContaining(idempotencyKey)).toStrictEqual([
    'journal-000000000001-000001.ndjson before closing',
    'db.json after closing',
    'db.json after another start',
  ]);
});

test.each(secretNames)('%s appears nowhere', (name) => {
  expect(secrets[name]).not.toBe('');
  expect(sourcesContaining(secrets[name])).toStrictEqual([]);
});

test('the simulator has logged nothing, so the log contains no token either', () => {
  expect(log).toStrictEqual([]);
});
