import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openDashboard, visibleText } from './dashboard-forms.js';

/** The coverage page: which statuses, errors, events, transitions and scopes are covered. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** The text of the cells in the row of an operation, by HTTP status. */
function rowOf(html: string, operation: string): Record<string, string> {
  const [table = ''] = /<table>.*?<\/table>/s.exec(html.slice(html.indexOf('Operations by HTTP status'))) ?? [];
  const labels = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, label = '']) => label);
  const row = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells = '']) => cells);
  const cells = row.find((one) => one.includes(`>${operation}<`))?.split(/<t[hd][^>]*>/) ?? [];
  return Object.fromEntries(cells.slice(1).map((cell, index) => [labels[index] ?? '', visibleText(cell)]));
}

test('each status that an operation has responded with is covered, the other documented ones are missing', async () => {
  const { client, dashboard } = await openDashboard(sim);
  expect(rowOf(await dashboard.open('coverage'), 'createDeposit')).toMatchObject({
    '201': 'missing',
    '422': 'missing',
  });
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 30 } });
  await client.POST('/deposits', { body: { booking_reference: 'BK-2', amount: 30 } });
  const row = rowOf(await dashboard.open('coverage'), 'createDeposit');
  expect(row).toMatchObject({ '201': '✓ 2', '422': 'missing' });
  expect(rowOf(await dashboard.open('coverage'), 'listInvoices')).toMatchObject({ '200': 'missing', '201': '' });
});

test('events, errors, transitions and scopes are covered', async () => {
  const { account, client, dashboard } = await openDashboard(sim);
  await account.deposits.authorize(1);
  await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
  const text = await dashboard.read('coverage');
  expect(text).toContain('404 ✓ 1 getDeposit');
  expect(text).toContain('deposit.authorized missing 1 1 0');
  expect(text).toContain('pending authorize authorized ✓ 1');
  expect(text).toContain('full 1 billing.read billing.write');
});

test('a reset clears the coverage', async () => {
  const { client, dashboard } = await openDashboard(sim);
  await client.GET('/deposits');
  const { notice, html } = await dashboard.send('coverage', 'forgetCoverage');
  expect(notice).toBe('Coverage reset.');
  expect(rowOf(html, 'listDeposits')).toMatchObject({ '200': 'missing' });
});
