import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The emails page of the dashboard, and the page of one email. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

async function openWithMail() {
  const stage = await openDashboard(sim);
  await stage.client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
  return stage;
}

test('without a mail, the page explains how to send one', async () => {
  const { dashboard } = await openDashboard(sim);
  expect(await dashboard.read('mails')).toContain('No emails yet. Send a reminder for an invoice');
});

test('mails are listed, and searched', async () => {
  const { dashboard } = await openWithMail();
  const listedMail = 'emilie@cirey.example invoice 3 kept now';
  expect(await dashboard.read('mails')).toContain(listedMail);
  expect(await dashboard.read('mails?q=cirey&status=kept')).toContain(listedMail);
  expect(await dashboard.read('mails?q=nobody')).toContain('No emails match. Show all');
});

describe('a mail', () => {
  test('is shown in a sandboxed frame, next to its text', async () => {
    const { account, dashboard } = await openWithMail();
    const html = await dashboard.open('mails/1');
    expect(html).toContain(`<iframe class="mail" sandbox src="/dashboard/${account.id}/mails/1/html"`);
    expect(html).toMatch(/<a href="(http:\/\/127\.0\.0\.1:\d+\/pay\/[^"]*)" rel="noreferrer">\1<\/a>/);
    expect(visibleText(html)).toContain('Dear Émilie du Châtelet,');
    expect(html).not.toContain('<style>');
  });

  test('has its own content security policy in the frame', async () => {
    const { account } = await openWithMail();
    const { headers, text } = await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}/mails/1/html` });
    const [mail] = await account.mails.all();
    expect(text).toBe(mail?.html);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['mails/2', 'mails/2/html', 'mails/x'])('at %s does not exist', async (page) => {
    expect((await sendHttpRequest(sim.url, { path: `/dashboard/demo/${page}` })).status).toBe(404);
  });
});
