import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { getBrowser } from '../support/browser.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { sampleUnlessFull } from '../support/sample.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createDemoAccount } from './guest.js';
import { openWithLiveUpdates, waitForTwoFrames } from './live-updates.js';
import { openDashboardPage } from './open-dashboard-page.js';
import { phoneScreen } from './phone-screen.js';

/** Sections of the dashboard in a browser: webhooks, tokens, clock, requests, emails, and the list of deposits. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('a rotated secret and a new token are not shown again by the back button', async (context) => {
  const { account, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await page.goto(`${dashboardUrl}/webhooks`);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const secret = await page.getByRole('status').locator('code').innerText();
  expect(secret).toBe(account.webhookSecret);

  const expectNoSecrets = async (...secrets: readonly string[]): Promise<void> => {
    const storage = String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'));
    for (const text of [await page.content(), storage]) {
      for (const hidden of secrets) expect(text).not.toContain(hidden);
    }
  };
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Rotate secret' }).waitFor();
  await expectNoSecrets(secret);

  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  await page.getByLabel('Name').fill('reporting');
  await page.getByLabel('billing.write').uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByRole('status').locator('code').innerText();
  expect((await sendHttpRequest(sim.url, { path: '/api/v1/deposits', token })).status).toBe(200);

  await page.getByRole('link', { name: 'Snapshots' }).click();
  await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
  expect(await page.getByRole('rowheader', { name: 'reporting' }).isVisible()).toBe(true);
  await expectNoSecrets(secret, token);
  expect(pageErrors).toEqual([]);
});

test.for(sampleUnlessFull([true, false], { oneIn: 2 }))(
  'the clock is advanced by a click, and the report lists what happened (JavaScript: %s)',
  async (javaScriptEnabled, context) => {
    const { account, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, { javaScriptEnabled });
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    await page.goto(`${dashboardUrl}/clock`);
    await page.getByRole('button', { name: '8 days' }).click();
    const report = page.getByRole('status');
    const steps = report.getByRole('listitem');
    await steps.first().waitFor();
    expect(await steps.nth(0).innerText()).toBe('2026-03-04 09:00:00 deposit 3 partially_captured → expired (expire)');
    expect(await steps.nth(2).innerText()).toBe('2026-03-04 09:00:00 deposit.expired → 204 on attempt 1');
    expect(await page.getByRole('main').getByText('2026-03-09 09:00:00 UTC').isVisible()).toBe(true);
    await report.getByRole('link', { name: 'deposit.expired' }).first().click();
    await page.getByRole('heading', { name: 'deposit.expired', level: 1 }).waitFor();
    expect(await page.getByRole('heading', { name: 'Attempt 1, scheduled: 204' }).isVisible()).toBe(true);
    expect(pageErrors).toEqual([]);
  },
);

test('a request appears in the log automatically, and the filter is kept', async (context) => {
  const { client, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  await openWithLiveUpdates(page, `${dashboardUrl}/requests`);
  await page.getByText('No requests yet').waitFor();
  await client.GET('/payments');
  await page.getByRole('rowheader', { name: 'GET /api/v1/payments' }).waitFor();
  await page.getByLabel('Search').fill('deposits');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No requests match').waitFor();
  await client.GET('/payments');
  await client.GET('/deposits');
  await page.getByRole('rowheader', { name: 'GET /api/v1/deposits' }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(1);
  expect(pageErrors).toEqual([]);
});

test('live updates of a delivery keep its expanded parts open, and keep the selected text if the delivery has not changed', async (context) => {
  const { account, client, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url });
  await account.trigger('deposit.created');
  const [delivery] = await account.webhooks.all();
  const path = `webhooks/${delivery?.id}`;
  await openWithLiveUpdates(page, `${dashboardUrl}/${path}`);
  await page.getByText('Headers (').click();
  await page.getByText('Raw body').click();
  const rawBody = page.getByRole('region', { name: 'Raw body of attempt 1' });
  await rawBody.selectText();
  const updated = page.waitForResponse((response) => response.url().endsWith(path));
  await client.GET('/deposits');
  await updated;
  await waitForTwoFrames(page);
  expect(await rawBody.isVisible()).toBe(true);
  expect(await page.evaluate('getSelection().toString()')).toBe(await rawBody.innerText());

  await account.webhooks.resend(String(delivery?.id));
  await page.getByRole('heading', { name: 'Attempt 2, manual: 204' }).waitFor();
  expect(await rawBody.isVisible()).toBe(true);
  expect(await page.getByRole('region', { name: 'Headers of attempt 1' }).isVisible()).toBe(true);
  expect(await page.getByRole('region', { name: 'Headers of attempt 2' }).isVisible()).toBe(false);
  expect(pageErrors).toEqual([]);
});

test('live updates of a list keep the focus, and the horizontal scroll position of the table', async (context) => {
  const { client, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim, { viewport: phoneScreen });
  await openWithLiveUpdates(page, `${dashboardUrl}/deposits`);
  const scrollPosition = () => page.evaluate(`document.querySelector('#list .scroll').scrollLeft`);
  // The demo account has seven deposits, and each pass adds one.
  for (const [count, name] of [
    [8, 'BK-1003'],
    [9, 'Amount'],
  ] as const) {
    const link = page.locator('#list').getByRole('link', { name });
    await link.focus();
    await page.evaluate(`document.querySelector('#list .scroll').scrollLeft = 40`);
    await client.POST('/deposits', { body: { booking_reference: 'NEW', amount: 10 } });
    await page.getByText(`${count} of ${count} deposits`).waitFor();
    await expect.poll(() => link.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await scrollPosition()).toBe(40);
  }
  expect(pageErrors).toEqual([]);
});

test('relative times are updated while the clock runs, even if nothing else changes', async (context) => {
  const browser = await getBrowser(context);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.clock.install();
  const { account, client } = await createDemoAccount(sim);
  await account.clock.resume();
  await client.POST('/deposits', { body: { booking_reference: 'NEW', amount: 10 } });
  await page.goto(`${sim.url}/dashboard/${account.id}/deposits`);
  const creationTime = page.getByRole('row', { name: 'NEW' }).locator('time');
  const textBefore = await creationTime.innerText();
  // After a second a reload would show another text, but the page reloads only every 30 seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await creationTime.innerText()).toBe(textBefore);
  await page.clock.fastForward('00:30');
  await expect.poll(() => creationTime.innerText()).not.toBe(textBefore);
});

test('an email with hostile texts runs no scripts in its frame', async (context) => {
  const { account, client, page, pageErrors, dashboardUrl } = await openDashboardPage(context, sim);
  // A name has at most 255 characters.
  const customer = await account.customers.create({ name: hostileTexts.join(' ').slice(0, 255), email: 'a@b.example' });
  const items = hostileTexts.map((description) => ({ description, quantity: 1, unit_price: 5, tax_rate: 0 }));
  const body = { customer_id: customer.id, date: '2026-03-01', due_date: '2026-04-01', items };
  const { data } = await client.POST('/invoices', { body });
  await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: data?.data.id ?? 0 } } });
  await page.goto(`${dashboardUrl}/mails/1`);
  const frame = page.frameLocator('iframe');
  expect(await frame.locator('body').innerText()).toContain(hostileTexts[0]);
  expect(await frame.locator('script, img, svg, base, iframe').count()).toBe(0);
  // The scripts in the texts set this variable.
  for (const inner of page.frames()) expect(await inner.evaluate('window.hurt')).toBeUndefined();
  expect(pageErrors).toEqual([]);
});
