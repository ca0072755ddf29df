import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import type { PageOptions } from '../support/browser.js';
import { sampleUnlessFull } from '../support/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { innerTextsOf } from './inner-texts.js';
import { openDashboardPage } from './open-dashboard-page.js';

/** Tasks that an integrator can do entirely on the dashboard. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens the start page of the dashboard of a new account. */
async function openStartPage(context: TestContext, options: PageOptions = {}) {
  const opened = await openDashboardPage(context, sim, options);
  await opened.page.goto(opened.dashboardUrl);
  return opened;
}

test('an integrator sees why a request was refused with 422, and replays it', async (context) => {
  const { client, page, pageErrors } = await openStartPage(context);
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: -5 } });
  await page.getByRole('link', { name: /^Requests/ }).click();
  await page.getByRole('link', { name: 'POST /api/v1/deposits' }).click();
  const reason = page.getByRole('region', { name: 'Why it was refused' });
  await reason.waitFor();
  expect(await reason.getByRole('row').filter({ hasText: 'amount' }).first().innerText()).toContain('-5');
  const refusedRequestUrl = page.url();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Replayed as').waitFor();
  expect(page.url()).not.toBe(refusedRequestUrl);
  expect(await page.getByRole('region', { name: 'Why it was refused' }).isVisible()).toBe(true);
  expect(pageErrors).toEqual([]);
});

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'an integrator whose receiver fails sees the retries, and resends everything that failed (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { account, page, pageErrors } = await openStartPage(context, { javaScriptEnabled });
    let status = 503;
    const receiver = await openReceiver((_request, response) => void response.writeHead(status).end());
    await account.webhooks.configure({ url: receiver.url });
    await account.trigger('deposit.created');
    await account.trigger('deposit.created');
    await account.clock.advance('5s');

    await page.getByRole('link', { name: /^Webhooks/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.getByRole('link', { name: 'deposit.created' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'deposit.created' }).waitFor();
    const strip = page.getByRole('list', { name: 'Attempts in order' });
    await expect
      .poll(() => innerTextsOf(strip.getByRole('listitem')))
      .toEqual(['1 503', 'after 5 s', '2 503', 'retry in 5 min']);
    await page.getByLabel('Webhook secret').fill(account.webhookSecret);
    await page.getByRole('button', { name: 'Check signature' }).click();
    await page.getByText('The secret matches every attempt.').waitFor();
    expect(page.url()).not.toContain(account.webhookSecret);

    status = 204;
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.getByRole('button', { name: 'Resend all failed (2)' }).click();
    await page.getByText('2 deliveries resent: 2 delivered, 0 failed.').waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Resend selected' }).click();
    await page.getByText('1 delivery resent: 1 delivered, 0 failed.').waitFor();
    // Each of the two messages was attempted twice and resent, and one was resent again.
    expect(receiver.received).toHaveLength(7);
    expect(pageErrors).toEqual([]);
  },
);

test('an integrator changes a choice on the profile page, and sees it take effect', async (context) => {
  const { client, page, pageErrors } = await openStartPage(context);
  /** Creates a deposit. @returns the status of the response */
  const createDeposit = async (): Promise<number> =>
    (await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } })).response.status;
  expect(await createDeposit()).toBe(201);
  await page.getByRole('link', { name: 'Profile' }).click();
  // Waits for the page, because the previous one has a field with the same label.
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await page.getByLabel('Search').fill('status.created');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Choose 200 for status.created' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByText('1 choice changed').waitFor();
  expect(await createDeposit()).toBe(200);
  // A new profile ends the live updates of the page for a moment, which htmx logs.
  expect(pageErrors.filter((error) => !error.endsWith('[object Event]'))).toEqual([]);
});
