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
    expect(await dashboard.read('snapshots')).toContain('There is no snapshot. Save one before you try something');
    const before = await deposits(stage);
    const saved = await dashboard.send('snapshots', 'saveSnapshot', { name: 'before' });
    expect(saved.notice).toBe('The account is kept as before.');
    expect(readable(saved.html)).toContain('before 2026-03-01 09:00:00 Restore Remove');

    await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await account.clock.advance('8d');
    const restored = await dashboard.send('snapshots', 'restoreSnapshot', {}, 'before');
    expect(restored.notice).toBe('The account is as it was at 2026-03-01 09:00:00.');
    expect(await deposits(stage)).toBe(before);

    const removed = await dashboard.send('snapshots', 'removeSnapshot', {}, 'before');
    expect(removed.notice).toBe('The snapshot before is forgotten.');
    expect(await account.snapshots.names()).toEqual([]);
  });

  test('with a name that is none is refused', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const { html } = await dashboard.send('snapshots', 'saveSnapshot', { name: '../etc' });
    expect(html).toContain('class="notice refused"');
    expect(await account.snapshots.names()).toEqual([]);
  });
});

test('a reset takes the account back to what it began with', async () => {
  const stage = await openDashboard(sim);
  const before = await deposits(stage);
  await stage.client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
  const { notice } = await stage.dashboard.send('snapshots', 'resetAccount');
  expect(notice).toBe('The account is as it began.');
  expect(await deposits(stage)).toBe(before);
});
