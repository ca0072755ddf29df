import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { paths } from '../../src/generated/control-types.js';
import { openReceiver } from '../webhooks/receiver.js';
import { type ControlServer, expectedPage, requireData, startControlServer } from './control-server.js';

type Query = NonNullable<paths['/accounts/{account}/deliveries']['get']['parameters']['query']>;

let sim: ControlServer;

beforeAll(async () => {
  sim = await startControlServer();
});

afterAll(() => sim.server.close());

/** Creates an account, and returns functions that trigger events and manage deliveries. */
async function openAccount(webhook_url: string | null = null) {
  const body = { seed: 'demo' as const, now: '2026-03-01T09:00:00Z', webhook_url, webhook_secret: 'shhh' };
  const { id: account } = requireData(await sim.control.POST('/accounts', { body }));
  const deliveryParams = (delivery: string) => ({ params: { path: { account, delivery } } });
  return {
    account,
    /** Calls an operation of the control API on this account. `path` is the part after `/accounts/{account}`. */
    callControl: (method: string, path: string, content?: unknown) =>
      sim.callControl(method, `/accounts/${account}${path}`, content),
    trigger: async (
      content: paths['/accounts/{account}/trigger']['post']['requestBody']['content']['application/json'],
    ) =>
      requireData(
        await sim.control.POST('/accounts/{account}/trigger', { params: { path: { account } }, body: content }),
      ),
    listDeliveries: async (query: Query = {}) =>
      requireData(await sim.control.GET('/accounts/{account}/deliveries', { params: { path: { account }, query } })),
    readDelivery: async (delivery: string) =>
      requireData(await sim.control.GET('/accounts/{account}/deliveries/{delivery}', deliveryParams(delivery))),
    resend: async (delivery: string) =>
      requireData(await sim.control.POST('/accounts/{account}/deliveries/{delivery}/resend', deliveryParams(delivery))),
    /** Waits until all due attempts have ended. An advance by 0 seconds does that. */
    finishDueAttempts: () => sim.callControl('POST', `/accounts/${account}/clock/advance`, { by: '0s' }),
  };
}

describe('an event can be triggered:', () => {
  test.each([
    ['deposit.created', ['deposit.created'], 'pending'],
    ['deposit.authorized', ['deposit.created', 'deposit.authorized'], 'authorized'],
    [
      'deposit.partially_captured',
      ['deposit.created', 'deposit.authorized', 'deposit.partially_captured'],
      'partially_captured',
    ],
    ['deposit.captured', ['deposit.created', 'deposit.authorized', 'deposit.captured'], 'captured'],
    ['deposit.released', ['deposit.created', 'deposit.authorized', 'deposit.released'], 'released'],
    ['deposit.expired', ['deposit.created', 'deposit.authorized', 'deposit.expired'], 'expired'],
    ['deposit.failed', ['deposit.created', 'deposit.failed'], 'failed'],
  ] as const)('%s, on a new deposit', async (event, events, status) => {
    const { trigger, readDelivery } = await openAccount();
    const { subject, deliveries } = await trigger({ event });
    expect(subject).toEqual({ resource: 'deposit', id: 8 });
    const reported = await Promise.all(deliveries.map(readDelivery));
    expect(reported.map((delivery) => delivery.event)).toEqual(events);
    expect(JSON.parse(reported.at(-1)?.body ?? '')).toMatchObject({ event, data: { id: 8, status } });
  });

  test('payment.succeeded, on a new link', async () => {
    const { trigger, readDelivery } = await openAccount();
    const { subject, deliveries } = await trigger({ event: 'payment.succeeded' });
    expect(subject).toEqual({ resource: 'payment', id: 9 });
    expect(deliveries).toHaveLength(1);
    expect(JSON.parse((await readDelivery(deliveries[0] ?? '')).body)).toMatchObject({
      data: { id: 9, status: 'paid' },
    });
  });

  test('on an existing record that the request names', async () => {
    const { trigger, readDelivery } = await openAccount();
    const { subject, deliveries } = await trigger({ event: 'deposit.captured', deposit: 2 });
    expect({ subject, count: deliveries.length }).toEqual({ subject: { resource: 'deposit', id: 2 }, count: 1 });
    const paid = await trigger({ event: 'payment.succeeded', payment_link: 1 });
    expect(paid.deliveries).toHaveLength(1);
    expect(JSON.parse((await readDelivery(paid.deliveries[0] ?? '')).body)).toMatchObject({
      data: { payment_link_id: 1 },
    });
  });
});

