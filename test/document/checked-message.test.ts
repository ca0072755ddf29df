import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/index.js';
import { type Message, messageDeviations } from '../support/checked-message.js';

/** Tests the message checker that receivers in other tests use: it rejects everything that does not match the document. */

const secret = 'a secret';

function golden(event: string): { readonly id: string; readonly data: object } {
  const file = new URL(`../../fixtures/webhooks/${event}.json`, import.meta.url);
  return JSON.parse(JSON.parse(readFileSync(file, 'utf8')).body);
}

function signed(body: string | Buffer, digest: 'hex' | 'base64' = 'hex'): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest(digest)}`;
}

function messageOf(event: string, value: unknown, headers: Message['headers'] = {}): Message {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    headers: {
      'content-type': 'application/json',
      'x-service-event': event,
      'x-service-signature': signed(body),
      ...headers,
    },
    body,
  };
}

const payment = golden('payment.succeeded');
const deposit = golden('deposit.captured');
const paid = messageOf('payment.succeeded', payment);
const captured = messageOf('deposit.captured', deposit);

describe('lets pass', () => {
  test.each<[string, Message, Choices]>([
    ['a payment', paid, {}],
    ['a deposit', captured, {}],
    ['a record at top level', messageOf('deposit.captured', deposit.data), { 'event.payload': 'top-level' }],
    [
      'a digest in base64',
      messageOf('deposit.captured', deposit, { 'x-service-signature': signed(JSON.stringify(deposit), 'base64') }),
      { 'event.digest': 'base64' },
    ],
    [
      'a signature in another header',
      messageOf('payment.succeeded', payment, {
        'x-service-signature': undefined,
        'x-payment-signature': signed(JSON.stringify(payment)),
      }),
      { 'event.payment-signature': { header: 'X-Payment-Signature' } },
    ],
    ['a deposit under another header for payments', captured, { 'event.payment-signature': { header: 'X-Other' } }],
  ])('%s', (_what, message, choices) => {
    expect(messageDeviations(message, { choices, secret })).toEqual([]);
  });
});

describe('names', () => {
  const { id: _id, ...nameless } = deposit;

  test.each<[string, Message, Choices, string]>([
    ['an unknown event', messageOf('deposit.lost', deposit), {}, 'deposit.lost is not an event of the document'],
    ['an event for another', messageOf('deposit.released', deposit), {}, 'body/event: is deposit.captured'],
    ['a payment for a deposit', messageOf('deposit.captured', payment), {}, 'body'],
    [
      'a signature of other bytes',
      messageOf('deposit.captured', deposit, { 'x-service-signature': signed('{}') }),
      {},
      'header X-Service-Signature: is sha256=',
    ],
    [
      'no signature',
      messageOf('deposit.captured', deposit, { 'x-service-signature': undefined }),
      {},
      'header X-Service-Signature: is undefined',
    ],
    ['a digest in hex', captured, { 'event.digest': 'base64' }, 'header X-Service-Signature'],
    [
      'a signature elsewhere',
      paid,
      { 'event.payment-signature': { header: 'X-Other' } },
      'header X-Other: is undefined',
    ],
    ['a field that is missing', messageOf('deposit.captured', nameless), {}, "must have required property 'id'"],
    [
      'a field that the document does not name',
      messageOf('deposit.captured', { ...deposit, attempt: 1 }),
      {},
      'body/attempt: the document does not name it',
    ],
    ['an envelope', captured, { 'event.payload': 'top-level' }, 'body'],
    ['no envelope', messageOf('deposit.captured', deposit.data), {}, "must have required property 'event'"],
    ['what is not JSON', messageOf('deposit.captured', '{'), {}, 'body: is not JSON'],
    ['another type', messageOf('deposit.captured', deposit, { 'content-type': 'text/plain' }), {}, 'content type'],
  ])('%s', (_what, message, choices, deviation) => {
    expect(messageDeviations(message, { choices, secret }).join('\n')).toContain(deviation);
  });

  test('bytes that are not UTF-8', () => {
    const body = Buffer.from([0xff]);
    const { headers } = messageOf('deposit.captured', '', { 'x-service-signature': signed(body) });
    expect(messageDeviations({ headers, body }, { choices: {}, secret })).toEqual(['body: is not UTF-8']);
  });
});
