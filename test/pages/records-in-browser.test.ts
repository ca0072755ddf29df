import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sampleUnlessFull } from '../support/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** Pages of records in the dashboard, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'a user can let a deposit expire and open the page of its webhook by clicking (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors, account } = await openDashboardPage(context, sim, { javaScriptEnabled });
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await page.goto(`${sim.url}/dashboard?account=${account.id}`);
    await page.getByRole('button', { name: 'Create deposit' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('button', { name: 'Advance 8 days' }).click();
    await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
    await page.getByRole('link', { name: 'deposit.expired → 204 on attempt 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'deposit.expired' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('"status":"expired"');
    expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(true);
    expect(pageErrors).toEqual([]);
  },
);

test('changes made through the library appear automatically, and input is kept', async (context) => {
  const { page, pageErrors, account, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/deposits/2`);
  const amount = page.getByLabel('Amount (EUR)');
  await amount.fill('12');
  await account.scenarios.run('no-show', 2);
  await page.getByText('next step of scenario no-show').last().waitFor();
  expect(await amount.inputValue()).toBe('12');
  await account.deposits.expire(2);
  await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
  expect(await amount.count()).toBe(0);
  expect(pageErrors).toEqual([]);
});
