import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../../src/domain/records.js';
import { type Choices, type Simulator, startSimulator } from '../../src/index.js';
import { sendHttpRequest } from '../support/send-http-request.js';
import { openReceiver } from '../webhooks/receiver.js';
import { createAccountWithDashboard } from './dashboard-forms.js';
import { contentOf, visibleText } from './html-text.js';

/** The webhooks page of the dashboard: the URL, the signing secret and the deliveries. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const secretPattern = /whsec_[0-9a-f]{32}/;

describe('the webhook URL', () => {
  test('is saved, and removed', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver();
    expect(await dashboard.readText('webhooks')).toContain(
      `Events are not sent anywhere. billing-sim listen --account ${account.id} --url ${sim.url} shows them`,
    );
    const saved = await dashboard.submitForm('webhooks', 'changeSettings', { webhook_url: receiver.url });
    expect(saved.notice).toBe('Saved.');
    expect(saved.html).toContain(`value="${receiver.url}"`);
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    expect(receiver.received).toHaveLength(1);

    await dashboard.postFields('webhooks', 'changeSettings', { 'webhook_url:json': 'null' });
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    expect(receiver.received).toHaveLength(1);
  });

  test('that is invalid is refused, and the previous one is kept', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { url } = await openReceiver();
    await account.webhooks.configure({ url });
    const { notice, isRefused } = await dashboard.submitForm('webhooks', 'changeSettings', {
      webhook_url: 'ftp://example.com',
    });
    expect(isRefused).toBe(true);
    expect(notice).toContain('The webhook URL must begin with http:// or https://.');
    expect(await dashboard.readHtml('webhooks')).toContain(`value="${url}"`);
  });
});

test('the page shows the secret when it is rotated, and never again', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  const previousSecret = account.webhookSecret;
  const { notice, pathWithNotice } = await dashboard.submitForm('webhooks', 'rotateWebhookSecret');
  const [rotated = ''] = secretPattern.exec(notice) ?? [];
  expect(notice).toBe(`New webhook secret: ${rotated}. The dashboard shows it only once.`);
  expect(rotated).toBe(account.webhookSecret);
  expect(rotated).not.toBe(previousSecret);
  for (const page of ['webhooks', pathWithNotice.replace(/^.*\/webhooks/, 'webhooks')]) {
    expect(await dashboard.readHtml(page)).not.toMatch(secretPattern);
  }
});

test('messages after a rotation are signed with the new secret', async () => {
  const { account, dashboard } = await createAccountWithDashboard(sim);
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url });
  const { notice } = await dashboard.submitForm('webhooks', 'rotateWebhookSecret');
  await account.trigger('deposit.created');
  await account.clock.advance('1s');
  const [message] = receiver.received;
  const [key = ''] = secretPattern.exec(notice) ?? [];
  const signature = createHmac('sha256', key)
    .update(message?.body ?? '')
    .digest('hex');
  expect(message?.headers['x-service-signature']).toBe(`sha256=${signature}`);
});

describe('an event', () => {
  test('is triggered on a new record', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.submitForm('webhooks', 'triggerEvent', { event: 'deposit.expired' });
    expect(notice).toBe('Triggered on deposit 8: 3 events.');
    expect(await account.webhooks.all()).toHaveLength(3);
  });

  test('is triggered on the given record', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.submitForm('webhooks', 'triggerEvent', {
      event: 'deposit.authorized',
      'deposit:id': ' 1 ',
    });
    expect(notice).toBe('Triggered on deposit 1: 1 event.');
  });

  test('that the status of the record does not allow is refused', async () => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const fields = { event: 'deposit.captured', 'deposit:id': '4' };
    const { isRefused } = await dashboard.submitForm('webhooks', 'triggerEvent', fields);
    expect(isRefused).toBe(true);
  });

  test.each([
    ['payment.succeeded', 'deposit:id', 'Deposit: payment.succeeded can only be triggered on a payment link.'],
    ['deposit.created', 'payment_link:number', 'Payment link: deposit.created can only be triggered on a deposit.'],
  ])('%s is not triggered on the record of the %s field, which is of the wrong kind', async (event, field, message) => {
    const { dashboard } = await createAccountWithDashboard(sim);
    const { notice } = await dashboard.submitForm('webhooks', 'triggerEvent', { event, [field]: '1' });
    expect(notice).toBe(message);
  });
});

describe('a signature check', () => {
  /**
   * Checks the signature of a delivered message with a secret, on the page of the delivery.
   * @param effect the effect of a fault on the message, if any
   * @param laterProfile if given, the account changes to this profile after the delivery, and sends the message again
   */
  async function checkSignature(
    chooseSecret: (secret: string) => string,
    {
      event = 'deposit.created',
      effect,
      laterProfile,
    }: { event?: EventName; effect?: string; laterProfile?: Choices } = {},
  ) {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver();
    await account.webhooks.configure({ url: receiver.url });
    if (effect !== undefined) await account.faults.add({ effect });
    await account.trigger(event);
    await account.clock.advance('1s');
    const id = (await account.webhooks.all())[0]?.id;
    if (laterProfile) {
      await dashboard.postFields('profile', 'changeSettings', { 'profile:json': JSON.stringify(laterProfile) });
      await account.webhooks.resend(id ?? '');
    }
    const path = `/dashboard/${account.id}/webhooks/${id}`;
    const response = await sendHttpRequest(sim.url, {
      method: 'POST',
      path,
      body: new URLSearchParams({ secret: chooseSecret(account.webhookSecret) }).toString(),
      headers: ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', sim.url],
    });
    expect(await dashboard.readHtml(`webhooks/${id}`)).toContain(`<form method="post" action="${path}#signature"`);
    return { ...response, sentSignature: String(receiver.received[0]?.headers['x-service-signature']) };
  }

  test('with the right secret lists the attempts that it matches, and when they were sent', async () => {
    const { status, text, sentSignature } = await checkSignature((secret) => secret);
    expect(status).toBe(200);
    expect(visibleText(text)).toContain('The secret matches every attempt. The X-Service-Signature header contains');
    expect(visibleText(text)).toContain(`1 2026-03-01 09:00:00 matches ${sentSignature} the same`);
    expect(text).not.toMatch(secretPattern);
  });

  test('with another secret shows the expected signature beside the sent one', async () => {
    const { text, sentSignature } = await checkSignature(() => 'whsec_other');
    expect(visibleText(text)).toContain('The secret matches no attempt.');
    expect(visibleText(text)).toMatch(
      new RegExp(`does not match ${sentSignature} sha256=(?!${sentSignature.slice(7)})[0-9a-f]{64}`),
    );
    expect(text).not.toContain('whsec_other');
  });

  test('shows that an attempt was sent without a signature', async () => {
    const { text } = await checkSignature((secret) => secret, { effect: 'no-signature' });
    expect(visibleText(text)).toContain('The secret matches no attempt. The X-Service-Signature header contains');
    expect(visibleText(text)).toMatch(/1 2026-03-01 09:00:00 not signed sha256=[0-9a-f]{64}/);
  });

  test('says if no attempt was sent, for example because a fault responded in place of the receiver', async () => {
    const { text } = await checkSignature((secret) => secret, { effect: 'receiver-fails' });
    expect(visibleText(text)).toContain('Nothing was sent, so there is no signature to check.');
    expect(visibleText(text)).not.toContain('Signatures by attempt');
  });

  test.each<[change: string, profile: Choices, headers: string]>([
    ['the encoding of digests', { 'event.digest': 'base64' }, 'X-Service-Signature'],
    [
      'the header of the signature',
      { 'event.payment-signature': { header: 'X-Payment-Signature' } },
      'X-Service-Signature or X-Payment-Signature',
    ],
  ])('after a change of %s finds the signatures sent before and after it', async (_change, laterProfile, headers) => {
    const { text, sentSignature } = await checkSignature((secret) => secret, {
      event: 'payment.succeeded',
      laterProfile,
    });
    expect(visibleText(text)).toContain(`The secret matches every attempt. The ${headers} header contains`);
    expect(visibleText(text)).toContain(`matches ${sentSignature} the same`);
  });

  test('without a secret asks for one', async () => {
    expect(visibleText((await checkSignature(() => '')).text)).toContain('Enter a secret.');
  });
});

