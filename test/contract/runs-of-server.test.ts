import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createContractRuns } from '../../src/app/contract-runs.js';
import { readSeed } from '../../src/files/seed-file.js';
import { closeServer, listen, urlOf } from '../../src/lib/listen.js';
import type { Account } from '../../src/simulation/account.js';
import { openAppServer } from '../support/app-server.js';
import { openPromise } from '../support/open-promise.js';

test('a contract run whose account was removed while it runs is not forgotten when another one starts, so that a server that stops waits for it', async () => {
  const app = await openAppServer({ seed: 'empty', now: '2026-03-01T09:00:00Z', append: () => Promise.resolve() });
  onTestFinished(() => app.close());
  // Responds with 401, which ends a run, once `held` is resolved.
  const held = openPromise();
  const waitingTarget = createServer(
    (_request, response) => void held.promise.then(() => response.writeHead(401).end()),
  );
  const baseUrl = `${urlOf(await listen(waitingTarget, 0, '127.0.0.1'))}/api/v1`;
  onTestFinished(() => closeServer(waitingTarget));
  const { accounts } = app.world;
  const runs = createContractRuns({
    world: app.world,
    ownUrl: () => app.baseUrl,
    controlToken: undefined,
    stopping: new AbortController().signal,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const target = { baseUrl, token: 'any', only: ['INV-STATS-01'], mayChangeRemoteRecords: false };
  const seed = await readSeed('empty');
  const create = (id: string): Account => accounts.create({ id, seed, choices: {} }).account;

  const removed = create('removed');
  await runs.start(removed, target);
  accounts.remove(removed);
  const other = create('other');
  await runs.start(other, target);
  // `stop` and `whenIdle` reach only runs that `last` knows.
  expect(runs.last(removed)?.status).toBe('running');
  held.resolve();
  await runs.whenIdle();
});
