import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { createDemoAccount } from './guest.js';
import { phoneScreen } from './phone-screen.js';
import { openWatchedPage } from './watched-page.js';

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('on a phone without JavaScript, a menu shows the sections', async (context) => {
  const { page, pageErrors } = await openWatchedPage(context, {
    isAllowedUrl: (url) => url.startsWith(sim.url),
    viewport: phoneScreen,
    javaScriptEnabled: false,
  });
  const { account } = await createDemoAccount(sim);
  await page.goto(`${sim.url}/dashboard/${account.id}`);
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Snapshots' });
  expect(await link.isVisible()).toBe(false);
  await page.getByText('Menu', { exact: true }).click();
  await link.click();
  await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor();
  expect(pageErrors).toEqual([]);
});
