import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import type { PageOptions } from '../support/browser.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { openReceiver } from '../webhooks/receiver.js';
import { violationsOf } from './axe.js';
import { clickAndLoad } from './click-and-load.js';
import { cards, createDemoAccount, eventNamesOf } from './guest.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';
import { joinTexts } from './records-with-text.js';
import { openWatchedPage } from './watched-page.js';

/** The pages for guests, in a browser. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const openBrowserPage = (context: TestContext, options: PageOptions = {}) =>
  openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url), expectsErrorStatus: true, ...options });

/** Creates an account with a payment link for €149.90 and a deposit of €300, each of which has a guest page. */
async function createGuestPages() {
  const created = await createDemoAccount(sim);
  const link = await created.client.POST('/payment-links', { body: { description: 'Room 7', amount: 149.9 } });
  const deposit = await created.client.POST('/deposits', { body: { booking_reference: 'BK-77', amount: 300 } });
  return {
    ...created,
    payUrl: String(link.data?.data.url),
    authorizeUrl: String(deposit.data?.data.authorization_url),
    /** Lists the payments of the payment link. */
    listPayments: async () =>
      ((await created.client.GET('/payments')).data?.data.data ?? []).filter(
        ({ description }) => description === 'Room 7',
      ),
  };
}

async function submitCard(page: Page, button: string, cardNumber: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const headingOf = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

test('a guest whose card is declined retries and pays, and the webhook arrives', async (context) => {
  const { page, pageErrors } = await openBrowserPage(context, { javaScriptEnabled: false });
  const { account, payUrl } = await createGuestPages();
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url });
  await page.goto(payUrl);
  await submitCard(page, 'Pay €149.90', cards.declined);
  expect(await headingOf(page)).toBe('Not paid');
  await page.getByRole('link', { name: 'Try again' }).click();
  await submitCard(page, 'Pay €149.90', cards.paid);
  expect(await headingOf(page)).toBe('Paid');
  // This call returns after the webhooks that are due have been sent.
  await account.clock.advance('0s');
  const [message, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect(message?.headers['x-service-event']).toBe('payment.succeeded');
  expect(JSON.parse(String(message?.body))).toMatchObject({ data: { description: 'Room 7', status: 'paid' } });
  expect(pageErrors).toEqual([]);
});

test('a double click, a reload, or going back and paying again pays only once', async (context) => {
  const { page } = await openBrowserPage(context);
  const { payUrl, listPayments } = await createGuestPages();
  await page.goto(payUrl);
  await page.getByLabel('Card number').fill(cards.paid);
  await page.getByRole('button', { name: 'Pay €149.90', exact: true }).dblclick();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.reload();
  expect(await headingOf(page)).toBe('Paid');
  await page.goBack();
  expect(await headingOf(page)).toBe('Pay €149.90');
  await submitCard(page, 'Pay €149.90', cards.paid);
  expect(await headingOf(page)).toBe('Paid');
  expect(await page.getByRole('status').innerText()).toContain('Nothing was paid twice');
  expect(await listPayments()).toMatchObject([{ status: 'paid' }]);
});

test("a bank transfer is paid later; card payments and holds wait for the answer to the bank's challenge", async (context) => {
  const { page, pageErrors } = await openBrowserPage(context);
  const { account, payUrl, authorizeUrl } = await createGuestPages();
  const earlierEventCount = (await eventNamesOf(account)).length;
  await page.goto(payUrl);
  await page.getByLabel('Method').selectOption('Bank transfer');
  await page.getByLabel('Outcome').selectOption('Pending, then paid');
  await page.getByRole('button', { name: 'without a card' }).click();
  expect(await headingOf(page)).toBe('Payment in progress');
  // The transfer is paid after ten minutes.
  await account.clock.advance('10m');
  // The page reloads by itself.
  await page.getByRole('heading', { name: 'Paid', exact: true }).waitFor();
  expect(await headingOf(page)).toBe('Paid');
  await page.getByRole('link', { name: 'Pay again' }).click();
  await submitCard(page, 'Pay €149.90', cards.authentication);
  await page.getByRole('button', { name: 'Decline' }).click();
  expect(await headingOf(page)).toBe('Not paid');
  await page.goto(authorizeUrl);
  await submitCard(page, 'Authorize €300.00', cards.authentication);
  await page.getByRole('button', { name: 'Approve' }).click();
  expect(await headingOf(page)).toBe('€300.00 is held on your card');
  expect((await eventNamesOf(account)).slice(earlierEventCount)).toEqual(['payment.succeeded', 'deposit.authorized']);
  expect(pageErrors).toEqual([]);
});

test('a test card is filled in by a click, without JavaScript', async (context) => {
  const { page, pageErrors } = await openBrowserPage(context, { javaScriptEnabled: false });
  const { payUrl, authorizeUrl } = await createGuestPages();
  await page.goto(payUrl);
  await page.getByRole('link', { name: cards.declined }).click();
  expect(await page.getByLabel('Card number').inputValue()).toBe(cards.declined);
  await page.getByRole('link', { name: cards.paid }).click();
  await page.getByRole('button', { name: 'Pay €149.90', exact: true }).click();
  expect(await headingOf(page)).toBe('Paid');
  await page.goto(authorizeUrl);
  await page.getByRole('link', { name: cards.paid }).click();
  await page.getByRole('button', { name: 'Authorize €300.00' }).click();
  expect(await headingOf(page)).toBe('€300.00 is held on your card');
  expect(pageErrors).toEqual([]);
});

