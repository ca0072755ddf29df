// Takes screenshots of the browser pages for docs/images/, or for the folder given as an argument. The clock is frozen and
// the random seed fixed, so that the screenshots change only where the pages do. Run by `npm run screenshots`.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startSimulator } from '../../dist/index.js';

const [, , folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))] = process.argv;
const receiver = createServer((_request, response) => void response.writeHead(204).end());
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const sim = await startSimulator({
  now: '2026-03-02T09:00:00Z',
  randomSeed: 'screenshots',
  webhookUrl: `http://127.0.0.1:${receiver.address().port}/webhooks`,
});
const browserPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? browserPaths.find(existsSync),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'],
});

async function create(path, body) {
  const headers = { Authorization: 'Bearer demo_full', 'Content-Type': 'application/json' };
  const response = await fetch(sim.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data } = await response.json();
  return data;
}

/** Saves a screenshot of a page at 60% of its size. `width` and `height` are those of the window, in CSS pixels. */
async function savePicture(name, path, width, height) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 0.6 });
  await page.goto(new URL(path, sim.url).href);
  await page.screenshot({ path: join(folder, name) });
  await page.close();
}

try {
  const deposit = await create('/deposits', {
    booking_reference: 'BK-2041',
    amount: 300,
    customer: { name: 'Sofia Kovalevskaya', email: 'sofia@hotel.example' },
    check_in_date: '2026-03-06',
    check_out_date: '2026-03-09',
    metadata: { room: '12', source: 'web' },
  });
  await sim.account.clock.advance('2h 15m');
  await sim.account.deposits.authorize(deposit.id);
  const link = await create('/payment-links', { description: 'Late checkout, room 12', amount: 49.9 });
  await sim.account.clock.advance('26h');
  await sim.account.paymentLinks.pay(link.id);
  await savePicture('pay.png', link.url, 390, 800);
  await sim.account.clock.advance('8d');
  await savePicture('activity.png', '/dashboard', 1280, 960);
  await savePicture('deposit-expired.png', `/dashboard/demo/deposits/${deposit.id}`, 1280, 1040);
} finally {
  await browser.close();
  await sim.close();
  receiver.close();
}
