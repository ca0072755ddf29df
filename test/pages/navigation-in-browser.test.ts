import type { Page } from 'playwright-core';
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

const scrollPosition = (page: Page): Promise<number> => page.evaluate<number>('window.scrollY');

test('a link to a new page opens it at its start, and a link to a gap opens the profile at the gap', async (context) => {
  const { page, pageErrors, client, dashboardUrl } = await openDashboardPage(context, sim);
  await client.POST('/deposits', { body: { booking_reference: 'BK-9', amount: -1 } });
  await page.goto(`${dashboardUrl}/coverage`);
  await page.evaluate('window.scrollTo(0, 900)');
  // A click would scroll to the link first.
  await page.getByRole('link', { name: 'Requests' }).press('Enter');
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  expect(await scrollPosition(page)).toBe(0);
  await page.getByRole('rowheader', { name: 'POST /api/v1/deposits' }).getByRole('link').click();
  await page.getByRole('link', { name: 'deposit.key-mismatch' }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  const gap = page.getByRole('heading', {
    name: 'How does the service respond to a used Idempotency-Key with another valid body?',
  });
  const position = await gap.boundingBox();
  expect(position?.y).toBeLessThan(200);
  expect(pageErrors).toEqual([]);
});

test('after a choice for a gap, the page shows the gap and the message', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/profile?q=request`);
  const choose = page.getByRole('button', { name: 'for request.trailing-slash' });
  await choose.click();
  const message = page.getByRole('status').filter({ hasText: 'Saved.' });
  await message.waitFor();
  const changedGap = page.getByText('How does the service respond to a known path with a trailing slash?');
  const positions = await Promise.all([message.boundingBox(), changedGap.boundingBox()]);
  const [messageBottom, gapTop] = [Number(positions[0]?.y) + Number(positions[0]?.height), Number(positions[1]?.y)];
  expect(messageBottom).toBeGreaterThan(0);
  expect(gapTop).toBeGreaterThan(messageBottom);
  expect(gapTop).toBeLessThan(300);
  // A change of the profile closes the stream of live updates, which htmx logs as an error.
  expect(pageErrors.filter((error) => !error.endsWith('[object Event]'))).toEqual([]);
});

test('dismissing a message changes neither the scroll position nor what the user has typed', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/deposits/3`);
  await page.getByRole('button', { name: 'Capture' }).click();
  await page.getByText('Done. Status: captured.').waitFor();
  await page.getByLabel('Find records, events and requests').fill('BK-1003');
  await page.evaluate('window.scrollTo(0, 500)');
  await page.getByRole('link', { name: 'Dismiss' }).click();
  expect(await page.locator('.toast').count()).toBe(0);
  expect(await scrollPosition(page)).toBe(500);
  expect(await page.locator(':focus').getAttribute('id')).toBe('main');
  expect(page.url()).toBe(`${dashboardUrl}/deposits/3`);
  expect(await page.getByLabel('Find records, events and requests').inputValue()).toBe('BK-1003');
  expect(pageErrors).toEqual([]);
});
