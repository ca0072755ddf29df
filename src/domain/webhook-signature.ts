import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GapChoices } from './gaps.js';

/** Header of the signature (specification, Events). */
const signatureHeader = 'X-Service-Signature';

/** The encodings of digests (gap event.digest). */
export const digestEncodings = ['hex', 'base64', 'hex-upper'] as const;

/** Beginning of a signature, before the digest. */
export const signaturePrefix = 'sha256=';

/** The choices of a profile that affect signatures. */
export type SignatureChoices = Pick<GapChoices, 'event.digest' | 'event.payment-signature'>;

/**
 * `sha256=` followed by the HMAC-SHA256 of the raw body with the secret (specification, Events; gap event.digest).
 * @param body bytes, or a string to encode as UTF-8
 */
export function signatureOf(
  body: string | Uint8Array,
  secret: string,
  encoding: SignatureChoices['event.digest'],
): string {
  const hmac = createHmac('sha256', secret).update(body);
  return `${signaturePrefix}${encoding === 'hex-upper' ? hmac.digest('hex').toUpperCase() : hmac.digest(encoding)}`;
}

/** Name of the header with the signature of an event (gap event.payment-signature). */
export function signatureHeaderOf(event: string, profile: SignatureChoices): string {
  const choice = profile['event.payment-signature'];
  return event === 'payment.succeeded' && typeof choice === 'object' ? choice.header : signatureHeader;
}

/** Returns a new webhook secret. @param digits 32 hexadecimal digits */
export const generatedWebhookSecret = (digits: string): string => `whsec_${digits}`;

/** Finds generated webhook secrets in text. */
export const generatedWebhookSecretPattern = /whsec_[\da-f]{32}/g;

/** True if a received signature equals the expected one. Compares them in constant time. */
export function isSameSignature(received: string, expected: string): boolean {
  const [receivedBytes, expectedBytes] = [Buffer.from(received), Buffer.from(expected)];
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}
