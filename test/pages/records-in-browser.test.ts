import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createDemoAccount } from './guest.js';
import { openWatchedPage } from './watched-page.js';

/** The dashboard's records, as a browser shows them. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const openPage = (context: TestContext, options: BrowserContextOptions = {}) =>
  openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url), ...options });

/** From the address that the start prints to an expired deposit and its webhook, by what the buttons say alone. */
async function letExpire(page: Page, start: string): Promise<void> {
  await page.goto(start);
  await page.getByRole('button', { name: 'Create deposit' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('button', { name: 'Advance 8 days' }).click();
  await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
  await page.getByRole('link', { name: 'deposit.expired → 204 in attempt 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'deposit.expired' }).waitFor();
}

test.for([true, false])(
  'a deposit expires and its webhook is seen by clicking (scripts: %s)',
  async (javaScriptEnabled, context) => {
    const { page, pageErrors } = await openPage(context, { javaScriptEnabled });
    const { account } = await createDemoAccount(sim);
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await letExpire(page, `${sim.url}/dashboard?account=${account.id}`);
    expect(await page.locator('main').textContent()).toContain('"status":"expired"');
    expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(true);
    expect(pageErrors).toEqual([]);
  },
);

test('changes elsewhere appear automatically, and input is kept', async (context) => {
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