const languages = [
  ['de-AT', '149,90\u00a0€ bezahlen', 'Kartennummer', 'Bezahlt'],
  ['fr', 'Payer 149,90\u00a0€', 'Numéro de carte', 'Paiement effectué'],
  ['es', 'Pagar 149,90\u00a0€', 'Número de tarjeta', 'Pagado'],
] as const;

test.for(sampleUnlessFull(languages, { oneIn: 3 }))(
  'the pages for guests are accessible and fit a phone in the language of the browser (%s)',
  async ([locale, payLabel, cardNumberLabel, paidHeading], context) => {
    const { page, pageErrors } = await openBrowserPage(context, {
      locale,
      viewport: phoneScreen,
    });
    const { account, payUrl, authorizeUrl } = await createGuestPages();
    const errors: string[] = [];
    let checkedPages = 0;
    const checkPage = async (): Promise<void> => {
      errors.push(...(await overflowOf(page, phoneScreen.width)));
      checkedPages += 1;
      // Checking accessibility is slow: without a full run, only every third page is checked.
      if (!isFullRun && checkedPages % 3 !== 1) return;
      // Colors are the same in all languages, so every-page-in-browser.test.ts checks them.
      const violations = await violationsOf(page, { rules: { 'color-contrast': { enabled: false } } });
      errors.push(...violations.map((violation) => `${page.url()} ${violation}`));
    };
    // A partly paid invoice, one with a pending payment, a cancelled one, and an unknown page.
    for (const path of ['inv_6', 'inv_8', 'inv_9', 'nothing']) {
      await page.goto(`${sim.url}/pay/${account.id}/${path}`);
      await checkPage();
    }
    // Deposits that are authorized, partially captured, released, expired and failed.
    for (const path of ['2', '3', '5', '6', '7']) {
      await page.goto(`${sim.url}/authorize/${account.id}/${path}`);
      await checkPage();
    }
    await page.goto(authorizeUrl);
    await checkPage();
    await page.goto(payUrl);
    expect(await headingOf(page)).toBe(payLabel);
    // No card has this number, so the form is shown again with an error. That page is checked, too.
    await page.getByLabel(cardNumberLabel).fill('1');
    await clickAndLoad(page, page.getByRole('button', { name: payLabel, exact: true }));
    await checkPage();
    await page.getByRole('link', { name: cards.paidLater }).click();
    await clickAndLoad(page, page.getByRole('button', { name: payLabel, exact: true }));
    await checkPage();
    await page.goto(payUrl);
    await page.getByRole('link', { name: cards.authentication }).click();
    await clickAndLoad(page, page.getByRole('button', { name: payLabel, exact: true }));
    await checkPage();
    const approveButton = page.getByRole('button').first();
    await clickAndLoad(page, approveButton);
    expect(await headingOf(page)).toBe(paidHeading);
    await checkPage();
    expect(errors).toEqual([]);
    expect(pageErrors).toEqual([]);
  },
);

test('text from clients is escaped on every guest page, and fits a phone', async (context) => {
  const { page, pageErrors } = await openBrowserPage(context, { viewport: phoneScreen });
  const { client } = await createDemoAccount(sim);
  const pages: { url: string; text: string; button: string; outcome: string }[] = [];
  const texts = [...joinTexts(hostileTexts, { maxLength: 250 }), 'x'.repeat(250)];
  for (const text of sampleUnlessFull(texts, { oneIn: 4 })) {
    const link = await client.POST('/payment-links', { body: { description: text, amount: 5 } });
    const metadata = { [text.slice(0, 40)]: text };
    const body = { booking_reference: text, amount: 5, customer: { name: text }, metadata };
    const deposit = await client.POST('/deposits', { body });
    pages.push({ url: String(link.data?.data.url), text, button: 'Pay €5.00', outcome: 'Paid' });
    const url = String(deposit.data?.data.authorization_url);
    pages.push({ url, text, button: 'Authorize €5.00', outcome: '€5.00 is held on your card' });
  }
  for (const { url, text, button, outcome } of pages) {
    const checkPage = async (): Promise<void> => {
      expect(await page.locator('main').innerText()).toContain(text);
      // The style sheet may still be loading.
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(phoneScreen.width);
      // The scripts in the texts would set this variable.
      expect(await page.evaluate('window.hurt')).toBeUndefined();
      expect(await page.locator('script, svg, img, iframe, base, meta[http-equiv]').count()).toBe(0);
    };
    await page.goto(url);
    await checkPage();
    await submitCard(page, button, cards.authentication);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await checkPage();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: outcome, exact: true }).waitFor();
    await checkPage();
  }
  expect(pageErrors).toEqual([]);
});