describe('deliveries', () => {
  test('are stored as unsent if no webhook URL is set', async () => {
    const { trigger, listDeliveries } = await openAccount();
    const { deliveries } = await trigger({ event: 'deposit.created' });
    expect(await listDeliveries()).toEqual(
      expectedPage([
        {
          id: deliveries[0],
          event: 'deposit.created',
          subject: { resource: 'deposit', id: 8 },
          status: 'unsent',
          url: null,
          created_at: '2026-03-01T09:00:00.000Z',
          attempts: 0,
          next_attempt_at: null,
          faults: [],
        },
      ]),
    );
  });

  test('are listed newest first, and can be filtered by event and status', async () => {
    const receiver = await openReceiver((request, response) => {
      const isDepositFailed = request.headers['x-service-event'] === 'deposit.failed';
      // After a 410, a webhook is not retried.
      response.writeHead(isDepositFailed ? 410 : 200).end();
    });
    const { trigger, listDeliveries, finishDueAttempts } = await openAccount(receiver.url);
    await trigger({ event: 'deposit.authorized' });
    await trigger({ event: 'deposit.failed' });
    await finishDueAttempts();
    const all = await listDeliveries();
    expect(all.data.map(({ event, status }) => `${event} ${status}`)).toEqual([
      'deposit.failed failed',
      'deposit.created delivered',
      'deposit.authorized delivered',
      'deposit.created delivered',
    ]);
    expect(await listDeliveries({ event: 'deposit.created' })).toEqual(
      expectedPage(all.data.filter(({ event }) => event === 'deposit.created')),
    );
    expect(await listDeliveries({ status: 'failed' })).toEqual(expectedPage(all.data.slice(0, 1)));
    expect(await listDeliveries({ event: 'deposit.created', status: 'delivered', per_page: 1 })).toMatchObject({
      total: 2,
      data: [{ event: 'deposit.created' }],
    });
    expect(await listDeliveries({ event: 'deposit.created', status: 'failed' })).toEqual(expectedPage([]));
    expect(await listDeliveries({ event: 'payment.succeeded' })).toEqual(expectedPage([]));
  });

  test('can be read with the body that was sent and every attempt', async () => {
    const responses = [
      { status: 500, text: 'not now' },
      { status: 204, text: '' },
    ];
    const receiver = await openReceiver((_request, response) => {
      const { status = 204, text = '' } = responses.shift() ?? {};
      response.writeHead(status).end(text);
    });
    const { trigger, readDelivery, finishDueAttempts, callControl } = await openAccount(receiver.url);
    const { deliveries } = await trigger({ event: 'deposit.created' });
    const [id = ''] = deliveries;
    await finishDueAttempts();
    expect(await readDelivery(id)).toMatchObject({ status: 'retrying', next_attempt_at: '2026-03-01T09:00:05.000Z' });
    await callControl('POST', '/clock/advance', { by: '5s' });

    const delivery = await readDelivery(id);
    const [first, second] = receiver.received;
    expect(delivery).toMatchObject({
      id,
      event: 'deposit.created',
      status: 'delivered',
      url: receiver.url,
      next_attempt_at: null,
    });
    expect(delivery.body).toBe(first?.body.toString());
    expect(delivery.body).toBe(second?.body.toString());
    const signature = `sha256=${createHmac('sha256', 'shhh').update(delivery.body).digest('hex')}`;
    expect(first?.headers['x-service-signature']).toBe(signature);
    expect(delivery.attempts).toEqual([
      {
        number: 1,
        by: 'schedule',
        at: '2026-03-01T09:00:00.000Z',
        url: receiver.url,
        headers: expect.objectContaining({ 'X-Service-Event': 'deposit.created', 'X-Service-Signature': signature }),
        status: 500,
        error: null,
        milliseconds: expect.any(Number),
        response_body: 'not now',
        next_attempt_at: '2026-03-01T09:00:05.000Z',
        applied_faults: [],
        skipped_faults: [],
      },
      expect.objectContaining({
        number: 2,
        at: '2026-03-01T09:00:05.000Z',
        status: 204,
        response_body: '',
        next_attempt_at: null,
      }),
    ]);
  });

  test('show their planned, applied and skipped faults', async () => {
    const receiver = await openReceiver();
    const { trigger, readDelivery, listDeliveries, finishDueAttempts, callControl } = await openAccount(receiver.url);
    await callControl('POST', '/faults', {
      effect: 'duplicate,tamper-body,retired-secret',
      match: { event: 'deposit.created' },
    });
    await callControl('POST', '/faults', { effect: 'delay=5m', match: { event: 'deposit.authorized' } });
    const { deliveries } = await trigger({ event: 'deposit.authorized' });
    await finishDueAttempts();
    expect((await listDeliveries()).data).toMatchObject([
      { status: 'waiting', attempts: 0, next_attempt_at: '2026-03-01T09:05:00.000Z', faults: ['delay'] },
      {
        status: 'delivered',
        attempts: 2,
        next_attempt_at: null,
        faults: ['duplicate', 'tamper-body', 'retired-secret'],
      },
    ]);
    const { body, attempts } = await readDelivery(deliveries[0] ?? '');
    // An effect that forges messages sends its copy after the first message, so an effect that is skipped counts there.
    const reason = 'the webhook secret has never been changed, so no secret is retired';
    expect(attempts).toMatchObject([
      {
        number: 1,
        by: 'schedule',
        status: 204,
        applied_faults: [],
        skipped_faults: [{ effect: 'retired-secret', reason }],
      },
      { number: 2, by: 'fault', status: 204, applied_faults: ['duplicate', 'tamper-body'], skipped_faults: [] },
    ]);
    // An attempt has a body only if it differs from that of the delivery.
    expect(attempts.map((attempt) => attempt.body)).toEqual([undefined, String(receiver.received[1]?.body)]);
    expect(attempts[1]?.body).not.toBe(body);
    const report = await callControl('POST', '/clock/advance', { by: '5m' });
    expect(report.body).toMatchObject({
      steps: [{ kind: 'attempt', event: 'deposit.authorized', applied_faults: ['delay'] }],
    });
  });

  test('never show the retired secret that a message was signed with', async () => {
    const receiver = await openReceiver();
    const { trigger, readDelivery, listDeliveries, finishDueAttempts, callControl } = await openAccount(receiver.url);
    await callControl('PATCH', '/settings', { webhook_secret: 'the new one' });
    await callControl('POST', '/faults', { effect: 'retired-secret' });
    const { deliveries } = await trigger({ event: 'deposit.created' });
    await finishDueAttempts();
    const delivery = await readDelivery(deliveries[0] ?? '');
    const signature = `sha256=${createHmac('sha256', 'shhh').update(delivery.body).digest('hex')}`;
    expect(receiver.received[0]?.headers['x-service-signature']).toBe(signature);
    expect(delivery.attempts).toMatchObject([{ applied_faults: ['retired-secret'], skipped_faults: [] }]);
    const responses = [
      delivery,
      await listDeliveries(),
      await callControl('GET', '/settings'),
      await callControl('GET', '/clock'),
    ];
    expect(JSON.stringify(responses)).not.toContain('shhh');
    expect(JSON.stringify(responses)).not.toContain('retired_secret');
  });
});

