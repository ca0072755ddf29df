import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { isFullRun, sampleUnlessFull } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { clickAndLoad } from './click-and-load.js';
import { dashboardPaths } from './dashboard-paths.js';
import { cards, createDemoAccount } from './guest.js';
import { phoneScreen } from './phone-screen.js';
import { createRecordsWithText, joinTexts } from './records-with-text.js';
import { openWatchedPage } from './watched-page.js';

/** Checks that apply to every page, in a browser window with the size of a small phone. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const openPhonePage = (context: TestContext) =>
  openWatchedPage(context, {
    isAllowedUrl: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    expectsErrorStatus: true,
    viewport: phoneScreen,
  });

const contentWidthOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth'));

/**
 * Returns the accessibility violations of a page in the light color scheme, and an error if the page is wider than a
 * phone. In the dark scheme only contrast is checked, because nothing else differs.
 * @param index number of the page among those that are tested: unless all cases are tested (`npm run test:full`),
 *   accessibility is checked only on every fourth, and in the dark scheme on every eighth
 */
async function findPageErrors(page: Page, index = 0): Promise<string[]> {
  const path = new URL(page.url()).pathname;
  const width = await contentWidthOf(page);
  const lightViolations: string[] = [];
  const darkViolations: string[] = [];
  if (isFullRun || index % 4 === 0) lightViolations.push(...(await violationsOf(page, { iframes: false })));
  if (isFullRun || index % 8 === 0) {
    await page.emulateMedia({ colorScheme: 'dark' });
    darkViolations.push(...(await violationsOf(page, { iframes: false, runOnly: ['color-contrast'] })));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return [
    ...lightViolations.map((violation) => `${path} ${violation}`),
    ...darkViolations.map((violation) => `${path} in the dark scheme ${violation}`),
    ...(width > phoneScreen.width ? [`${path} is ${width} pixels wide`] : []),
  ];
}

test('the dashboard is accessible, and fits a phone', async (context) => {
  const { page, pageErrors: scriptErrors } = await openPhonePage(context);
  const { account, client } = await createDemoAccount(sim);
  const recordIds = await createRecordsWithText('Room 7', { account, client, url: sim.url });
  const errors: string[] = [];
  // A partly paid invoice, a partially captured deposit and a link with payments have the longest pages.
  const paths = dashboardPaths({ ...recordIds, invoices: 6, deposits: 3, 'payment-links': 1 });
  // The HTML of an email is not a page of the dashboard.
  const pagePaths = paths.filter((path) => !path.endsWith('/html'));
  for (const [index, path] of sampleUnlessFull(pagePaths, { oneIn: 4 }).entries()) {
    // The profile page has many similar forms. With a search it shows only a few of them.
    const query = path === '/profile' ? '?q=request' : '';
    await page.goto(`${sim.url}/dashboard/${account.id}${path}${query}`);
    errors.push(...(await findPageErrors(page, index)));
  }
  // The confirmation of an action that cannot be undone: on a page, and in a dialog.
  await page.goto(`${sim.url}/dashboard/${account.id}/confirm/rotateWebhookSecret`);
  errors.push(...(await findPageErrors(page)));
  await page.goto(`${sim.url}/dashboard/${account.id}/webhooks`);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').waitFor();
  errors.push(...(await findPageErrors(page)));
  expect(errors).toEqual([]);
  expect(scriptErrors).toEqual([]);
});

/** Pages without the dashboard's navigation: the source file that renders the page, and a function that opens it. */
const standalonePages: readonly (readonly [file: string, open: (visitor: Visitor) => Promise<void>])[] = [
  // The form is shown again, because the card number is invalid.
  ['guest/pay.ts', ({ payWith }) => payWith('1')],
  ['guest/components/payment-outcome.ts', ({ payWith }) => payWith(cards.paid)],
  ['guest/components/payment-outcome.ts', ({ payWith }) => payWith(cards.unknown)],
  ['guest/components/payment-outcome.ts', ({ payWith }) => payWith(cards.paidLater)],
  ['guest/components/challenge.ts', ({ payWith }) => payWith(cards.authentication)],
  // Invoice 9 is cancelled, and a bank transfer for invoice 8 is pending.
  ['guest/components/unpayable.ts', ({ openGuestPage }) => openGuestPage('/pay/inv_9')],
  ['guest/components/unpayable.ts', ({ openGuestPage }) => openGuestPage('/pay/inv_8')],
  ['guest/authorize.ts', ({ authorizeWith }) => authorizeWith('1')],
  ['guest/components/challenge.ts', ({ authorizeWith }) => authorizeWith(cards.authentication)],
  // Deposit 2 is authorized, and deposit 6 is expired.
  ['guest/components/hold.ts', ({ openGuestPage }) => openGuestPage('/authorize/2')],
  ['guest/components/hold.ts', ({ openGuestPage }) => openGuestPage('/authorize/6')],
  ['dashboard/components/error-page.ts', ({ openGuestPage }) => openGuestPage('/pay/nothing')],
  ['dashboard/routing/sign-in.ts', ({ signIn }) => signIn('wrong')],
];

interface Visitor {
  /** Submits a card number on the page of a payment link. */
  payWith(cardNumber: string): Promise<void>;
  /** Submits a card number on the page that authorizes a deposit. */
  authorizeWith(cardNumber: string): Promise<void>;
  /** Opens a guest page, whose path is given without the account: `/pay/inv_9`. */
  openGuestPage(path: string): Promise<void>;
  /** Submits the sign-in form of a simulator that requires a control token. */
  signIn(controlToken: string): Promise<void>;
}

async function submitCard(page: Page, url: string, cardNumber: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Card number').fill(cardNumber);
  await clickAndLoad(page, page.locator('form button').first());
}

test('pages without navigation are accessible, and fit a phone', async (context) => {
  const { page, pageErrors: scriptErrors } = await openPhonePage(context);
  const { account, client } = await createDemoAccount(sim);
  const simWithToken = await startSimulator({ controlToken: 'open-sesame' });
  onTestFinished(() => simWithToken.close());
  const link = await client.POST('/payment-links', { body: { description: 'Room 7', amount: 149.9 } });
  const deposit = await client.POST('/deposits', { body: { booking_reference: 'BK-77', amount: 300 } });
  const visitor: Visitor = {
    payWith: (cardNumber) => submitCard(page, String(link.data?.data.url), cardNumber),
    authorizeWith: (cardNumber) => submitCard(page, String(deposit.data?.data.authorization_url), cardNumber),
    async openGuestPage(path) {
      await page.goto(sim.url + path.replace(/^\/\w+/, `$&/${account.id}`));
    },
    async signIn(controlToken) {
      await page.goto(`${simWithToken.url}/dashboard`);
      await page.getByLabel('Control token').fill(controlToken);
      await clickAndLoad(page, page.getByRole('button', { name: 'Sign in' }));
    },
  };
  const errors: string[] = [];
  for (const [index, [file, open]] of sampleUnlessFull(standalonePages, { oneIn: 3 }).entries()) {
    await open(visitor);
    errors.push(...(await findPageErrors(page, index)).map((error) => `${file}: ${error}`));
  }
  expect(errors).toEqual([]);
  expect(scriptErrors).toEqual([]);
});

test('standalonePages has every source file that renders such a page', () => {
  const folder = new URL('../../src/http/', import.meta.url);
  const renderingFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    return file.endsWith('.ts') && /(?:return|=) centeredPage\(/.test(readFileSync(new URL(file, folder), 'utf8'));
  });
  expect([...new Set(standalonePages.map(([file]) => file))].sort()).toEqual(renderingFiles.sort());
});

