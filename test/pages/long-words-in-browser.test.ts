import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { dashboardAddresses } from './dashboard-addresses.js';
import { cards } from './guest.js';
import { fillWith } from './hostile-records.js';
import { overflowOf } from './overflow.js';
import { openWatchedPage } from './watched-page.js';

/** Words that are longer than a screen is wide break; no page scrolls sideways at 320 pixels. */

const width = 320;
const word = 'W'.repeat(200);
const longId = 'w'.repeat(63);

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

test('no page scrolls sideways for a long word', async (context) => {
  const { page, pageErrors } = await openWatchedPage(context, {
    isOwn: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    expectsErrorStatus: true,
    viewport: { width, height: 800 },
  });
  const account = await sim.createAccount({ id: longId, seed: 'demo', now: '2026-03-01T09:00:00Z', rateLimit: false });
  const client = clientOf(sim.baseUrl, account.tokens.full);
  const names = await fillWith(word, { account, client, url: sim.url });
  const found: string[] = [];
  const look = async (path: string): Promise<void> => {
    await page.goto(sim.url + path);
    found.push(...(await overflowOf(page, width)));
  };
  const submit = async (path: string, number: string): Promise<void> => {
    await page.goto(sim.url + path);
    await page.getByLabel('Card number').fill(number);
    await page.locator('form button').first().click();
    // The click returns once the new page has begun, which may be before its style sheet is there.
    await page.waitForLoadState('load');
    found.push(...(await overflowOf(page, width)));
  };

  for (const address of dashboardAddresses(names)) {
    if (!address.endsWith('/html')) await look(`/dashboard/${longId}${address.replace(/^\/profile$/, '$&?q=request')}`);
  }

  const link = await client.POST('/payment-links', { body: { description: word, amount: 999_999.99 } });
  const deposit = await client.POST('/deposits', {
    body: { booking_reference: word, amount: 300, customer: { name: word, email: 'a@b.example' } },
  });
  const pay = new URL(String(link.data?.data.url)).pathname;
  const authorize = new URL(String(deposit.data?.data.authorization_url)).pathname;
  await look(pay);
  await submit(pay, word.slice(0, 40));
  await submit(pay, cards.declined);
  await submit(pay, cards.authentication);
  await look(authorize);
  await submit(authorize, cards.authentication);
  await account.deposits.authorize(deposit.data?.data.id ?? 0);
  await look(authorize);
  const invoice = `/pay/${longId}/inv_${names.invoices}`;
  await look(invoice);
  await submit(invoice, cards.paidLater);
  await look(invoice);
  await look(`/pay/${longId}/${names['payment-links']}`);
  for (const path of [`/${word}`, `/dashboard/${word}`, `/dashboard/${longId}/${word}`, `/pay/${longId}/${word}`]) {
    await look(path);
  }
  expect(found).toEqual([]);
  expect(pageErrors).toEqual([]);
});

/** Texts as guests and companies have them. */
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

test.for([
  ['German compounds', german],
  ['Arabic sentences', arabic],
] as const)('%s fit the pages, and are read in their own direction', async ([, texts], context) => {
  const { page, pageErrors } = await openWatchedPage(context, {
    isOwn: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    viewport: { width, height: 800 },
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

  const found: string[] = [];
  const sections = ['customers', 'invoices', 'payment-links', 'deposits'];
  const [delivery] = await account.webhooks.all();
  const records = sections.flatMap((section) => [`/${section}`, `/${section}/1`]);
  const pages = ['', '/overview', `/webhooks/${delivery?.id}`, ...records];
  const dashboard = pages.map((path) => `/dashboard/${account.id}${path}`);
  const guests = [link.data?.data.url, deposit.data?.data.authorization_url].map(
    (url) => new URL(String(url)).pathname,
  );
  const shown = new Set<string>();
  for (const path of [...dashboard, ...guests, `/pay/${account.id}/inv_1`]) {
    await page.goto(sim.url + path);
    found.push(...(await overflowOf(page, width)));
    const directions = await page.evaluate<{ shown: string[]; wrong: string[] }>(wrongDirections(Object.values(texts)));
    for (const text of directions.shown) shown.add(text);
    found.push(...directions.wrong.map((text) => `${path} ${text}`));
  }
  expect(found).toEqual([]);
  // A page that shows none of the texts would pass, too.
  expect([...shown].sort()).toEqual(Object.values(texts).sort());
  expect(pageErrors).toEqual([]);
});

/**
 * The texts that are the whole of an element, and those that end on the wrong side: the last character of an Arabic sentence, a
 * full stop, is at the left of its line.
 */
function wrongDirections(texts: readonly string[]): string {
  return `(() => {
    const all = ${JSON.stringify(texts)}, shown = [], wrong = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim();
      if (!all.includes(text) || node.parentElement.getClientRects().length === 0) continue;
      shown.push(text);
      const end = node.data.indexOf(text) + text.length;
      const locationOf = (from) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, from + 1);
        return range.getBoundingClientRect();
      };
      const [before, last] = [locationOf(end - 2), locationOf(end - 1)];
      const isRightToLeft = /^[\\u0600-\\u06ff]/.test(text);
      if (before.top === last.top && (last.left < before.left) !== isRightToLeft)
        wrong.push(text + ' in ' + node.parentElement.outerHTML.slice(0, 60));
    }
    return { shown, wrong };
  })()`;
}
