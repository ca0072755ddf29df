import type { IncomingHttpHeaders } from 'node:http';
import {
  digestEncodings,
  isSameSignature,
  type SignatureChoices,
  signatureHeaderOf,
  signatureOf,
} from '../domain/webhook-signature.js';
import { memberOf } from '../lib/json.js';

/**
 * Verifies the signature of a received message. The comparison takes constant time.
 * @param message its `body` is the body as received, before any parsing; its `profile` determines the header and the
 * encoding of the signature
 */
export function verifySignature(message: {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly secret: string;
  readonly profile: SignatureChoices;
}): boolean {
  const { headers, body, secret, profile } = message;
  const event = headers['x-service-event'];
  const signature = headers[signatureHeaderOf(typeof event === 'string' ? event : '', profile).toLowerCase()];
  if (typeof signature !== 'string') return false;
  return isSameSignature(signature, signatureOf(body, secret, profile['event.digest']));
}

/** Selects the choices of a profile that determine signatures. Missing or invalid choices have their defaults. */
export function signatureChoicesOf(choices: Readonly<Record<string, unknown>>): SignatureChoices {
  const paymentHeader = memberOf(choices['event.payment-signature'], 'header');
  const encoding = digestEncodings.find((name) => name === choices['event.digest']);
  return {
    'event.digest': encoding ?? 'hex',
    'event.payment-signature': typeof paymentHeader === 'string' ? { header: paymentHeader } : 'service-signature',
  };
}