/** Markup that no page may contain. */
const forbiddenMarkup = [
  'script:not([src^="/assets/"])',
  'svg:not([role="img"])',
  'iframe:not([sandbox=""])',
  'img, base, meta[http-equiv], link:not([href^="/assets/"])',
  '[onload], [onerror], [onmouseover], [href^="javascript:"]',
].join(', ');

test('text from clients is escaped on every page of the dashboard', async (context) => {
  const { page, pageErrors: scriptErrors } = await openPhonePage(context);
  const { account, client } = await createDemoAccount(sim);
  const paths = new Set<string>();
  for (const text of joinTexts(hostileTexts, { maxLength: 200 })) {
    const recordIds = await createRecordsWithText(text, { account, client, url: sim.url });
    for (const path of dashboardPaths(recordIds)) paths.add(path);
  }
  const errors: string[] = [];
  for (const path of sampleUnlessFull([...paths], { oneIn: 12 })) {
    await page.goto(`${sim.url}/dashboard/${account.id}${path}`);
    // If a script in `hostileTexts` runs, it sets this variable.
    for (const frame of page.frames())
      if ((await frame.evaluate('window.hurt')) !== undefined) errors.push(`${path} ran an injected script`);
    // The HTML of an email is not a page of the dashboard.
    if (path.endsWith('/html')) continue;
    const forbiddenCount = await page.locator(forbiddenMarkup).count();
    const width = await contentWidthOf(page);
    if (forbiddenCount > 0 || width > phoneScreen.width)
      errors.push(`${path}: ${forbiddenCount} forbidden elements, ${width} pixels wide`);
  }
  expect(errors).toEqual([]);
  expect(scriptErrors).toEqual([]);
});
