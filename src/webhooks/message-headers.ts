import type { EventName } from '../domain/records.js';
import { type SignatureChoices, signatureHeaderOf, signatureOf } from '../domain/webhook-signature.js';
import { version } from '../generated/version.js';

/**
 * Headers of a message, including the signature (specification, Events).
 * @param message `signed` is the signed text if it is not the body, or null for no signature
 */
export function headersOf(message: {
  readonly event: EventName;
  readonly body: string | Uint8Array;
  readonly signed?: string | null | undefined;
  readonly secret: string;
  readonly profile: SignatureChoices;
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
