import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openDashboard, readable } from './dashboard-forms.js';

/** The snapshots of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const deposits = async ({ client }: Awaited<ReturnType<typeof openDashboard>>): Promise<number> =>
  (await client.GET('/deposits')).data?.data.total ?? 0;

describe('a snapshot', () => {
  test('is saved, restored and removed', async () => {
    const stage = await openDashboard(sim);
    const { account, client, dashboard } = stage;
    expect(await dashboard.read('snapshots')).toContain('No snapshots yet. Save one before you try something');
    const before = await deposits(stage);
    const saved = await dashboard.send('snapshots', 'saveSnapshot', { name: 'before' });
    expect(saved.notice).toBe('Snapshot before saved.');
    expect(readable(saved.html)).toContain('before 2026-03-01 09:00:00 Restore Remove');

    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await account.clock.advance('8d');
    const restored = await dashboard.send('snapshots', 'restoreSnapshot', {}, 'before');
    expect(restored.notice).toBe('Snapshot restored. The account is back in its state of 2026-03-01 09:00:00. Undo');
    expect(await deposits(stage)).toBe(before);

    const removed = await dashboard.send('snapshots', 'removeSnapshot', {}, 'before');
    expect(removed.notice).toBe('Snapshot before removed.');
    expect(await account.snapshots.names()).toEqual(['before-restore-1']);
  });

  test('with an invalid name is refused', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const { html } = await dashboard.send('snapshots', 'saveSnapshot', { name: '../etc' });
    expect(html).toContain('class="notice refused"');
    expect(await account.snapshots.names()).toEqual([]);
  });
});

test('a reset restores the seed of the account', async () => {
  const stage = await openDashboard(sim);
  const before = await deposits(stage);
  await stage.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  const { notice } = await stage.dashboard.send('snapshots', 'resetAccount');
  expect(notice).toBe('Account reset. Undo');
  expect(await deposits(stage)).toBe(before);
});

describe('undo', () => {
  test('of a reset restores the previous state', async () => {
    const stage = await openDashboard(sim);
    await stage.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await stage.account.clock.advance('2d');
    const before = await deposits(stage);
    const { html } = await stage.dashboard.send('snapshots', 'resetAccount');
    expect(await deposits(stage)).toBe(before - 1);
    expect(html).toContain('/do/restoreSnapshot/before-reset-1"');
    const undone = await stage.dashboard.send('snapshots', 'restoreSnapshot', {}, 'before-reset-1');
    expect(undone.notice).toContain('The account is back in its state of 2026-03-03 09:00:00.');
    expect(await deposits(stage)).toBe(before);
  });

  test('of a restore, too', async () => {
    const stage = await openDashboard(sim);
    await stage.account.snapshots.save('early');
    await stage.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    const before = await deposits(stage);
    const { html } = await stage.dashboard.send('snapshots', 'restoreSnapshot', {}, 'early');
    expect(html).toContain('/do/restoreSnapshot/before-restore-1"');
    await stage.dashboard.send('snapshots', 'restoreSnapshot', {}, 'before-restore-1');
    expect(await deposits(stage)).toBe(before);
  });

  test('keeps the latest five automatic snapshots, and all named ones', async () => {
    const { account, dashboard } = await openDashboard(sim);
    await account.snapshots.save('mine');
    for (let count = 0; count < 7; count++) await dashboard.send('snapshots', 'resetAccount');
    expect(await account.snapshots.names()).toEqual(['mine', ...[3, 4, 5, 6, 7].map((at) => `before-reset-${at}`)]);
  });

  test('can go back to the oldest of them', async () => {
    const { account, dashboard } = await openDashboard(sim);
    for (let count = 0; count < 5; count++) await dashboard.send('snapshots', 'resetAccount');
    const { notice } = await dashboard.send('snapshots', 'restoreSnapshot', {}, 'before-reset-1');
    expect(notice).toContain('Snapshot restored.');
    expect(await account.snapshots.names()).toContain('before-restore-6');
  });

  test('of a restore of a nonexistent snapshot saves nothing', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const { html } = await dashboard.post('snapshots', 'restoreSnapshot', {}, 'nothing');
    expect(html).toContain('class="notice refused"');
    expect(await account.snapshots.names()).toEqual([]);
  });
});
