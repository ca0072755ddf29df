import { expect, onTestFinished, test } from 'vitest';
import { copyAsAfterCrash, tempFolder } from '../support/temp-folder.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** A restart restores all accounts with their contents, except deleted ones. */

const scenario = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

/** Everything that the control API returns about all accounts. */
async function readEverything(sim: ControlServer): Promise<unknown> {
  const reported = async (path: string): Promise<unknown> => (await sim.callControl('GET', path)).body;
  const { data: accounts } = Object(await reported('/accounts'));
  const topics = [
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
      Promise.all(topics.map((topic) => reported(`/accounts/${id}/${topic}`))),
    ),
  );
  return { accounts, details };
}

test.each(['after a clean stop', 'after a crash'])('%s', async (how) => {
  const folder = tempFolder();
  const first = await startControlServer({ folder, now: '2026-03-01T09:00:00Z' });
  const body = { id: 'hotel', seed: 'demo', now: '2026-03-01T09:00:00Z', rate_limit: false };
  const made = Object((await first.callControl('POST', '/accounts', body)).body);
  await first.callControl('POST', '/accounts', {
    id: 'motel',
    profile: { 'deposit.id': 'uuid' },
    now: '2026-01-01T00:00:00Z',
  });
  await first.callControl('POST', '/accounts', { id: 'gone', seed: 'demo' });
  await first.callControl('PATCH', '/accounts/hotel/settings', {
    webhook_secret: 'changed',
    profile: { 'list.order': 'oldest-first' },
  });
  const created = Object(
    (await first.callControl('POST', '/accounts/hotel/tokens', { name: 'a', scopes: ['billing.read'] })).body,
  );
  await first.callControl('DELETE', '/accounts/hotel/tokens/2');
  await first.callControl('POST', '/accounts/hotel/customers', { name: 'Emmy', email: 'emmy@ring.example' });
  await first.callControl('PUT', '/accounts/hotel/scenarios/mine', scenario);
  await first.callControl('POST', '/accounts/hotel/scenarios/mine/run', { deposit: 1 });
  await first.callControl('POST', '/accounts/hotel/snapshots', { name: 'kept' });
  await first.callControl('POST', '/accounts/hotel/snapshots', { name: 'removed' });
  await first.callControl('DELETE', '/accounts/hotel/snapshots/removed');
  await first.callControl('PUT', '/accounts/hotel/scenarios/removed', scenario);
  await first.callControl('DELETE', '/accounts/hotel/scenarios/removed');
  await first.callControl('POST', '/accounts/motel/trigger', { event: 'deposit.authorized' });
  await first.callService(made.tokens.full, 'POST', '/invoices/3/reminder');
  await first.callControl('POST', '/accounts/hotel/faults', { effect: 'status=503', match: { nth: 9 }, for: '1h' });
  await first.callControl('POST', '/accounts/hotel/faults', { effect: 'reset' });
  await first.callControl('DELETE', '/accounts/hotel/faults/2');
  await first.callService(made.tokens.full, 'GET', '/deposits');
  await first.callControl('POST', '/accounts/motel/clock/advance', { by: '1d' });
  await first.callControl('DELETE', '/accounts/gone');
  const before = await readEverything(first);

  const crashed = how === 'after a crash' ? copyAsAfterCrash(folder) : undefined;
  await first.server.close();
  const second = await startControlServer({ folder: crashed ?? folder, now: undefined });
  onTestFinished(() => second.server.close());
  expect(await readEverything(second)).toEqual(before);

  // The restored accounts also work.
  expect((await second.callControl('GET', '/accounts/gone/clock')).status).toBe(404);
  expect((await second.callService(made.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'pending' },
  });
  expect((await second.callService(made.tokens.read, 'GET', '/deposits')).status).toBe(401);
  expect((await second.callService(created.token, 'GET', '/deposits')).status).toBe(200);
  await second.callControl('POST', '/accounts/hotel/clock/advance', { by: '1h' });
  expect((await second.callService(made.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'authorized' },
  });
  expect((await second.callControl('POST', '/accounts/hotel/snapshots/kept/restore')).body).toMatchObject({
    now: '2026-03-01T09:00:00.000Z',
  });
  expect((await second.callControl('POST', '/accounts/hotel/reset')).status).toBe(200);
  expect(Object((await second.callControl('GET', '/accounts/hotel/runs')).body).data).toEqual([]);
});