describe('deliveries', () => {
  /** Opens the dashboard of an account with one delivered message, and one whose first attempt failed with 503. */
  async function openDashboardWithDeliveries() {
    const opened = await createAccountWithDashboard(sim);
    const statuses = [204, 503, 500];
    const receiver = await openReceiver(
      (_request, response) => void response.writeHead(statuses.shift() ?? 204).end('so <b>be</b> it'),
    );
    await opened.account.webhooks.configure({ url: receiver.url });
    await opened.account.trigger('deposit.authorized');
    await opened.account.clock.advance('1s');
    return { ...opened, receiver };
  }

  test('are listed with their statuses and attempts', async () => {
    const { dashboard } = await openDashboardWithDeliveries();
    const text = await dashboard.readText('webhooks');
    expect(text).toContain('1–2 of 2 deliveries, newest first');
    expect(text).toContain('deposit.created deposit 8 delivered 1');
    expect(text).toContain('deposit.authorized deposit 8 retrying 1');
  });

  test.each([
    ['q=authorized', ['deposit.authorized']],
    ['status=delivered', ['deposit.created']],
    ['q=deposit&status=failed', []],
    ['q=deposit+8', ['deposit.authorized', 'deposit.created']],
  ])('are searched by %s', async (query, events) => {
    const { dashboard } = await openDashboardWithDeliveries();
    // The header links to the next retry.
    const html = contentOf(await dashboard.readHtml(`webhooks?${query}`));
    expect([...html.matchAll(/webhooks\/evt_\w+">([^<]*)</g)].map(([, event]) => event)).toEqual(events);
  });

  test('have a page with the attempts in order, and the wait before the next one', async () => {
    const { account, dashboard } = await openDashboardWithDeliveries();
    const id = (await account.webhooks.all()).find(({ event }) => event === 'deposit.authorized')?.id;
    // The clock is then 1 s past the second attempt.
    await account.clock.advance('5s');
    const [, cells = ''] =
      /<ol class="attempts"[^>]*>(.*?)<\/ol>/s.exec(await dashboard.readHtml(`webhooks/${id}`)) ?? [];
    expect(visibleText(cells)).toBe('1 503 after 5 s 2 500 retry in 4 min 59 s');
  });

  test('that are selected are resent together', async () => {
    const { account, dashboard, receiver } = await openDashboardWithDeliveries();
    const ids = (await account.webhooks.all()).map(({ id }) => id);
    const { notice } = await dashboard.postFields('webhooks', 'resendDeliveries', { which: 'selected', 'ids[]': ids });
    expect(notice).toBe('2 deliveries resent: 1 delivered, 1 failed.');
    expect(receiver.received).toHaveLength(4);
  });

  test('are not resent if none is selected, or one is unknown', async () => {
    const { account, dashboard, receiver } = await openDashboardWithDeliveries();
    const none = await dashboard.postFields('webhooks', 'resendDeliveries', { which: 'selected' });
    expect(none.notice).toBe('Select at least one delivery.');
    const [existingId = ''] = (await account.webhooks.all()).map(({ id }) => id);
    const fields = { which: 'selected', 'ids[]': [existingId, 'evt_none'] };
    expect(await dashboard.postFields('webhooks', 'resendDeliveries', fields)).toMatchObject({ isRefused: true });
    expect(receiver.received).toHaveLength(2);
  });

  test('that failed are all resent, even those that wait for a retry', async () => {
    const { dashboard } = await openDashboardWithDeliveries();
    expect(await dashboard.readText('webhooks')).toContain('Resend all failed (1)');
    const failing = await dashboard.submitForm('webhooks', 'resendDeliveries', { which: 'failed' });
    expect(failing.notice).toBe('1 delivery resent: 0 delivered, 1 failed.');
    const { notice, html } = await dashboard.submitForm('webhooks', 'resendDeliveries', { which: 'failed' });
    expect(notice).toBe('1 delivery resent: 1 delivered, 0 failed.');
    expect(html).not.toContain('Resend all failed');
  });

  test.each<[title: string, status: number | null, count: number, notice: string]>([
    [
      'stop being resent once a batch of 20 got no response',
      null,
      21,
      '20 deliveries resent: 0 delivered, 20 failed. 1 not sent: the receiver does not answer.',
    ],
    [
      'are resent up to 200 at a time while the receiver responds, even with errors',
      503,
      201,
      '200 deliveries resent: 0 delivered, 200 failed. 1 not sent: at most 200 are sent per click.',
    ],
  ])('%s', async (_title, status, count, expectedNotice) => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    const receiver = await openReceiver((_request, response) => {
      if (status === null) response.destroy();
      else response.writeHead(status).end();
    });
    await account.webhooks.configure({ url: receiver.url });
    for (let number = 1; number <= count; number++) await account.trigger('deposit.created');
    await account.clock.advance('1s');
    const { notice } = await dashboard.submitForm('webhooks', 'resendDeliveries', { which: 'failed' });
    expect(notice).toBe(expectedNotice);
  });

  test('have a page with the body and the attempts, and a button that resends the delivery', async () => {
    const { account, dashboard, receiver } = await openDashboardWithDeliveries();
    const [delivery] = (await account.webhooks.all()).filter(({ event }) => event === 'deposit.authorized');
    const page = `webhooks/${delivery?.id}`;
    const text = await dashboard.readText(page);
    const [, message] = receiver.received;
    expect(text).toContain('Attempt 1, scheduled: 503');
    expect(text).toContain(`X-Service-Signature: ${message?.headers['x-service-signature']}`);
    expect(text).toContain(String(message?.body));
    expect(text).toContain('so <b>be</b> it');

    const { notice, html } = await dashboard.submitForm(page, `resendDelivery/${delivery?.id}`);
    expect(notice).toBe('Sent: 500.');
    expect(visibleText(html)).toContain('Attempt 2, manual: 500');
  });

  test('are not resent without a webhook URL, and the page says why', async () => {
    const { account, dashboard } = await createAccountWithDashboard(sim);
    await account.trigger('deposit.created');
    const [delivery] = await account.webhooks.all();
    const result = await dashboard.submitForm(`webhooks/${delivery?.id}`, `resendDelivery/${delivery?.id}`);
    expect(result).toMatchObject({
      notice: 'No webhook URL is set. Set a webhook URL in the settings of the account.',
      isRefused: true,
    });
    const fields = { which: 'selected', 'ids[]': [String(delivery?.id)] };
    expect(await dashboard.postFields('webhooks', 'resendDeliveries', fields)).toMatchObject({ isRefused: true });
  });

  test('have a page that names the faults and their effects', async () => {
    const { account, dashboard } = await openDashboardWithDeliveries();
    await account.faults.add({ effect: ['tamper-body', 'duplicate'] });
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    const id = (await account.webhooks.all()).find(({ faults }) => faults.length > 0)?.id;
    const text = await dashboard.readText(`webhooks/${id}`);
    expect(text).toContain('Faults tamper-body, duplicate');
    expect(text).toContain('Attempt 2, duplicated by a fault: 204');
    expect(text).toContain('Applied faults duplicate, tamper-body');
    // A triggered deposit has the amount 200.
    expect(text).toMatch(/Body, changed by a fault .*"amount":(?!200,)\d+,/);
  });

  test('that do not exist have no page', async () => {
    expect((await sendHttpRequest(sim.url, { path: '/dashboard/demo/webhooks/evt_none' })).status).toBe(404);
  });
});
