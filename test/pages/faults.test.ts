import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effects } from '../../src/faults/index.js';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openDashboard, readable } from './dashboard-forms.js';

/** The faults of the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

describe('a fault', () => {
  test('is added, fires as often as it was to, and counts', async () => {
    const { client, dashboard } = await openDashboard(sim);
    const fields = { effect: 'status=503', 'match.operation': 'listDeposits', 'times:number': '1' };
    const { notice, html } = await dashboard.send('faults', 'addFault', fields);
    expect(notice).toBe('Fault 1 added.');
    expect(readable(html)).toContain('status=503 listDeposits, once never matched active');
    const statuses = [(await client.GET('/deposits')).response.status, (await client.GET('/deposits')).response.status];
    expect(statuses).toEqual([503, 200]);
    expect(await dashboard.read('faults')).toContain('status=503 listDeposits, once hit 1 of 1 over');
  });

  test('is on webhooks of an event, narrowed in every way there is', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const fields = {
      effect: 'delay=5m, duplicate',
      'match.event': 'deposit.expired',
      'match.every:number': '2',
      for: '1h',
    };
    const { html } = await dashboard.send('faults', 'addFault', fields);
    const text = 'deposit.expired, every 2nd, until 2026-03-01 10:00:00';
    expect(readable(html)).toContain(`delay=5m, duplicate ${text} never matched`);
    expect(await account.faults.list()).toHaveLength(1);
  });

  test('with a typo is refused with a suggestion', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const { notice } = await dashboard.send('faults', 'addFault', { effect: 'latensy=2s' });
    expect(notice).toContain('latency');
    expect(await account.faults.list()).toEqual([]);
  });

  test('is cleared, alone or with all others', async () => {
    const { account, dashboard } = await openDashboard(sim);
    for (const effect of ['hang', 'reset', 'outage']) await account.faults.add({ effect });
    const one = await dashboard.send('faults', 'clearFault', {}, '1');
    expect(one.notice).toBe('Fault 1 cleared: never matched.');
    expect((await account.faults.list()).map(({ id }) => id)).toEqual([2, 3]);
    const all = await dashboard.send('faults', 'clearFaults');
    expect(all.notice).toBe('2 faults cleared.');
    expect(readable(all.html)).toContain('No faults active. Inject one below.');
  });
});

test('every effect is described, and its example fills in the form', async () => {
  const { dashboard } = await openDashboard(sim);
  const html = await dashboard.open('faults');
  for (const { name, example } of effects) {
    const link = `faults?${new URLSearchParams({ effect: example })}#new`;
    expect(html).toContain(`<code>${name}</code>`);
    expect(html).toContain(link);
  }
  const picked = await dashboard.open(`faults?${new URLSearchParams({ effect: 'latency=200ms;max=2s' })}`);
  expect(picked).toContain('name="effect" value="latency=200ms;max=2s"');
});
