import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspectFolder } from '../../src/store/inspect-folder.js';
import { writeFolder } from '../../src/store/write-folder.js';
import { copyAsIfCrashed, tempFolder } from '../support/temp-folder.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** All accounts have the same contents after a restart, and deleted accounts do not come back. */

const scenario = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

/** Reads all accounts and their lists from the control API. */
async function readEverything(sim: ControlServer): Promise<unknown> {
  const readBody = async (path: string): Promise<unknown> => (await sim.callControl('GET', path)).body;
  const { data: accounts } = Object(await readBody('/accounts'));
  const accountPaths = [
    'settings',
    'clock',
    'agenda',
    'tokens',
    'customers',
    'deliveries',
    'mails',
    'snapshots',
    'scenarios',
    'runs',
    'faults',
  ];
  const details = await Promise.all(
    accounts.map(async ({ id }: { id: string }) =>
      Promise.all(accountPaths.map((path) => readBody(`/accounts/${id}/${path}`))),
    ),
  );
  return { accounts, details };
}

test.each(['after a clean stop', 'after a crash'])('all accounts survive a restart %s', async (ending) => {
  const folder = tempFolder();
  const sim = await startControlServer({ folder, now: '2026-03-01T09:00:00Z' });
  const body = { id: 'hotel', seed: 'demo', now: '2026-03-01T09:00:00Z', rate_limit: false };
  const hotel = Object((await sim.callControl('POST', '/accounts', body)).body);
  await sim.callControl('POST', '/accounts', {
    id: 'motel',
    profile: { 'deposit.id': 'uuid' },
    now: '2026-01-01T00:00:00Z',
  });
  await sim.callControl('POST', '/accounts', { id: 'gone', seed: 'demo' });
  const { status } = await sim.callControl('PATCH', '/accounts/hotel/settings', {
    webhook_secret: 'changed',
    profile: { 'list.order': 'oldest-first' },
  });
  expect(status).toBe(200);
  const createdToken = Object(
    (await sim.callControl('POST', '/accounts/hotel/tokens', { name: 'a', scopes: ['billing.read'] })).body,
  );
  await sim.callControl('DELETE', '/accounts/hotel/tokens/2');
  await sim.callControl('POST', '/accounts/hotel/customers', { name: 'Emmy', email: 'emmy@ring.example' });
  await sim.callControl('PUT', '/accounts/hotel/scenarios/mine', scenario);
  await sim.callControl('POST', '/accounts/hotel/scenarios/mine/run', { deposit: 1 });
  await sim.callControl('POST', '/accounts/hotel/snapshots', { name: 'kept' });
  await sim.callControl('POST', '/accounts/hotel/snapshots', { name: 'removed' });
  await sim.callControl('DELETE', '/accounts/hotel/snapshots/removed');
  await sim.callControl('PUT', '/accounts/hotel/scenarios/removed', scenario);
  await sim.callControl('DELETE', '/accounts/hotel/scenarios/removed');
  await sim.callControl('POST', '/accounts/motel/trigger', { event: 'deposit.authorized' });
  await sim.callService(hotel.tokens.full, 'POST', '/invoices/3/reminder');
  await sim.callControl('POST', '/accounts/hotel/faults', { effect: 'status=503', match: { nth: 9 }, for: '1h' });
  await sim.callControl('POST', '/accounts/hotel/faults', { effect: 'reset' });
  await sim.callControl('DELETE', '/accounts/hotel/faults/2');
  await sim.callService(hotel.tokens.full, 'GET', '/deposits');
  await sim.callControl('POST', '/accounts/motel/clock/advance', { by: '1d' });
  await sim.callControl('DELETE', '/accounts/gone');
  const contentsBefore = await readEverything(sim);

  const folderAfterCrash = ending === 'after a crash' ? copyAsIfCrashed(folder) : undefined;
  await sim.server.close();
  const restarted = await startControlServer({ folder: folderAfterCrash ?? folder, now: undefined });
  onTestFinished(() => restarted.server.close());
  expect(await readEverything(restarted)).toEqual(contentsBefore);

  expect((await restarted.callControl('GET', '/accounts/gone/clock')).status).toBe(404);
  // The other accounts still work.
  expect((await restarted.callService(hotel.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'pending' },
  });
  // This is token 2, which was revoked.
  expect((await restarted.callService(hotel.tokens.read, 'GET', '/deposits')).status).toBe(401);
  expect((await restarted.callService(createdToken.token, 'GET', '/deposits')).status).toBe(200);
  await restarted.callControl('POST', '/accounts/hotel/clock/advance', { by: '1h' });
  expect((await restarted.callService(hotel.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'authorized' },
  });
  expect((await restarted.callControl('POST', '/accounts/hotel/snapshots/kept/restore')).body).toMatchObject({
    now: '2026-03-01T09:00:00.000Z',
  });
  expect((await restarted.callControl('POST', '/accounts/hotel/reset')).status).toBe(200);
  expect(Object((await restarted.callControl('GET', '/accounts/hotel/runs')).body).data).toEqual([]);
});

test.each<[ending: string, folderAfter: (folder: string) => string | Promise<string>]>([
  ['a clean stop', (folder) => folder],
  ['a crash', copyAsIfCrashed],
  ['a crash and a repair', repairCrashedCopy],
])('accounts are listed in the same order after %s', async (ending, folderAfter) => {
  const folder = tempFolder();
  const sim = await startControlServer({ folder });
  // An object would list the ids that are numbers first.
  for (const id of ['motel', '10', '7']) await sim.callControl('POST', '/accounts', { id });
  await sim.callControl('PATCH', '/accounts/motel/settings', { profile: { 'list.order': 'oldest-first' } });
  if (ending === 'a clean stop') await sim.server.close();
  else onTestFinished(() => sim.server.close());
  const restarted = await startControlServer({ folder: await folderAfter(folder), now: undefined });
  onTestFinished(() => restarted.server.close());
  const { data } = Object((await restarted.callControl('GET', '/accounts')).body);
  expect(data.map(({ id }: { id: string }) => id)).toEqual(['demo', 'motel', '10', '7']);
});

/** Copies a folder in use, and repairs the copy. @returns the repaired folder */
async function repairCrashedCopy(folder: string): Promise<string> {
  const repairedFolder = join(tempFolder(), 'repaired');
  await writeFolder(repairedFolder, await inspectFolder(copyAsIfCrashed(folder)));
  return repairedFolder;
}
