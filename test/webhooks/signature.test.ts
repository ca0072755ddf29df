import { createHmac } from 'node:crypto';
import { verify } from '@octokit/webhooks-methods';
import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../src/domain/webhook-signature.js';
import { version } from '../../src/generated/version.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { headersOf } from '../../src/webhooks/message-headers.js';

const profile = resolveProfile({});

describe('signatureOf() returns the published signature', () => {
  test.each([
    // docs.github.com, Validating webhook deliveries
    ["It's a Secret to Everybody", 'Hello, World!', '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
    // @octokit/webhooks-methods: its README and its tests
    ['mysecret', '{"foo":"bar"}', '4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3'],
    ['mysecret', '{\n  "foo": "bar"\n}\n', 'e3eccac34c43c7dc1cbb905488b1b81347fcc700a7b025697a9d07862256023f'],
    [
      'development',
      '{\n  "foo": "Foo\\n\\u001B[34mbar: ♥♥♥♥♥♥♥♥\\nthis-is-lost\\u001B[0m\\u001B[2K"\n}\n',
      '9dacf9003316b09be07df56d86a2d0d6872e42a1e6c72c3bad9ff915a7c5603e',
    ],
    ['development', '{\n  "foo": "\\\\u001b"\n}\n', '87316067e2011fae39998b18c46a14d83b3e7c3ffdd88fb2ee5afb7d11288e60'],
  ])('for the secret %j and the body %j', async (secret, body, digest) => {
    expect(signatureOf(body, secret, 'hex')).toBe(`sha256=${digest}`);
    expect(signatureOf(Buffer.from(body), secret, 'hex')).toBe(`sha256=${digest}`);
    expect(await verify(secret, body, signatureOf(body, secret, 'hex'))).toBe(true);
  });
});

test('under event.digest: base64, the signature is the same digest in base64', () => {
  const digest = Buffer.from('757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17', 'hex');
  expect(signatureOf('Hello, World!', "It's a Secret to Everybody", 'base64')).toBe(
    `sha256=${digest.toString('base64')}`,
  );
});

test('the key is the secret in UTF-8, and may be empty', () => {
  const expectedSignature = (secret: Buffer): string =>
    `sha256=${createHmac('sha256', secret).update('{}').digest('hex')}`;
  expect(signatureOf('{}', 'clé 🔑', 'hex')).toBe(expectedSignature(Buffer.from('clé 🔑')));
  expect(signatureOf('{}', '', 'hex')).toBe(expectedSignature(Buffer.alloc(0)));
});

describe('webhook headers', () => {
  const message = { body: '{"id":"evt_1"}', secret: 'a secret', profile };
  const signature = signatureOf(message.body, message.secret, 'hex');
  const separateHeaderProfile = { ...profile, 'event.payment-signature': { header: 'X-Payment-Signature' } };

  test.each(['payment.succeeded', 'deposit.created'] as const)(
    '%s has headers for its name and its signature',
    (event) => {
      expect(headersOf({ ...message, event })).toEqual({
        'Content-Type': 'application/json',
        'User-Agent': `billing-sim/${version}`,
        'X-Service-Event': event,
        'X-Service-Signature': signature,
      });
    },
  );

  test('payment.succeeded is signed only in the header that event.payment-signature names', () => {
    const headers = headersOf({ ...message, event: 'payment.succeeded', profile: separateHeaderProfile });
    expect(headers).toMatchObject({ 'X-Payment-Signature': signature });
    expect(headers).not.toHaveProperty('X-Service-Signature');
  });

  test('a deposit event is signed in X-Service-Signature regardless of event.payment-signature', () => {
    const headers = headersOf({ ...message, event: 'deposit.created', profile: separateHeaderProfile });
    expect(headers).toMatchObject({ 'X-Service-Signature': signature });
    expect(headers).not.toHaveProperty('X-Payment-Signature');
  });
});
