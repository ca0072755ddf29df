import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard, dashboardOf } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The accounts page of the dashboard, and the list in the header that selects an account. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const getPage = (path: string) => sendHttpRequest(sim.url, { path });

describe('an account', () => {
  test('is created with the demo records, and its tokens are shown once', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const fields = { id: 'hotel', seed: 'demo', now: '2026-05-01T00:00:00Z' };
    const { notice, pathWithNotice } = await dashboard.submitForm('accounts', 'createAccount', fields);
    const [token = ''] = /hotel_full_[0-9a-f]{32}/.exec(notice) ?? [];
    expect(notice).toMatch(
      /^Account hotel created\.\s+Its tokens are shown only once\. .*Webhook secret whsec_[0-9a-f]{32}$/,
    );
    const deposits = await sendHttpRequest(sim.url, { path: '/api/v1/deposits', token });
    expect(deposits.status).toBe(200);
    // When the same URL is opened again, the notice with the secrets is gone.
    const reopenedPage = (await getPage(pathWithNotice)).text;
    expect(reopenedPage).toContain('hotel');
    expect(reopenedPage).not.toMatch(/hotel_full_|whsec_/);
    expect(visibleText(reopenedPage)).toContain('hotel 2026-05-01 00:00:00 frozen');
  });

  test('created without an id gets the next free id', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const createAndReadNumber = async () => {
      const { notice } = await dashboard.submitForm('accounts', 'createAccount', { seed: 'empty' });
      return Number(/^Account account-(\d+) created\./.exec(notice)?.[1]);
    };
    const first = await createAndReadNumber();
    expect(await createAndReadNumber()).toBe(first + 1);
  });

  test('cannot be created with an id that already exists', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice, isRefused } = await dashboard.submitForm('accounts', 'createAccount', { id: 'demo' });
    expect({ notice, isRefused }).toEqual({ notice: 'Account already exists.', isRefused: true });
  });

  test('that is selected in the header is opened, and stays selected on all of its pages', async () => {
    const { account } = await createAccountWithDashboard(sim);
    const { status, headers } = await getPage(`/dashboard?account=${account.id}`);
    expect({ status, location: headers['location'] }).toEqual({ status: 303, location: `/dashboard/${account.id}` });
    expect((await getPage(`/dashboard/${account.id}/tokens`)).text).toContain(
      `<option selected>${account.id}</option>`,
    );
  });

  test('is deleted, and the accounts page of the demo account opens', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    // The demo account cannot be deleted.
    expect(await dashboard.readHtml('accounts')).not.toContain('/dashboard/demo/confirm/deleteAccount');
    expect(await dashboard.readText('confirm/deleteAccount')).toContain(
      'Deletes the account and everything in it: 9 invoices, 3 payment links, 8 payments, 7 deposits, 4 customers, 0 snapshots.',
    );
    const { notice, path } = await dashboard.submitForm('accounts', 'deleteAccount');
    expect({ notice, path }).toEqual({ notice: `Account ${account.id} deleted.`, path: '/dashboard/demo/accounts' });
    expect((await getPage(`/dashboard/${account.id}/tokens`)).status).toBe(404);
  });
});

test('accounts are listed on pages of 25, oldest first', async () => {
  const crowded = await startSimulator();
  onTestFinished(() => crowded.close());
  for (let number = 1; number <= 26; number++) await crowded.createAccount({ id: `hotel-${number}` });
  const readPage = async (query: string) => {
    const text = await dashboardOf(crowded.url).readText(`accounts${query}`);
    return {
      ids: text.match(/(?:demo|hotel-\d+)(?= \d{4}-)/g),
      links: /(?:← Previous )?Page .* of 2(?: Next →)?/.exec(text)?.[0],
    };
  };
  const { ids, links } = await readPage('');
  expect(ids).toEqual(['demo', ...Array.from({ length: 24 }, (_, index) => `hotel-${index + 1}`)]);
  expect(links).toBe('Page 1 of 2 Next →');
  const lastPage = { ids: ['hotel-25', 'hotel-26'], links: '← Previous Page 2 of 2' };
  expect(await readPage('?page=2')).toEqual(lastPage);
  expect(await readPage('?page=9')).toEqual(lastPage);
});

test('the rate limit is switched on in the settings of an account', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  expect(await dashboard.readText('accounts')).toContain('Requests above the limit are allowed.');
  const { html } = await dashboard.postFields('accounts', 'changeSettings', { 'rate_limit:boolean': 'true' });
  expect(visibleText(html)).toContain(`Rate limit of ${account.id} Requests above the limit are refused.`);
  expect(html).toContain('<button name="rate_limit:boolean" value="false"');
});
