import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { type Message, messageDeviations } from '../support/checked-message.js';

/**
 * Many tests check webhook messages with `messageDeviations`, which lists how a message deviates from the OpenAPI
 * document. This file tests `messageDeviations` itself.
 */

const secret = 'a secret';

/**
 * Reads the payload of the message in `fixtures/webhooks` for an event. The fixture is a JSON file, whose field `body`
 * is a string that contains JSON.
 */
function readPayload(event: string): { readonly id: string; readonly data: object } {
  const file = new URL(`../../fixtures/webhooks/${event}.json`, import.meta.url);
  return JSON.parse(JSON.parse(readFileSync(file, 'utf8')).body);
}

function signatureOf(body: string | Buffer, digest: 'hex' | 'base64' = 'hex'): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest(digest)}`;
}

/**
 * Creates a message with a valid signature, unless `headers` replace it. A payload that is a string becomes the body
 * unchanged.
 */
function createMessage(event: string, payload: unknown, headers: Message['headers'] = {}): Message {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return {
    headers: {
      'content-type': 'application/json',
      'x-service-event': event,
      'x-service-signature': signatureOf(body),
      ...headers,
    },
    body,
  };
}

const paymentPayload = readPayload('payment.succeeded');
const depositPayload = readPayload('deposit.captured');
const paymentMessage = createMessage('payment.succeeded', paymentPayload);
const depositMessage = createMessage('deposit.captured', depositPayload);

describe('reports nothing for', () => {
  test.each<[name: string, message: Message, choices: Choices]>([
    ['a payment', paymentMessage, {}],
    ['a deposit', depositMessage, {}],
    [
      'a record without an envelope if the profile says so',
      createMessage('deposit.captured', depositPayload.data),
      { 'event.payload': 'top-level' },
    ],
    [
      'a base64 digest if the profile says so',
      createMessage('deposit.captured', depositPayload, {
        'x-service-signature': signatureOf(JSON.stringify(depositPayload), 'base64'),
      }),
      { 'event.digest': 'base64' },
    ],
    [
      'a payment with its signature in the header that the profile names',
      createMessage('payment.succeeded', paymentPayload, {
        'x-service-signature': undefined,
        'x-payment-signature': signatureOf(JSON.stringify(paymentPayload)),
      }),
      { 'event.payment-signature': { header: 'X-Payment-Signature' } },
    ],
    [
      'a deposit if the profile has another signature header for payments',
      depositMessage,
      { 'event.payment-signature': { header: 'X-Other' } },
    ],
  ])('%s', (_name, message, choices) => {
    expect(messageDeviations(message, { choices, secret })).toEqual([]);
  });
});

describe('reports', () => {
  const { id: _id, ...payloadWithoutId } = depositPayload;

  test.each<[name: string, message: Message, choices: Choices, deviation: string]>([
    [
      'an unknown event',
      createMessage('deposit.lost', depositPayload),
      {},
      'deposit.lost is not an event of the document',
    ],
    [
      'a header and a body with different events',
      createMessage('deposit.released', depositPayload),
      {},
      'body/event: is deposit.captured',
    ],
    [
      'a payment in an event of a deposit',
      createMessage('deposit.captured', { ...depositPayload, data: paymentPayload.data }),
      {},
      "body/data: must have required property 'captured_amount'",
    ],
    [
      'a signature of other bytes',
      createMessage('deposit.captured', depositPayload, { 'x-service-signature': signatureOf('{}') }),
      {},
      'header X-Service-Signature: is sha256=',
    ],
    [
      'no signature',
      createMessage('deposit.captured', depositPayload, { 'x-service-signature': undefined }),
      {},
      'header X-Service-Signature: is missing',
    ],
    [
      'a hex digest if the profile says base64',
      depositMessage,
      { 'event.digest': 'base64' },
      'header X-Service-Signature',
    ],
    [
      'a signature that is not in the header that the profile names',
      paymentMessage,
      { 'event.payment-signature': { header: 'X-Other' } },
      'header X-Other: is missing',
    ],
    ['a missing field', createMessage('deposit.captured', payloadWithoutId), {}, "must have required property 'id'"],
    [
      'an unknown field',
      createMessage('deposit.captured', { ...depositPayload, attempt: 1 }),
      {},
      'body/attempt: the document does not name it',
    ],
    [
      'an envelope if the profile says none',
      depositMessage,
      { 'event.payload': 'top-level' },
      "body: must have required property 'captured_amount'",
    ],
    [
      'a missing envelope',
      createMessage('deposit.captured', depositPayload.data),
      {},
      "must have required property 'event'",
    ],
    ['a body that is not JSON', createMessage('deposit.captured', '{'), {}, 'body: is not JSON'],
    [
      'another content type',
      createMessage('deposit.captured', depositPayload, { 'content-type': 'text/plain' }),
      {},
      'content type',
    ],
  ])('%s', (_name, message, choices, deviation) => {
    expect(messageDeviations(message, { choices, secret }).join('\n')).toContain(deviation);
  });

  test('a body that is not UTF-8', () => {
    const body = Buffer.from([0xff]);
    const { headers } = createMessage('deposit.captured', '', { 'x-service-signature': signatureOf(body) });
    expect(messageDeviations({ headers, body }, { choices: {}, secret })).toEqual(['body: is not UTF-8']);
  });
});
