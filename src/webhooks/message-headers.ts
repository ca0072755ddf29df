import type { EventName } from '../domain/records.js';
import { type SignatureChoices, signatureHeaderOf, signatureOf } from '../domain/webhook-signature.js';
import { version } from '../generated/version.js';

/**
 * Headers of a webhook message, including the signature (specification, Events).
 * @param message `signedText` is the text to sign if a fault makes the signature wrong; default: the body; null for no
 * signature
 */
export function headersOf(message: {
  readonly event: EventName;
  readonly body: string | Uint8Array;
  readonly signedText?: string | null | undefined;
  readonly secret: string;
  readonly profile: SignatureChoices;
}): Record<string, string> {
  const { event, body, signedText = body, secret, profile } = message;
  return {
    'Content-Type': 'application/json',
    'User-Agent': `billing-sim/${version}`,
    'X-Service-Event': event,
    ...(signedText === null
      ? {}
      : { [signatureHeaderOf(event, profile)]: signatureOf(signedText, secret, profile['event.digest']) }),
  };
}
