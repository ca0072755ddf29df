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
  const { page, trouble } = await openWatchedPage(context, {
    isOwn: (url) => /^http:\/\/127\.0\.0\.1:/.test(url),
    areRefusalsMeant: true,
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
  expect(trouble).toEqual([]);
});
