import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SignatureChoices } from '../../src/domain/webhook-signature.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { headersOf } from '../../src/webhooks/message-headers.js';
import { signatureChoicesOf, verifySignature } from '../../src/webhooks/verify.js';

const folder = new URL('../../fixtures/webhooks/', import.meta.url);
const profile: SignatureChoices = resolveProfile({});

/** A file in `fixtures/webhooks`: an example message for tests of receivers. */
interface GoldenMessage {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers as a Node server receives them. */
function receivedHeaders(headers: Readonly<Record<string, string>>): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

describe.each(files)('the golden message %s', (file) => {
  const { secret, headers, body }: GoldenMessage = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const message = { headers: receivedHeaders(headers), body: Buffer.from(body), secret, profile };

  test('is verified', () => {
    expect(verifySignature(message)).toBe(true);
  });

  test('is refused with another secret', () => {
    expect(verifySignature({ ...message, secret: `${secret} ` })).toBe(false);
  });

  test('is refused if any byte of its body is changed', () => {
    for (let index = 0; index < message.body.length; index++) {
      const changed = Buffer.from(message.body);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(verifySignature({ ...message, body: changed })).toBe(false);
    }
  });

  test('is refused if any character of its signature is changed', () => {
    const signature = headers['X-Service-Signature'] ?? '';
    for (let index = 0; index < signature.length; index++) {
      const changed = `${signature.slice(0, index)}!${signature.slice(index + 1)}`;
      expect(verifySignature({ ...message, headers: { ...message.headers, 'x-service-signature': changed } })).toBe(
        false,
      );
    }
  });
});

describe('a message', () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const secret = 'a secret';
  const separateHeaderProfile: SignatureChoices = {
    ...profile,
    'event.payment-signature': { header: 'X-Payment-Signature' },
  };
  const base64: SignatureChoices = { ...profile, 'event.digest': 'base64' };

  test.each<{
    name: string;
    event: 'payment.succeeded' | 'deposit.created';
    signedWith: SignatureChoices;
    verifiedWith: SignatureChoices;
    isValid: boolean;
  }>([
    {
      name: 'signed in hex is verified as hex',
      event: 'deposit.created',
      signedWith: profile,
      verifiedWith: profile,
      isValid: true,
    },
    {
      name: 'signed in base64 is verified as base64',
      event: 'deposit.created',
      signedWith: base64,
      verifiedWith: base64,
      isValid: true,
    },
    {
      name: 'signed in base64 is refused as hex',
      event: 'deposit.created',
      signedWith: base64,
      verifiedWith: profile,
      isValid: false,
    },
    {
      name: 'signed in hex is refused as base64',
      event: 'deposit.created',
      signedWith: profile,
      verifiedWith: base64,
      isValid: false,
    },
    {
      name: 'about a payment is verified by the header for payments',
      event: 'payment.succeeded',
      signedWith: separateHeaderProfile,
      verifiedWith: separateHeaderProfile,
      isValid: true,
    },
    {
      name: 'about a payment is refused if the header for payments is missing',
      event: 'payment.succeeded',
      signedWith: profile,
      verifiedWith: separateHeaderProfile,
      isValid: false,
    },
    {
      name: 'about a deposit is verified by the usual header',
      event: 'deposit.created',
      signedWith: separateHeaderProfile,
      verifiedWith: separateHeaderProfile,
      isValid: true,
    },
  ])('$name', ({ event, signedWith, verifiedWith, isValid }) => {
    const headers = receivedHeaders(headersOf({ event, body, secret, profile: signedWith }));
    expect(verifySignature({ headers, body, secret, profile: verifiedWith })).toBe(isValid);
  });

  const signatureLength = 'sha256='.length + 64;

  test.each<{ name: string; headers: IncomingHttpHeaders }>([
    { name: 'without a signature', headers: {} },
    { name: 'with an empty signature', headers: { 'x-service-signature': '' } },
    { name: 'with the algorithm alone', headers: { 'x-service-signature': 'sha256=' } },
    { name: 'with two signatures', headers: { 'x-service-signature': 'sha256=00, sha256=11' } },
    { name: 'with characters beyond ASCII', headers: { 'x-service-signature': 'é'.repeat(signatureLength) } },
    {
      name: 'with a wrong signature of the right length',
      headers: { 'x-service-signature': 'x'.repeat(signatureLength) },
    },
  ])('$name is refused', ({ headers }) => {
    expect(verifySignature({ headers, body, secret, profile })).toBe(false);
  });
});

test.each([
  {},
  { 'event.digest': 'base64' },
  { 'event.digest': 'hex', 'event.payment-signature': 'service-signature' },
  { 'event.payment-signature': { header: 'X-Payment-Signature' }, 'list.order': 'oldest-first' },
])('signatureChoicesOf(%j) equals the choices of the whole profile that determine signatures', (choices) => {
  expect(resolveProfile(choices)).toMatchObject(signatureChoicesOf(choices));
});
