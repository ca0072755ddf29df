import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { sampleUnlessFull } from '../support/sample.js';
import { dashboardPaths } from './dashboard-paths.js';
import { cards } from './guest.js';
import { overflowOf } from './overflow.js';
import { phoneScreen } from './phone-screen.js';
import { createRecordsWithText } from './records-with-text.js';
import { openWatchedPage } from './watched-page.js';

/** Long words wrap: no page scrolls sideways on a narrow screen. */

const longWord = 'W'.repeat(200);
/** An account id of the maximum length. */
const longId = 'w'.repeat(63);

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('no page scrolls sideways when its records contain a long word', async (context) => {
  const { page, pageErrors } = await openWatchedPage(context, {
    isAllowedUrl: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    expectsErrorStatus: true,
    viewport: phoneScreen,
  });
  const account = await sim.createAccount({ id: longId, seed: 'demo', now: '2026-03-01T09:00:00Z', rateLimit: false });
  const client = clientOf(sim.baseUrl, account.tokens.full);
  const recordIds = await createRecordsWithText(longWord, { account, client, url: sim.url });
  const layoutErrors: string[] = [];
  const checkPage = async (path: string, expectedStatus = 200): Promise<void> => {
    const response = await page.goto(sim.url + path);
    expect({ path, status: response?.status() }).toEqual({ path, status: expectedStatus });
    layoutErrors.push(...(await overflowOf(page, phoneScreen.width)));
  };
  const submitCard = async (path: string, cardNumber: string): Promise<void> => {
    await page.goto(sim.url + path);
    await page.getByLabel('Card number').fill(cardNumber);
    await page.locator('form button').first().click();
    // The click returns before the style sheet of the new page is loaded.
    await page.waitForLoadState('load');
    layoutErrors.push(...(await overflowOf(page, phoneScreen.width)));
  };

  // The HTML of an email is not a page of the dashboard.
  const paths = dashboardPaths(recordIds).filter((path) => !path.endsWith('/html'));
  for (const path of sampleUnlessFull(paths, { oneIn: 12 })) await checkPage(`/dashboard/${longId}${path}`);
  // A search opens the sections of the profile, which are closed otherwise.
  await checkPage(`/dashboard/${longId}/profile?q=request`);
  await checkPage(`/dashboard/${longId}/search?q=${longWord}`);

  const link = await client.POST('/payment-links', { body: { description: longWord, amount: 999_999.99 } });
  const deposit = await client.POST('/deposits', {
    body: { booking_reference: longWord, amount: 300, customer: { name: longWord, email: 'a@b.example' } },
  });
  const payPath = new URL(String(link.data?.data.url)).pathname;
  const authorizePath = new URL(String(deposit.data?.data.authorization_url)).pathname;
  await checkPage(payPath);
  // As many characters as the field accepts.
  await submitCard(payPath, longWord.slice(0, 40));
  await submitCard(payPath, cards.declined);
  await submitCard(payPath, cards.paid);
  await submitCard(payPath, cards.authentication);
  await checkPage(authorizePath);
  await submitCard(authorizePath, cards.authentication);
  await account.deposits.authorize(deposit.data?.data.id ?? 0);
  await checkPage(authorizePath);
  const invoicePath = `/pay/${longId}/inv_${recordIds.invoices}`;
  await checkPage(invoicePath);
  await submitCard(invoicePath, cards.paidLater);
  await checkPage(invoicePath);
  for (const unknownPath of [
    `/${longWord}`,
    `/dashboard/${longWord}`,
    `/dashboard/${longId}/${longWord}`,
    `/pay/${longId}/${longWord}`,
  ]) {
    await checkPage(unknownPath, 404);
  }
  expect(layoutErrors).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('a table with a long name fits a wide screen, and names of records stay on one line on a narrow one', async (context) => {
  const { page, pageErrors } = await openWatchedPage(context, { isAllowedUrl: (url) => url.startsWith(sim.url) });
  const account = await sim.createAccount({ seed: 'demo', now: '2026-03-01T09:00:00Z', rateLimit: false });
  await account.apiTokens.create({ name: longWord, scopes: ['billing.read'] });
  await page.goto(`${sim.url}/dashboard/${account.id}/tokens`);
  const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[aria-label="Tokens that have not been revoked"]'))`;
  expect(await page.evaluate(overflow)).toBe(0);
  await account.scenarios.run('no-show', 2);
  await page.setViewportSize(phoneScreen);
  await page.goto(`${sim.url}/dashboard/${account.id}/scenarios`);
  const linesOfNames = `[...document.querySelectorAll('td a')].map((link) => link.getClientRects().length)`;
  expect(await page.evaluate(linesOfNames)).toEqual([1]);
  expect(pageErrors).toEqual([]);
});

/** Realistic texts of guests and companies. */
const german = {
  name: 'Freiherr Maximilian-Ferdinand von Donaudampfschifffahrtsgesellschaftskapitänswitwen',
  company: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesellschaft mbH & Co. KGaA',
  description: 'Übernachtungssteuerbefreiungsbescheinigungsausstellungsgebühr einschließlich Frühstückspauschale',
  reference: 'Reservierungsbestätigungsnummernvergabestellenaktenzeichen-2026-03-01',
};
const arabic = {
  name: 'الأستاذة الدكتورة فاطمة الزهراء بنت عبد الرحمن بن محمد الأنصاري.',
  company: 'شركة الضيافة والفنادق العالمية المحدودة للسياحة والسفر.',
  description: 'إقامة لمدة ثلاث ليالٍ في غرفة مزدوجة مطلة على البحر مع وجبة الإفطار.',
  reference: 'حجز رقم ٢٠٢٦ للعائلة الكريمة.',
};

const textsByLanguage = [
  ['Arabic sentences', arabic],
  ['German compounds', german],
] as const;

test.for(sampleUnlessFull(textsByLanguage, { oneIn: 2 }))(
  '%s fit the pages and run in the direction of their language',
  async ([, texts], context) => {
    const { page, pageErrors } = await openWatchedPage(context, {
      isAllowedUrl: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
      viewport: phoneScreen,
    });
    const account = await sim.createAccount({ seed: 'empty', now: '2026-03-01T09:00:00Z', rateLimit: false });
    const client = clientOf(sim.baseUrl, account.tokens.full);
    const { name, company, description, reference } = texts;
    const email = 'guest@example.com';
    const customer = await account.customers.create({ name, company, email, city: name, address: description });
    const items = [{ description, quantity: 1, unit_price: 90 }];
    await client.POST('/invoices', {
      body: {
        customer_id: customer.id,
        date: '2026-03-01',
        due_date: '2026-03-15',
        reference,
        notes: description,
        items,
      },
    });
    const link = await client.POST('/payment-links', { body: { description, amount: 90 } });
    const deposit = await client.POST('/deposits', {
      body: { booking_reference: reference, amount: 300, customer: { name, email } },
    });
    await account.deposits.authorize(deposit.data?.data.id ?? 0);

    const layoutErrors: string[] = [];
    const [delivery] = await account.webhooks.all();
    const sections = ['customers', 'invoices', 'payment-links', 'deposits'];
    const recordPaths = sections.flatMap((section) => [`/${section}`, `/${section}/1`]);
    const pathsInDashboard = ['', '/overview', `/webhooks/${delivery?.id}`, ...recordPaths].map(
      (path) => `/dashboard/${account.id}${path}`,
    );
    const guestPaths = [link.data?.data.url, deposit.data?.data.authorization_url].map(
      (url) => new URL(String(url)).pathname,
    );
    const shownTexts = new Set<string>();
    for (const path of [...pathsInDashboard, ...guestPaths, `/pay/${account.id}/inv_1`]) {
      await page.goto(sim.url + path);
      layoutErrors.push(...(await overflowOf(page, phoneScreen.width)));
      const directions = await page.evaluate<{ shown: string[]; wrong: string[] }>(
        directionScript(Object.values(texts)),
      );
      for (const text of directions.shown) shownTexts.add(text);
      layoutErrors.push(...directions.wrong.map((text) => `${path} ${text}`));
    }
    expect(layoutErrors).toEqual([]);
    // Pages that show none of the texts would pass the checks above.
    expect([...shownTexts].sort()).toEqual(Object.values(texts).sort());
    expect(pageErrors).toEqual([]);
  },
);

/**
 * JavaScript that returns which of these texts a page shows, and which of them run in the wrong direction. It compares
 * the positions of the last two characters: in Arabic, the last one (a full stop) must be left of the one before it.
 */
function directionScript(texts: readonly string[]): string {
  return `(() => {
    const texts = ${JSON.stringify(texts)}, shown = [], wrong = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim();
      if (!texts.includes(text) || node.parentElement.getClientRects().length === 0) continue;
      shown.push(text);
      const end = node.data.indexOf(text) + text.length;
      const boxOf = (offset) => {
        const range = document.createRange();
        range.setStart(node, offset);
        range.setEnd(node, offset + 1);
        return range.getBoundingClientRect();
      };
      const [secondToLast, last] = [boxOf(end - 2), boxOf(end - 1)];
      const isRightToLeft = /^[\\u0600-\\u06ff]/.test(text);
      if (secondToLast.top === last.top && (last.left < secondToLast.left) !== isRightToLeft)
        wrong.push(text + ' in ' + node.parentElement.outerHTML.slice(0, 60));
    }
    return { shown, wrong };
  })()`;
}
