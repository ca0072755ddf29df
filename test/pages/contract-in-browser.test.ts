import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createDemoAccount } from './guest.js';
import { openWatchedPage } from './watched-page.js';

/** A contract run is started and watched in the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('a click checks this simulator against the contract, and the page lists the results of the clauses', async (context) => {
  const { page, pageErrors } = await openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url) });
  const { account } = await createDemoAccount(sim);
  await page.goto(`${sim.url}/dashboard/${account.id}`);
  await page.getByRole('link', { name: 'Contract' }).click();
  // The first form checks this simulator, the second one another service.
  await page.getByLabel('Clauses').first().fill('INV-STATS');
  await page.getByRole('button', { name: 'Check this simulator' }).click();
  await page.getByText('All verified clauses hold.').waitFor();
  await page.getByRole('rowheader', { name: 'INV-STATS-01' }).waitFor();
  // Another run can be started when this one has ended.
  await page.getByRole('button', { name: 'Check this simulator' }).waitFor();
  expect(pageErrors).toEqual([]);
});
