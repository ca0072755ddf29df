import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { phoneScreen } from './phone-screen.js';

/** The navigation of the dashboard, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('on a phone without JavaScript, a menu shows the sections', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, {
    viewport: phoneScreen,
    javaScriptEnabled: false,
  });
  await page.goto(dashboardUrl);
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Snapshots' });
  expect(await link.isVisible()).toBe(false);
  await page.getByText('Menu', { exact: true }).click();
  await link.click();
  await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor();
  expect(pageErrors).toEqual([]);
});
