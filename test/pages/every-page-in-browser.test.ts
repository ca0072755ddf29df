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

/** Checks common to all pages, in a browser of the size of a small phone. */

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

/** All rules by day, and by night those of colours, since the rest is the same; in a sample on every third page. */
async function faultsOf(page: Page, index = 0): Promise<string[]> {
  const where = new URL(page.url()).pathname;
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const byNight: string[] = [];
  if (isFullRun || index % 3 === 0) {
    await page.emulateMedia({ colorScheme: 'dark' });
    byNight.push(...(await violationsOf(page, { iframes: false, runOnly: ['color-contrast'] })));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return [
    ...(await violationsOf(page, { iframes: false })).map((violation) => `${where} ${violation}`),
    ...byNight.map((violation) => `${where} by night ${violation}`),
    ...(width > 320 ? [`${where} is ${width} pixels wide`] : []),
  ];
}

/** Some thirty pages, each judged twice: that takes long on a busy machine. */
test('the dashboard is accessible, and fits a phone', async (context) => {
  const { page, pageErrors } = await openPage(context);
  const { account, client } = await createDemoAccount(sim);
  const names = await createRecordsWith('Room 7', { account, client, url: sim.url });
  const found: string[] = [];
  const addresses = dashboardAddresses({ ...names, invoices: 6, deposits: 3, 'payment-links': 1 });
  for (const [index, address] of addresses.entries()) {
    // A mail is not made by a page. Many gaps have a form each, which are alike.
    if (address.endsWith('/html')) continue;
    await page.goto(`${sim.url}/dashboard/${account.id}${address.replace(/^\/profile$/, '$&?q=request')}`);
    found.push(...(await faultsOf(page, index)));
  }
  // Confirmations before data is lost: on a page, and in a dialog.
  await page.goto(`${sim.url}/dashboard/${account.id}/confirm/rotateWebhookSecret`);
  found.push(...(await faultsOf(page)));
  await page.goto(`${sim.url}/dashboard/${account.id}/webhooks`);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await faultsOf(page)));
  expect(found).toEqual([]);
  expect(pageErrors).toEqual([]);
});

/** The pages beside the dashboard, by the file that makes them. */
const guestPages: readonly (readonly [file: string, show: (stage: GuestStage) => Promise<void>])[] = [
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
  /** Of a payment link. */
  readonly link: string;
  /** Of a deposit. */
  readonly authorize: string;
  /** Opens a page of the account. */
  go(path: string): Promise<void>;
  signIn(token: string): Promise<void>;
}

async function submit(page: Page, address: string, number: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Card number').fill(number);
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
  const found: string[] = [];
  for (const [index, [file, show]] of guestPages.entries()) {
    await show(stage);
    found.push(...(await faultsOf(page, index)).map((fault) => `${file}: ${fault}`));
  }
  expect(found).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('the tests cover all pages for guests', () => {
  const folder = new URL('../../src/http/', import.meta.url);
  const makers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    return file.endsWith('.ts') && /return guestPage\(/.test(readFileSync(new URL(file, folder), 'utf8'));
  });
  expect([...new Set(guestPages.map(([file]) => file))].sort()).toEqual(makers.sort());
});

/** Markup that no page may contain. */
const foreign = [
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
    const names = await createRecordsWith(text, { account, client, url: sim.url });
    for (const address of dashboardAddresses(names)) addresses.add(address);
  }
  const found: string[] = [];
  for (const address of sample([...addresses], 2)) {
    await page.goto(`${sim.url}/dashboard/${account.id}${address}`);
    for (const frame of page.frames())
      if ((await frame.evaluate('window.hurt')) !== undefined) found.push(`${address} was hurt`);
    // A mail is not made by a page.
    if (address.endsWith('/html')) continue;
    const foreignCount = await page.locator(foreign).count();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (foreignCount > 0 || width > 320)
      found.push(`${address}: ${foreignCount} strange elements, ${width} pixels wide`);
  }
  expect(found).toEqual([]);
  expect(pageErrors).toEqual([]);
});
