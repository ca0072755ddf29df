import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import type { PageOptions } from '../support/browser.js';
import { sample } from '../support/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createDemoAccount } from './guest.js';
import { openWatchedPage } from './watched-page.js';

/** Pages of records in the dashboard, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const openPage = (context: TestContext, options: PageOptions = {}) =>
  openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url), ...options });

/** Creates a deposit, lets it expire and opens its webhook, by clicking buttons and links on the dashboard. */
async function letDepositExpire(page: Page, dashboardUrl: string): Promise<void> {
  await page.goto(dashboardUrl);
  await page.getByRole('button', { name: 'Create deposit' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('button', { name: 'Advance 8 days' }).click();
  await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
  await page.getByRole('link', { name: 'deposit.expired → 204 on attempt 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'deposit.expired' }).waitFor();
}

test.for(sample([true, false], { oneIn: 2 }))(
  'a user can let a deposit expire and open the page of its webhook by clicking (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors } = await openPage(context, { javaScriptEnabled });
    const { account } = await createDemoAccount(sim);
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await letDepositExpire(page, `${sim.url}/dashboard?account=${account.id}`);
    expect(await page.locator('main').textContent()).toContain('"status":"expired"');
    expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(true);
    expect(pageErrors).toEqual([]);
  },
);

test('changes made through the library appear automatically, and input is kept', async (context) => {
  const { page, pageErrors } = await openPage(context);
  const { account } = await createDemoAccount(sim);
  await page.goto(`${sim.url}/dashboard/${account.id}/deposits/2`);
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
