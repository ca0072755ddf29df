import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { startMailServer } from '../mail/mail-server.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { visibleText } from './html-text.js';

/** The emails page of the dashboard, and the page of one email. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

/** Opens the dashboard of an account that has sent one email: the reminder of invoice 3. */
async function openDashboardWithMail() {
  const demo = await createAccountWithDashboard(sim);
  await demo.client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
  return demo;
}

test('without emails, the page explains how to send one', async () => {
  const { dashboard } = await createAccountWithDashboard(sim);
  expect(await dashboard.readText('mails')).toContain('No emails yet. Send a reminder for an invoice');
});

test('emails are listed, and found by recipient and status', async () => {
  const { dashboard } = await openDashboardWithMail();
  const listedMail = 'emilie@cirey.example invoice 3 not sent: no SMTP server was set now';
  expect(await dashboard.readText('mails')).toContain(listedMail);
  expect(await dashboard.readText('mails?q=cirey&status=stored')).toContain(listedMail);
  for (const query of ['q=nobody', 'status=sent']) {
    expect(await dashboard.readText(`mails?${query}`)).toContain('No emails match. Show all');
  }
});

describe('an email', () => {
  test('is shown in a sandboxed frame, next to its text', async () => {
    const { account, dashboard } = await openDashboardWithMail();
    const html = await dashboard.readHtml('mails/1');
    expect(html).toContain(`<iframe class="mail" sandbox src="/dashboard/${account.id}/mails/1/html"`);
    expect(html).toMatch(/<a href="(http:\/\/127\.0\.0\.1:\d+\/pay\/[^"]*)" rel="noreferrer">\1<\/a>/);
    expect(visibleText(html)).toContain('Dear Émilie du Châtelet,');
    // The HTML of the email has a style element; the page around it must not.
    expect(html).not.toContain('<style>');
  });

  test('shows the attempts to send it, and when the next one is', async () => {
    const rejections = ['greylisted', 'mailbox full'];
    const { port } = await startMailServer({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error(rejections.shift()), { responseCode: 450 })),
    });
    const simulator = await startSimulator({ now: '2026-03-01T09:00:00Z', smtp: `smtp://127.0.0.1:${port}` });
    onTestFinished(() => simulator.close());
    const { account, client, dashboard } = await createAccountWithDashboard(simulator);
    await client.POST('/invoices/{invoice}/reminder', { params: { path: { invoice: 3 } } });
    await account.clock.advance('5s');
    const text = await dashboard.readText('mails/1');
    expect(text).toMatch(
      /Attempt \(UTC\) Outcome 2026-03-01 09:00:00 [^\n]*greylisted[^\n]* 2026-03-01 09:00:05 [^\n]*mailbox full/,
    );
    expect(text).toContain('Next attempt (UTC) 2026-03-01 09:05:05');
  });

  test('has its own content security policy in the frame', async () => {
    const { account } = await openDashboardWithMail();
    const { headers, text } = await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}/mails/1/html` });
    const [mail] = await account.mails.all();
    expect(mail?.html).toContain('<style>');
    expect(text).toBe(mail?.html);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['mails/2', 'mails/2/html', 'mails/x'])('with an unknown id has no page (%s)', async (page) => {
    const { account } = await openDashboardWithMail();
    expect((await sendHttpRequest(sim.url, { path: `/dashboard/${account.id}/${page}` })).status).toBe(404);
  });
});
