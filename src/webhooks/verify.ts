import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { memberOf } from '../lib/member-of.js';
import { type Signing, signatureHeaderOf, signatureOf } from './signature.js';

/**
 * Verifies the signature of a received message under a profile. The comparison takes constant time.
 * @param message the raw body, before any parsing
 */
export function verifySignature(message: {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly profile: Signing;
}): boolean {
  const { headers, body, secret, profile } = message;
  const event = headers['x-service-event'];
  const given = headers[signatureHeaderOf(typeof event === 'string' ? event : '', profile).toLowerCase()];
  if (typeof given !== 'string') return false;
  const received = Buffer.from(given);
  const expected = Buffer.from(signatureOf(body, secret, profile['event.digest']));
  return received.length === expected.length && timingSafeEqual(received, expected);
}

const digests = ['hex', 'base64', 'hex-upper'] as const;

/** Signature choices of a profile file, with defaults for omitted ones. */
export function signingOf(choices: Readonly<Record<string, unknown>>): Signing {
  const payment = memberOf(choices['event.payment-signature'], 'header');
  const digest = digests.find((name) => name === choices['event.digest']);
  return {
    'event.digest': digest ?? 'hex',
    'event.payment-signature': typeof payment === 'string' ? { header: payment } : 'service-signature',
  };
}
