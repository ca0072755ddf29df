import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** The first steps of a new user, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('one click makes the next request fail, and the header shows the fault until then', async (context) => {
  const { page, pageErrors, client, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/faults`);
  await page.getByRole('button', { name: 'Fail next request' }).click();
  const banner = page.getByRole('region', { name: 'Clock and faults' }).getByText('1 fault active');
  await banner.waitFor();
  expect((await client.GET('/deposits')).response.status).toBe(503);
  expect((await client.GET('/deposits')).response.status).toBe(200);
  await banner.waitFor({ state: 'detached' });
  expect(pageErrors).toEqual([]);
});

test('an account is created, and its token is copied to the clipboard', async (context) => {
  const { page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${dashboardUrl}/accounts`);
  await page.getByLabel('Id').fill('hotel');
  await page.getByRole('button', { name: 'Create account' }).click();
  const message = page.getByRole('status').filter({ hasText: 'hotel' });
  await message.getByRole('button', { name: 'Copy' }).first().click();
  await message.getByRole('button', { name: 'Copied' }).waitFor();
  const token = String(await page.evaluate('navigator.clipboard.readText()'));
  expect((await sendHttpRequest(sim.url, { path: '/api/v1/deposits', token })).status).toBe(200);
  expect(pageErrors).toEqual([]);
});

test('the coverage page counts a new request without a reload', async (context) => {
  const { page, pageErrors, client, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/coverage`);
  const row = page.getByRole('row').filter({ hasText: 'GET /payment-links' });
  expect(await row.getByText('✓').count()).toBe(0);
  await client.GET('/payment-links');
  await row.getByText('✓ 1').waitFor();
  expect(pageErrors).toEqual([]);
});
