import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The top of every dashboard page: the search, and the status bar with the clock and active faults. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Visible text of the bar with the clock and the active faults. */
function statusBarOf(html: string): string {
  return visibleText(/<section id="account-status".*?<\/section>/s.exec(html)?.[0] ?? '');
}

describe('the clock in the status bar', () => {
  test('shows the time and the next agenda item', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const [nextItem] = await account.agenda();
    const status = statusBarOf(await dashboard.readHtml('tokens'));
    expect(status).toMatch(/^2026-03-01 09:00:00 UTC, frozen Resume \+1 h \+1 d Next: /);
    expect(status).toContain(`${nextItem?.id} `);
  });

  test('names the event and the record of the webhook that is retried next', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver((_request, response) => void response.writeHead(503).end());
    await account.webhooks.configure({ url: receiver.url });
    const { data } = await client.POST('/deposits', { body: { booking_reference: 'BK-1', amount: 5 } });
    await expect
      .poll(async () => statusBarOf(await dashboard.readHtml('tokens')))
      .toContain(`Next: retry of deposit.created (deposit ${data?.data.id}) in `);
  });

  test.each([
    ['setClock', { mode: 'real' }, 'running'],
    ['advanceClock', { by: '1d' }, '2026-03-02 09:00:00'],
  ])('has forms that lead back to the page: %s with %j', async (operation, fields, expected) => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { path, html } = await dashboard.postFields('deposits?status=pending', operation, fields);
    expect(path).toMatch(/\/deposits\?status=pending$/);
    expect(statusBarOf(html)).toContain(expected);
  });

  test('is served at a separate URL, together with the counts in the navigation', async () => {
    const { account } = await createAccountWithDashboard(sim);
    const path = `/dashboard/${account.id}/status?${new URLSearchParams([['return_to', `/dashboard/${account.id}/clock`]])}`;
    const { text } = await sendHttpRequest(sim.url, { path });
    expect(text).toMatch(/^<section id="account-status"/);
    expect(text).toContain('<span class="count" id="count-invoices" hx-swap-oob="true">9</span>');
    expect(text).toContain(`name="return_to" value="/dashboard/${account.id}/clock"`);
  });

  test('ignores the `return_to` query parameter if it is the URL of another host', async () => {
    const { account } = await createAccountWithDashboard(sim);
    const { text } = await sendHttpRequest(sim.url, {
      path: `/dashboard/${account.id}/status?return_to=//evil.example/dashboard`,
    });
    expect(text).toMatch(/^<section id="account-status"/);
    expect(text).not.toContain('evil.example');
  });
});

test('active faults are shown on every page until they have ended or are cleared', async () => {
  const { account, client, dashboard } = await createAccountWithDashboard(sim);
  expect(statusBarOf(await dashboard.readHtml(''))).not.toContain('active');
  await account.faults.add({ effect: 'status=503', times: 1 });
  await account.faults.add({ effect: 'hang', match: { operation: 'getDeposit' } });
  expect(statusBarOf(await dashboard.readHtml('tokens'))).toContain('2 faults active Clear all');
  await client.GET('/deposits');
  expect(statusBarOf(await dashboard.readHtml('tokens'))).toContain('1 fault active');
  const { html } = await dashboard.submitForm('faults', 'clearFaults');
  expect(statusBarOf(html)).not.toContain('active');
});

describe('the search', () => {
  // The quotation mark ends the link: without it, `deposits/2` would also match a link to deposit 20.
  test.each([
    ['DEMO-0003', 'Invoices', 'invoices/3'],
    ['demo-0003', 'Invoices', 'invoices/3'],
    ['lovelace', 'Invoices', 'invoices/7'],
    ['emilie', 'Customers', 'customers/2'],
    ['emilie@cirey.example', 'Customers', 'customers/2'],
    ['BK-9', 'Deposits', 'deposits/8'],
    ['Grace', 'Deposits', 'deposits/8'],
    ['3', 'Payment links', 'payment-links/3'],
    ['#8', 'Deposits', 'deposits/8'],
    ['deposit 2', 'Deposits', 'deposits/2"'],
    ['Invoice 2', 'Invoices', 'invoices/2"'],
    ['deposit:2', 'Deposits', 'deposits/2"'],
    ['payment link 3', 'Payment links', 'payment-links/3"'],
    ['payment_link:3', 'Payment links', 'payment-links/3"'],
    ['link 3', 'Payment links', 'payment-links/3"'],
    ['customer #4', 'Customers', 'customers/4"'],
    ['sauna-pass', 'Payment links', 'payment-links/4'],
    ['deposit.created', 'Webhooks', 'webhooks/evt_'],
    ['createDeposit', 'Requests', 'requests/'],
  ])('finds %s in %s', async (text, section, recordPath) => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    const customer = { name: 'Grace Hopper', email: 'grace@navy.example' };
    await client.POST('/deposits', { body: { booking_reference: 'BK-9', amount: 30, customer } });
    await client.POST('/payment-links', { body: { description: 'Sauna pass', amount: 12 } });
    const html = await dashboard.readHtml(`search?${new URLSearchParams([['q', text]])}`);
    const results = html.split('<section class="sheet"').filter((sheet) => sheet.includes(`>${section}</h2>`));
    expect(results.join('')).toContain(`href="/dashboard/${account.id}/${recordPath}`);
    expect(html).toContain(`value="${text}"`);
  });

  test('finds requests and events by a noun and their id', async () => {
    const { account, client, dashboard } = await createAccountWithDashboard(sim);
    await client.GET('/deposits');
    await account.trigger('deposit.created');
    const [request] = await account.requests();
    const [event] = await account.webhooks.all();
    for (const [noun, id, section] of [
      ['request', request?.id, 'requests'],
      ['event', event?.id, 'webhooks'],
    ]) {
      expect(await dashboard.readHtml(`search?q=${noun}+${id}`)).toContain(
        `href="/dashboard/${account.id}/${section}/${id}"`,
      );
    }
  });

  test('shows a message if nothing matches', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    expect(await dashboard.readText('search?q=zzz')).toContain('Nothing matches zzz.');
    expect(await dashboard.readText('search')).toContain('Enter an id');
  });

  test('shows the times of webhooks in the format of other pages', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.trigger('deposit.created');
    expect(await dashboard.readText('search?q=deposit.created')).toMatch(/evt_\w+ · 2026-03-01 09:00:00 /);
  });

  test('shows five matches of a section, and links to its list with all matches', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const html = await dashboard.readHtml('search?q=DEMO');
    expect(html.match(/\/invoices\/\d+"/g)).toHaveLength(5);
    expect(html).toContain(`href="/dashboard/${account.id}/invoices?q=DEMO">Show all matching invoices`);
  });

  test.each([
    ['invoices', 'emilie@cirey.example'],
    ['requests', 'not found'],
    ['requests', 'req_'],
  ])('links to a list of %s that finds the same text: %s', async (section, text) => {
    const { client, dashboard } = await createAccountWithDashboard(sim);
    await client.GET('/deposits/{id}', { params: { path: { id: 999 } } });
    const query = new URLSearchParams({ q: text });
    expect(await dashboard.readHtml(`search?${query}`)).toContain(`aria-labelledby="found-${section}"`);
    expect(await dashboard.readText(`${section}?${query}`)).not.toContain('match. Show all');
  });
});
