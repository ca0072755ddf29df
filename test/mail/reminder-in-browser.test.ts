import { expect, test } from 'vitest';
import { renderReminder } from '../../src/mail/reminder.js';
import { openBrowser } from '../support/browser.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { createReminder } from './sample-reminder.js';

const longWord = 'x'.repeat(80);
const items = [`Consulting, and a word that is longer than a line on a phone: ${longWord}`, ...hostileTexts].map(
  (description) => ({
    description,
    quantity: 12_000.25,
    unit_price: 90_000_000_000.01,
    tax_rate: 20,
    total: 90_000_000_000_000,
  }),
);
const mail = renderReminder(
  createReminder({
    customer: { name: hostileTexts.join(' ') },
    invoice: { invoice_number: hostileTexts.join(' '), reference: 'x'.repeat(200), items, past_due: true },
  }),
);

test('a reminder shows hostile texts as plain text, and fits on a phone and on a desktop', async (context) => {
  const browser = await openBrowser(context);
  const page = await browser.newPage();
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  await page.setContent(mail.html, { waitUntil: 'load' });
  const text = await page.locator('body').innerText();
  for (const hostile of hostileTexts) expect(text).toContain(hostile);
  // The scripts in the hostile texts would set this variable.
  expect(await page.evaluate('window.hurt')).toBeUndefined();
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  expect(requestedUrls).toEqual([]);
});

test('the amount due stays on one line on a phone', async (context) => {
  const browser = await openBrowser(context);
  const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
  const { html } = renderReminder(createReminder({ invoice: { amount: 999_999.99, currency: 'KWD' } }));
  await page.setContent(html, { waitUntil: 'load' });
  const lines = await page.evaluate<number>(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('.facts tr:last-child td'));
    return range.getClientRects().length;
  })()`);
  expect(lines).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});
