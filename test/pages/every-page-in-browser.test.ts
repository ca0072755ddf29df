import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hostileTexts } from '../mail/sample.js';
import { isFullRun, sample } from '../support/sample.js';
import { violationsOf } from './axe.js';
import { dashboardAddresses } from './dashboard-addresses.js';
import { cards, createDemoAccount } from './guest.js';
import { createRecordsWith, joinUpTo } from './hostile-records.js';
import { openWatchedPage } from './watched-page.js';

/** Checks that apply to every page, in a browser window of the size of a small phone. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const openPage = (context: TestContext) =>
  openWatchedPage(context, {
    isAllowedUrl: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    expectsErrorStatus: true,
    viewport: { width: 320, height: 800 },
  });

/**
 * Accessibility violations and overflow of a page, in the light colour scheme. In the dark scheme only contrast is checked,
 * because nothing else differs; outside of full runs, only on every third page of the dashboard.
 */
async function layoutErrorsOf(page: Page, index = 0): Promise<string[]> {
  const path = new URL(page.url()).pathname;
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const darkViolations: string[] = [];
  if (isFullRun || index % 3 === 0) {
    await page.emulateMedia({ colorScheme: 'dark' });
    darkViolations.push(...(await violationsOf(page, { iframes: false, runOnly: ['color-contrast'] })));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return [
    ...(await violationsOf(page, { iframes: false })).map((violation) => `${path} ${violation}`),
    ...darkViolations.map((violation) => `${path} in the dark scheme ${violation}`),
    ...(width > 320 ? [`${path} is ${width} pixels wide`] : []),
  ];
}

test('the dashboard is accessible, and fits a phone', async (context) => {
  const { page, pageErrors } = await openPage(context);
  const { account, client } = await createDemoAccount(sim);
  const recordIds = await createRecordsWith('Room 7', { account, client, url: sim.url });
  const errors: string[] = [];
  const addresses = dashboardAddresses({ ...recordIds, invoices: 6, deposits: 3, 'payment-links': 1 });
  for (const [index, address] of addresses.entries()) {
    // The HTML of a mail is not a page of the dashboard. The search shows only a few of the similar forms of the profile.
    if (address.endsWith('/html')) continue;
    await page.goto(`${sim.url}/dashboard/${account.id}${address.replace(/^\/profile$/, '$&?q=request')}`);
    errors.push(...(await layoutErrorsOf(page, index)));
  }
  // The confirmation of an action that loses data: on a page, and in a dialog.
  await page.goto(`${sim.url}/dashboard/${account.id}/confirm/rotateWebhookSecret`);
  errors.push(...(await layoutErrorsOf(page)));
  await page.goto(`${sim.url}/dashboard/${account.id}/webhooks`);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').waitFor();
  errors.push(...(await layoutErrorsOf(page)));
  expect(errors).toEqual([]);
  expect(pageErrors).toEqual([]);
});

/** The pages outside the dashboard: the source file that renders a page, and a function that opens it. */
const otherPages: readonly (readonly [file: string, show: (stage: GuestStage) => Promise<void>])[] = [
  ['guest/pay/view.ts', ({ page, link }) => submit(page, link, '1')],
  ['guest/components/payment-outcome.ts', ({ page, link }) => submit(page, link, cards.paid)],
  ['guest/components/payment-outcome.ts', ({ page, link }) => submit(page, link, cards.unknown)],
  ['guest/components/payment-outcome.ts', ({ page, link }) => submit(page, link, cards.paidLater)],
  ['guest/components/challenge.ts', ({ page, link }) => submit(page, link, cards.authentication)],
  ['guest/components/unpayable.ts', ({ go }) => go('/pay/inv_9')],
  ['guest/components/unpayable.ts', ({ go }) => go('/pay/inv_8')],
  ['guest/authorize/view.ts', ({ page, authorize }) => submit(page, authorize, '1')],
  ['guest/components/challenge.ts', ({ page, authorize }) => submit(page, authorize, cards.authentication)],
  ['guest/components/hold.ts', ({ go }) => go('/authorize/2')],
  ['guest/components/hold.ts', ({ go }) => go('/authorize/6')],
  ['dashboard/components/error-page.ts', ({ go }) => go('/pay/nothing')],
  ['dashboard/sign-in/view.ts', ({ signIn }) => signIn('wrong')],
];

interface GuestStage {
  readonly page: Page;
  /** URL of the page of a payment link. */
  readonly link: string;
  /** URL of the page that authorizes a deposit. */
  readonly authorize: string;
  /** Opens a page of the account. */
  go(path: string): Promise<void>;
  signIn(token: string): Promise<void>;
}

async function submit(page: Page, address: string, cardNumber: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Card number').fill(cardNumber);
  await page.locator('form button').first().click();
}

test('the pages for guests are accessible, and fit a phone', async (context) => {
  const { page, pageErrors } = await openPage(context);
  const { account, client } = await createDemoAccount(sim);
  const locked = await startSimulator({ controlToken: 'open-sesame' });
  onTestFinished(() => locked.close());
  const link = await client.POST('/payment-links', { body: { description: 'Room 7', amount: 149.9 } });
  const deposit = await client.POST('/deposits', { body: { booking_reference: 'BK-77', amount: 300 } });
  const stage: GuestStage = {
    page,
    link: String(link.data?.data.url),
    authorize: String(deposit.data?.data.authorization_url),
    go: async (path) => void (await page.goto(sim.url + path.replace(/^\/\w+/, `$&/${account.id}`))),
    async signIn(token) {
      await page.goto(`${locked.url}/dashboard`);
      await page.getByLabel('Control token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
  };
  const errors: string[] = [];
  for (const [file, show] of otherPages) {
    await show(stage);
    errors.push(...(await layoutErrorsOf(page)).map((error) => `${file}: ${error}`));
  }
  expect(errors).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('otherPages covers every file that renders a page for guests', () => {
  const folder = new URL('../../src/http/', import.meta.url);
  const renderers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    return file.endsWith('.ts') && /return guestPage\(/.test(readFileSync(new URL(file, folder), 'utf8'));
  });
  expect([...new Set(otherPages.map(([file]) => file))].sort()).toEqual(renderers.sort());
});

/** Markup that no page may contain. */
const forbiddenMarkup = [
  'script:not([src^="/assets/"])',
  'svg:not([role="img"])',
  'iframe:not([sandbox=""])',
  'img, base, meta[http-equiv], link:not([href^="/assets/"])',
  '[onload], [onerror], [onmouseover], [href^="javascript:"]',
].join(', ');

test('text of clients is escaped on every page of the dashboard', async (context) => {
  const { page, pageErrors } = await openPage(context);
  const { account, client } = await createDemoAccount(sim);
  const addresses = new Set<string>();
  for (const text of joinUpTo(200, hostileTexts)) {
    const recordIds = await createRecordsWith(text, { account, client, url: sim.url });
    for (const address of dashboardAddresses(recordIds)) addresses.add(address);
  }
  const errors: string[] = [];
  for (const address of sample([...addresses], 2)) {
    await page.goto(`${sim.url}/dashboard/${account.id}${address}`);
    for (const frame of page.frames())
      if ((await frame.evaluate('window.hurt')) !== undefined) errors.push(`${address} ran an injected script`);
    // The HTML of a mail is not a page of the dashboard.
    if (address.endsWith('/html')) continue;
    const forbiddenCount = await page.locator(forbiddenMarkup).count();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (forbiddenCount > 0 || width > 320)
      errors.push(`${address}: ${forbiddenCount} forbidden elements, ${width} pixels wide`);
  }
  expect(errors).toEqual([]);
  expect(pageErrors).toEqual([]);
});
