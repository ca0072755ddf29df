import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from './json.js';
import { type SecondImplementation, startSecondImplementation } from './server.js';
import { dayFromNow, objectAt, sendRequest } from './support/client.js';
import { type ReceivedWebhook, type Receiver, signaturesOf, startReceiver } from './support/receiver.js';
import { simpleVariants } from './variants.js';

const secret = 'webhook secret';

describe.each(simpleVariants)('the second implementation as the variant %s', (_name, variant) => {
  let service: SecondImplementation;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
    service = await startSecondImplementation(variant);
    await service.configureWebhook({ url: receiver.url, secret });
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  const post = async (path: string, body: JsonObject = {}): Promise<JsonObject> => {
    const reply = await sendRequest(service, 'POST', path, { body, idempotencyKey: crypto.randomUUID() });
    return objectAt(reply.body, 'data');
  };
  const createDeposit = (): Promise<JsonObject> =>
    post('/deposits', {
      booking_reference: 'HOOK-1',
      amount: 100,
      currency: 'EUR',
      customer: { name: 'Guest', email: 'guest@example.com' },
      check_in_date: dayFromNow(1),
      check_out_date: dayFromNow(3),
      metadata: {},
    });
  const receivedEvents = (): unknown[] => receiver.webhooks.map(({ headers }) => headers['x-service-event']);
  const receivedSignature = ({ headers }: ReceivedWebhook): unknown =>
    headers['x-service-signature'] ?? headers['x-payment-signature'];

  test('every event is sent, signed over the exact bytes of its body', async () => {
    const [captured, released, expired, declined] = [
      await createDeposit(),
      await createDeposit(),
      await createDeposit(),
      await createDeposit(),
    ];
    for (const deposit of [captured, released, expired]) await service.authorizeDeposit(deposit);
    await post(`/deposits/${captured['id']}/capture`, { amount: 40 });
    await post(`/deposits/${captured['id']}/capture`);
    await post(`/deposits/${released['id']}/release`);
    await service.expireDeposit(expired);
    await service.declineDeposit(declined);
    const link = await post('/payment-links', { description: 'Hook Ärger', amount: 12 });
    await service.payLink(link);
    await service.settled();

    expect(new Set(receivedEvents())).toEqual(
      new Set([
        'deposit.created',
        'deposit.authorized',
        'deposit.partially_captured',
        'deposit.captured',
        'deposit.released',
        'deposit.expired',
        ...(variant.statusAfterDecline === 'pending' ? [] : ['deposit.failed']),
        'payment.succeeded',
      ]),
    );
    for (const webhook of receiver.webhooks) {
      expect(signaturesOf(webhook.raw, secret)).toContain(receivedSignature(webhook));
    }
    const payloads = receiver.webhooks
      .filter(({ headers }) => headers['x-service-event'] === 'payment.succeeded')
      .map(({ payload }) => ('data' in payload ? payload['data'] : payload));
    expect(payloads).toContainEqual(
      expect.objectContaining({ description: 'Hook Ärger', payment_link_id: link['id'] }),
    );
  });

  test('only the URL that was configured last gets events, signed with its secret', async () => {
    const secondReceiver = await startReceiver();
    try {
      await service.configureWebhook({ url: secondReceiver.url, secret: 'another' });
      await createDeposit();
      await service.settled();
      expect(receivedEvents()).toEqual([]);
      const [webhook] = secondReceiver.webhooks;
      if (webhook === undefined) throw new Error('nothing was delivered');
      expect(signaturesOf(webhook.raw, 'another')).toContain(receivedSignature(webhook));
    } finally {
      await secondReceiver.close();
    }
  });

  test('a failed delivery is retried with the same bytes, if the variant retries', async () => {
    receiver.failNext(1);
    await createDeposit();
    await service.settled();
    const attempts = receiver.webhooks.filter(({ headers }) => headers['x-service-event'] === 'deposit.created');
    const expectedRetries = variant.retriesMs?.length === 0 ? 0 : 1;
    expect(attempts).toHaveLength((variant.webhookCopies ?? 1) + expectedRetries);
    expect(new Set(attempts.map(({ raw }) => raw.toString())).size).toBe(1);
  });
});
