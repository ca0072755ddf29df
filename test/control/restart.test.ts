import { expect, onTestFinished, test } from 'vitest';
import { asCrashLeavesIt, tempFolder } from '../support/temp-folder.js';
import { type ControlServer, startControlServer } from './control-server.js';

/** Accounts with all that is theirs are there again after a restart, and those that were deleted are not. */

const scenario = { description: 'Mine.', for: 'deposit', steps: [{ after: '1h', do: 'authorize' }] };

/** Everything that control tells of all accounts. */
async function look(sim: ControlServer): Promise<unknown> {
  const reported = async (path: string): Promise<unknown> => (await sim.ask('GET', path)).body;
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
  const made = Object((await first.ask('POST', '/accounts', body)).body);
  await first.ask('POST', '/accounts', { id: 'motel', profile: { 'deposit.id': 'uuid' }, now: '2026-01-01T00:00:00Z' });
  await first.ask('POST', '/accounts', { id: 'gone', seed: 'demo' });
  await first.ask('PATCH', '/accounts/hotel/settings', {
    webhook_secret: 'changed',
    profile: { 'list.order': 'oldest-first' },
  });
  const created = Object(
    (await first.ask('POST', '/accounts/hotel/tokens', { name: 'a', scopes: ['billing.read'] })).body,
  );
  await first.ask('DELETE', '/accounts/hotel/tokens/2');
  await first.ask('POST', '/accounts/hotel/customers', { name: 'Emmy', email: 'emmy@ring.example' });
  await first.ask('PUT', '/accounts/hotel/scenarios/mine', scenario);
  await first.ask('POST', '/accounts/hotel/scenarios/mine/run', { deposit: 1 });
  await first.ask('POST', '/accounts/hotel/snapshots', { name: 'kept' });
  await first.ask('POST', '/accounts/hotel/snapshots', { name: 'removed' });
  await first.ask('DELETE', '/accounts/hotel/snapshots/removed');
  await first.ask('PUT', '/accounts/hotel/scenarios/removed', scenario);
  await first.ask('DELETE', '/accounts/hotel/scenarios/removed');
  await first.ask('POST', '/accounts/motel/trigger', { event: 'deposit.authorized' });
  await first.service(made.tokens.full, 'POST', '/invoices/3/reminder');
  await first.ask('POST', '/accounts/hotel/faults', { effect: 'status=503', match: { nth: 9 }, for: '1h' });
  await first.ask('POST', '/accounts/hotel/faults', { effect: 'reset' });
  await first.ask('DELETE', '/accounts/hotel/faults/2');
  await first.service(made.tokens.full, 'GET', '/deposits');
  await first.ask('POST', '/accounts/motel/clock/advance', { by: '1d' });
  await first.ask('DELETE', '/accounts/gone');
  const before = await look(first);

  const crashed = how === 'after a crash' ? asCrashLeavesIt(folder) : undefined;
  await first.server.close();
  const second = await startControlServer({ folder: crashed ?? folder, now: undefined });
  onTestFinished(() => second.server.close());
  expect(await look(second)).toEqual(before);

  // And all of it works on.
  expect((await second.ask('GET', '/accounts/gone/clock')).status).toBe(404);
  expect((await second.service(made.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'pending' },
  });
  expect((await second.service(made.tokens.read, 'GET', '/deposits')).status).toBe(401);
  expect((await second.service(created.token, 'GET', '/deposits')).status).toBe(200);
  await second.ask('POST', '/accounts/hotel/clock/advance', { by: '1h' });
  expect((await second.service(made.tokens.full, 'GET', '/deposits/1')).body).toMatchObject({
    data: { status: 'authorized' },
  });
  expect((await second.ask('POST', '/accounts/hotel/snapshots/kept/restore')).body).toMatchObject({
    now: '2026-03-01T09:00:00.000Z',
  });
  expect((await second.ask('POST', '/accounts/hotel/reset')).status).toBe(200);
  expect(Object((await second.ask('GET', '/accounts/hotel/runs')).body).data).toEqual([]);
});
