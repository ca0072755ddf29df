import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { BackgroundContractRuns } from '../../src/app/contract-runs.js';
import { startServer } from '../../src/app/server.js';
import { readSeed } from '../../src/files/seed-file.js';
import type { Account } from '../../src/simulation/account.js';
import { openAppServer } from '../support/app-server.js';
import { createDeferred } from '../support/deferred.js';
import { externalAddress } from '../support/external-address.js';
import { serve } from './targets.js';

/** Starts a target that waits for `ready`, then refuses each request with 401, which ends a run. Returns its base URL. */
async function serveRefusals(ready: Promise<void>): Promise<string> {
  return serve((_request, response) => void ready.then(() => response.writeHead(401).end()));
}

/** Opens a server and its contract runs. `start` creates an account and starts a run from it. */
async function openRuns() {
  const app = await openAppServer({ seed: 'empty', now: '2026-03-01T09:00:00Z', append: () => Promise.resolve() });
  onTestFinished(() => app.close());
  const { accounts } = app.world;
  const runs = new BackgroundContractRuns({
    world: app.world,
    ownUrl: () => app.baseUrl,
    controlToken: undefined,
    stopping: new AbortController().signal,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const seed = await readSeed('empty');
  const createAccount = (id: string): Account => accounts.create({ id, seed, choices: {} }).account;
  const start = async (id: string, baseUrl: string): Promise<Account> => {
    const account = createAccount(id);
    await runs.start(account, { baseUrl, token: 'any', only: ['INV-STATS-01'], mayChangeRemoteRecords: false });
    return account;
  };
  return { accounts, runs, createAccount, start };
}

test('before a server stops, it waits for a run whose account was removed, even if another started since', async () => {
  const { accounts, runs, start } = await openRuns();
  const response = createDeferred();
  accounts.remove(await start('removed', await serveRefusals(response.promise)));
  const other = await start('other', await serveRefusals(Promise.resolve()));
  await expect.poll(() => runs.last(other)?.status).toBe('failed');

  let isIdle = false;
  const idle = runs.whenIdle().then(() => {
    isIdle = true;
  });
  await sleep(50);
  expect(isIdle).toBe(false);
  response.resolve();
  await idle;
});

test('an account keeps its last run after a reset, and a new account with the id of a removed one has none', async () => {
  const { accounts, runs, createAccount, start } = await openRuns();
  const account = await start('one', await serveRefusals(Promise.resolve()));
  await runs.whenIdle();
  const resetAccount = accounts.reset(account);
  expect(runs.last(resetAccount)?.status).toBe('failed');
  accounts.remove(resetAccount);
  expect(runs.last(createAccount('one'))).toBeUndefined();
});

test('a run on a simulator that other machines can reach may write, as on any other', async (context) => {
  context.skip(externalAddress === undefined, 'this machine has only loopback addresses');
  const controlToken = 'sesame';
  const server = await startServer({
    port: 0,
    host: externalAddress ?? '',
    allowedHosts: [],
    controlToken,
    folder: undefined,
    durability: 'os',
    seed: () => readSeed('empty'),
    choices: undefined,
    now: undefined,
    randomSeed: undefined,
    log: () => undefined,
  });
  onTestFinished(() => server.close());
  const runs = new BackgroundContractRuns({
    world: server.world,
    ownUrl: () => server.url,
    controlToken,
    stopping: new AbortController().signal,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const account = server.world.accounts.default();
  await runs.startOnSimulator(account, ['DEP-CREATE-01']);
  await runs.whenIdle();
  expect(runs.last(account)?.checked).toMatchObject([{ id: 'DEP-CREATE-01', status: 'passed' }]);
});
