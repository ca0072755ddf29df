import { createHmac } from 'node:crypto';
import type { EventName } from '../domain/records.js';
import { version } from '../generated/version.js';
import type { Profile } from '../openapi/gaps.js';

/** Header of the signature (specification, Events). */
const signatureHeader = 'X-Service-Signature';

/** Choices of a profile about signatures. */
export type Signing = Pick<Profile, 'event.digest' | 'event.payment-signature'>;

/**
 * `sha256=` and the HMAC-SHA256 of the raw body with the secret (specification, Events; gap event.digest).
 * @param body a string counts as its UTF-8 bytes
 */
export function signatureOf(body: string | Uint8Array, secret: string, digest: Signing['event.digest']): string {
  const hmac = createHmac('sha256', secret).update(body);
  return `sha256=${digest === 'hex-upper' ? hmac.digest('hex').toUpperCase() : hmac.digest(digest)}`;
}

/** Header of an event's signature (gap event.payment-signature). */
export function signatureHeaderOf(event: string, profile: Signing): string {
  const choice = profile['event.payment-signature'];
  return event === 'payment.succeeded' && typeof choice === 'object' ? choice.header : signatureHeader;
}

/**
 * Headers of a message, including the signature (specification, Events).
 * @param message `signed` is the signed text if it is not the body, or null for no signature
 */
export function headersOf(message: {
  readonly event: EventName;
  readonly body: string | Uint8Array;
  readonly signed?: string | null | undefined;
  readonly secret: string;
  readonly profile: Signing;
}): Record<string, string> {
  const { event, body, signed = body, secret, profile } = message;
  return {
    'Content-Type': 'application/json',
    'User-Agent': `billing-sim/${version}`,
    'X-Service-Event': event,
    ...(signed === null
      ? {}
      : { [signatureHeaderOf(event, profile)]: signatureOf(signed, secret, profile['event.digest']) }),
  };
}
