import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openBrowser } from '../support/browser.js';
import { openReceiver } from '../webhooks/receiver.js';
import { openAccount } from './guest.js';

/** The dashboard's records, as a browser shows them. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** A browser's page, and what it has complained of. */
async function openPage(context: TestContext, options: BrowserContextOptions = {}) {
  const browser = await openBrowser(context);
  const page = await browser.newPage(options);
  const trouble: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(sim.url)) trouble.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(error.message));
  return { page, trouble };
}

/** From the address that the start prints to an expired deposit and its webhook, by what the buttons say alone. */
async function letExpire(page: Page, start: string): Promise<void> {
  await page.goto(start);
  await page.getByRole('button', { name: 'Make a deposit' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('button', { name: 'Let 8 days pass' }).click();
  await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
  await page.getByRole('link', { name: 'deposit.expired → 204 in attempt 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'deposit.expired' }).waitFor();
}

test.for([true, false])(
  'a deposit expires and its webhook is seen by clicking (scripts: %s)',
  async (javaScriptEnabled, context) => {
    const { page, trouble } = await openPage(context, { javaScriptEnabled });
    const { account } = await openAccount(sim);
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await letExpire(page, `${sim.url}/dashboard?account=${account.id}`);
    expect(await page.locator('main').textContent()).toContain('"status":"expired"');
    expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(true);
    expect(trouble).toEqual([]);
  },
);

test('what happens elsewhere shows by itself, and what was being typed stays', async (context) => {
  const { page, trouble } = await openPage(context);
  const { account } = await openAccount(sim);
  await page.goto(`${sim.url}/dashboard/${account.id}/deposits/2`);
  const amount = page.getByLabel('Capture, EUR');
  await amount.fill('12');
  await account.scenarios.run('no-show', 2);
  await page.getByText('the scenario no-show goes on').last().waitFor();
  expect(await amount.inputValue()).toBe('12');
  await account.deposits.expire(2);
  await page.locator('.summary .status', { hasText: 'expired' }).waitFor();
  expect(await amount.count()).toBe(0);
  expect(trouble).toEqual([]);
});

const pages = ['', '/invoices', '/invoices/6', '/payment-links/1', '/deposits/3'];

/** What axe-core finds on a page. */
async function complaintsAbout(page: Page, rules: readonly string[] = []): Promise<unknown> {
  await page.evaluate(axe.source);
  const options = JSON.stringify(rules.length === 0 ? {} : { runOnly: rules });
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]))`,
  );
}

test.for([
  ['light', []],
  ['dark', ['color-contrast']],
] as const)('the pages are accessible, and fit a phone (%s)', async ([colorScheme, rules], context) => {
  const { page, trouble } = await openPage(context, { colorScheme, bypassCSP: true });
  for (const path of pages) {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`${sim.url}/dashboard/demo${path}`);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect({ path, width }).toEqual({ path, width: 320 });
    await page.setViewportSize({ width: 1_280, height: 700 });
    expect({ path, found: await complaintsAbout(page, rules) }).toEqual({ path, found: [] });
  }
  expect(trouble).toEqual([]);
});