describe('a delivery can be resent', () => {
  test('and the response arrives when the attempt has ended', async () => {
    const receiver = await openReceiver();
    const { trigger, resend, finishDueAttempts } = await openAccount(receiver.url);
    const { deliveries } = await trigger({ event: 'deposit.created' });
    await finishDueAttempts();
    const resent = await resend(deliveries[0] ?? '');
    expect(resent.attempts.map(({ number, by, status }) => ({ number, by, status }))).toEqual([
      { number: 1, by: 'schedule', status: 204 },
      { number: 2, by: 'manual', status: 204 },
    ]);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
  });

  test('to the current URL and with the current secret', async () => {
    const receiver = await openReceiver();
    const { trigger, resend, callControl } = await openAccount();
    const { deliveries } = await trigger({ event: 'deposit.created' });
    await callControl('PATCH', '/settings', { webhook_url: `${receiver.url}/new`, webhook_secret: 'new' });
    const resent = await resend(deliveries[0] ?? '');
    expect(resent).toMatchObject({
      status: 'delivered',
      // No URL was set when the event occurred.
      url: null,
      attempts: [{ url: `${receiver.url}/new`, status: 204 }],
    });
    const signature = `sha256=${createHmac('sha256', 'new').update(resent.body).digest('hex')}`;
    expect(receiver.received[0]?.headers['x-service-signature']).toBe(signature);
  });

  test('and the attempt fails if nothing listens at the URL', async () => {
    const { trigger, resend, callControl } = await openAccount();
    const { deliveries } = await trigger({ event: 'deposit.created' });
    await callControl('PATCH', '/settings', { webhook_url: 'http://127.0.0.1:1/' });
    expect(await resend(deliveries[0] ?? '')).toMatchObject({
      status: 'failed',
      attempts: [{ by: 'manual', status: null, error: expect.any(String) }],
    });
  });

  test('only if a URL is set: otherwise the error says so, and the delivery stays unsent', async () => {
    const { trigger, callControl, listDeliveries } = await openAccount();
    const { deliveries } = await trigger({ event: 'deposit.created' });
    const response = await callControl('POST', `/deliveries/${deliveries[0]}/resend`);
    expect(response).toMatchObject({ status: 409, body: { error: 'No webhook URL is set' } });
    expect((await listDeliveries()).data).toMatchObject([{ status: 'unsent', attempts: 0 }]);
  });

  test('while the simulator continues to respond to other requests', async () => {
    let respond = (): void => expect.unreachable();
    const receiver = await openReceiver((_request, response) => {
      respond = () => void response.writeHead(204).end();
    });
    const { trigger, resend, callControl, listDeliveries } = await openAccount();
    const { deliveries } = await trigger({ event: 'deposit.created' });
    await callControl('PATCH', '/settings', { webhook_url: receiver.url });
    const pendingResend = resend(deliveries[0] ?? '');
    await expect.poll(() => receiver.received).toHaveLength(1);
    expect((await listDeliveries()).data[0]?.attempts).toBe(0);
    respond();
    expect((await pendingResend).attempts).toHaveLength(1);
  });
});
