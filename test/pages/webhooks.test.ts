import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { openReceiver } from '../webhooks/receiver.js';
import { openDashboard, readable } from './dashboard-forms.js';

/** The webhooks of the dashboard: where they go, how they are signed, and what became of each. */

let sim: Simulator;

beforeAll(async () => {
  sim = await startSimulator({ now: '2026-03-01T09:00:00Z', rateLimit: false });
});

afterAll(() => sim.close());

const secret = /whsec_[0-9a-f]{32}/;

describe('the webhook URL', () => {
  test('is saved, and taken away', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const receiver = await openReceiver();
    expect(await dashboard.read('webhooks')).toContain('Events are not sent anywhere. billing-sim listen shows them');
    const saved = await dashboard.send('webhooks', 'changeSettings', { webhook_url: receiver.url });
    expect(saved.notice).toBe('Saved.');
    expect(saved.html).toContain(`value="${receiver.url}"`);
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    expect(receiver.received).toHaveLength(1);

    await dashboard.post('webhooks', 'changeSettings', { 'webhook_url:json': 'null' });
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    expect(receiver.received).toHaveLength(1);
  });

  test('that is invalid is refused, and stays unchanged', async () => {
    const { dashboard } = await openDashboard(sim);
    const { notice, html } = await dashboard.send('webhooks', 'changeSettings', { webhook_url: 'ftp://example.com' });
    expect(html).toContain('class="notice refused"');
    expect(notice).toContain('http');
    expect(await dashboard.open('webhooks')).not.toContain('ftp://');
  });
});

test('the secret is shown when it is rotated, and never again', async () => {
  const { account, dashboard } = await openDashboard(sim);
  const before = account.webhookSecret;
  const { notice, address } = await dashboard.send('webhooks', 'rotateWebhookSecret');
  const [rotated = ''] = secret.exec(notice) ?? [];
  expect(rotated).toBe(account.webhookSecret);
  expect(rotated).not.toBe(before);
  for (const page of ['webhooks', address.replace(/^.*\/webhooks/, 'webhooks')]) {
    expect(await dashboard.open(page)).not.toMatch(secret);
  }
});

test('what follows a rotation is signed with the new secret', async () => {
  const { account, dashboard } = await openDashboard(sim);
  const receiver = await openReceiver();
  await account.webhooks.configure({ url: receiver.url });
  const { notice } = await dashboard.send('webhooks', 'rotateWebhookSecret');
  await account.trigger('deposit.created');
  await account.clock.advance('1s');
  const [message] = receiver.received;
  const [key = ''] = secret.exec(notice) ?? [];
  const signature = createHmac('sha256', key)
    .update(message?.body ?? '')
    .digest('hex');
  expect(message?.headers['x-service-signature']).toBe(`sha256=${signature}`);
});

describe('an event', () => {
  test('is triggered on a new record', async () => {
    const { account, dashboard } = await openDashboard(sim);
    const { notice } = await dashboard.send('webhooks', 'triggerEvent', { event: 'deposit.expired' });
    expect(notice).toBe('Triggered on deposit 8: 3 events.');
    expect(await account.webhooks.all()).toHaveLength(3);
  });

  test('is triggered on the record that is named', async () => {
    const { dashboard } = await openDashboard(sim);
    const { notice } = await dashboard.send('webhooks', 'triggerEvent', { event: 'deposit.authorized', deposit: '1' });
    expect(notice).toBe('Triggered on deposit 1: 1 event.');
  });

  test('without an allowed transition is refused', async () => {
    const { dashboard } = await openDashboard(sim);
    const twice = { event: 'deposit.captured', deposit: '4' };
    const { html } = await dashboard.send('webhooks', 'triggerEvent', twice);
    expect(html).toContain('class="notice refused"');
  });
});

describe('deliveries', () => {
  async function withDeliveries() {
    const stage = await openDashboard(sim);
    const statuses = [204, 503, 500];
    const receiver = await openReceiver(
      (_request, response) => void response.writeHead(statuses.shift() ?? 204).end('so <b>be</b> it'),
    );
    await stage.account.webhooks.configure({ url: receiver.url });
    await stage.account.trigger('deposit.authorized');
    await stage.account.clock.advance('1s');
    return { ...stage, receiver };
  }

  test('are listed with their statuses and attempts', async () => {
    const { dashboard } = await withDeliveries();
    const text = await dashboard.read('webhooks');
    expect(text).toContain('1–2 of 2 deliveries, newest first');
    expect(text).toContain('deposit.created deposit 8 delivered 1');
    expect(text).toContain('deposit.authorized deposit 8 retrying 1');
  });

  test.each([
    ['q=authorized', ['deposit.authorized']],
    ['status=delivered', ['deposit.created']],
    ['q=deposit&status=failed', []],
  ])('are searched by %s', async (query, events) => {
    const { dashboard } = await withDeliveries();
    const html = await dashboard.open(`webhooks?${query}`);
    expect([...html.matchAll(/webhooks\/evt_\w+">([^<]*)</g)].map(([, event]) => event)).toEqual(events);
  });

  test('one is shown with its body and attempts, and can be resent', async () => {
    const { account, dashboard, receiver } = await withDeliveries();
    const [delivery] = (await account.webhooks.all()).filter(({ event }) => event === 'deposit.authorized');
    const page = `webhooks/${delivery?.id}`;
    const text = await dashboard.read(page);
    const [, message] = receiver.received;
    expect(text).toContain('Attempt 1, scheduled: 503');
    expect(text).toContain(`X-Service-Signature: ${message?.headers['x-service-signature']}`);
    expect(text).toContain(String(message?.body));
    expect(text).toContain('so <b>be</b> it');

    const { notice, html } = await dashboard.send(page, 'resendDelivery', {}, delivery?.id);
    expect(notice).toBe('Sent: 500.');
    expect(readable(html)).toContain('Attempt 2, manual: 500');
  });

  test('one shows the effects of faults', async () => {
    const { account, dashboard } = await withDeliveries();
    await account.faults.add({ effect: ['tamper-body', 'duplicate'] });
    await account.trigger('deposit.created');
    await account.clock.advance('1s');
    const id = (await account.webhooks.all()).find(({ faults }) => faults.length > 0)?.id;
    const text = await dashboard.read(`webhooks/${id}`);
    expect(text).toContain('Faults tamper-body, duplicate');
    expect(text).toContain('Attempt 2, duplicated by a fault: 204');
    expect(text).toContain('Applied faults duplicate, tamper-body');
    expect(text).toMatch(/Sent body .*"amount":(?!200,)\d+,/);
  });

  test('that does not exist is not found', async () => {
    expect((await ask(sim.url, { path: '/dashboard/demo/webhooks/evt_none' })).status).toBe(404);
  });
});
