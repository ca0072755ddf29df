import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The coverage page shows the statuses, errors, events, transitions and scopes that clients have used. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Returns the cells in the row of an operation: their texts by column, which is an HTTP status. */
function cellsOf(html: string, operation: string): Record<string, string> {
  const [table = ''] = /<table>.*?<\/table>/s.exec(html.slice(html.indexOf('Operations by HTTP status'))) ?? [];
  const labels = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, label = '']) => label);
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
  const cells = rows.find((row) => row.includes(`>${operation}<`))?.split(/<t[hd][^>]*>/) ?? [];
  return Object.fromEntries(cells.slice(1).map((cell, index) => [labels[index] ?? '', visibleText(cell)]));
}

test('statuses that an operation has responded with are covered, and its other documented statuses are missing', async () => {
  const { client, dashboard } = await createAccountWithDashboard(sim);
  expect(cellsOf(await dashboard.readHtml('coverage'), 'createDeposit')).toMatchObject({
    '201': '–',
    '422': '–',
  });
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 30 } });
  await client.POST('/deposits', { body: { booking_reference: 'BK-2', amount: 30 } });
  const html = await dashboard.readHtml('coverage');
  expect(cellsOf(html, 'createDeposit')).toMatchObject({ '201': '✓ 2', '422': '–' });
  // The cell for 201 is empty, because the specification does not document this status for listInvoices.
  expect(cellsOf(html, 'listInvoices')).toMatchObject({ '200': '–', '201': '' });
});

test('the page shows the coverage of errors, events, transitions and scopes', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.deposits.authorize(1);
  await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
  const text = await dashboard.readText('coverage');
  expect(text).toContain('404 ✓ 1 getDeposit');
  // The columns: accepted by the receiver, occurred, not sent, rejected.
  expect(text).toContain('deposit.authorized missing 1 1 0');
  expect(text).toContain('pending authorize authorized ✓ 1');
  // The columns: the token, its requests, the scopes that it used, and those that it did not use.
  expect(text).toContain('full 1 billing.read billing.write');
});

test('the page counts the error statuses that were received, and lists those that were not', async () => {
  const { client, dashboard } = await createAccountWithDashboard(sim);
  await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
  const text = await dashboard.readText('coverage');
  expect(text).toMatch(/Errors 1 received, \d+ documented but not received yet/);
  expect(text).toContain('409 missing');
});

test('the page shows requests that were repeated after a lost response, and whether that was safe', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  const body = { booking_reference: 'BK-1', amount: 30 };
  await account.faults.add({ effect: 'lose-response', match: { operation: 'createDeposit' }, times: 1 });
  await client.POST('/deposits', { body }).catch(() => undefined);
  expect(await dashboard.readText('coverage')).toMatch(/Lost responses 0 of 1 handled safely .* not retried/s);
  await client.POST('/deposits', { body });
  expect(await dashboard.readText('coverage')).toMatch(
    /req_\d+ createDeposit lose-response retried by req_\d+ without a key: the operation may have run twice/,
  );
});

test('the page shows forged webhooks that the receiver accepted, the use of keys, and the effects of faults', async () => {
  const receiver = await openReceiver();
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  await account.webhooks.configure({ url: receiver.url });
  await account.faults.add({ effect: 'tamper-body', times: 1 });
  await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 30 } });
  await account.webhooks.settled();
  const text = await dashboard.readText('coverage');
  expect(text).toMatch(/Forged webhooks 0 of 1 rejected .*deposit\.created tamper-body 1 204/s);
  // The columns: requests, and requests without a key.
  expect(text).toContain('createDeposit 1 1');
  expect(text).toContain('Applied: tamper-body ×1');
});

test('a reset clears the coverage', async () => {
  const { client, dashboard } = await createAccountWithDashboard(sim);
  await client.GET('/deposits');
  const { notice, html } = await dashboard.submitForm('coverage', 'resetCoverage');
  expect(notice).toBe('Coverage reset.');
  expect(cellsOf(html, 'listDeposits')).toMatchObject({ '200': '–' });
});
