import {
  digestEncodings,
  isSameSignature,
  signatureHeaderOf,
  signatureOf,
  signaturePrefix,
} from '../../../domain/webhook-signature.js';
import type { components } from '../../../generated/control-validated-types.js';
import type { Profile } from '../../../openapi/profile.js';

type Delivery = components['schemas']['Delivery'];

/** The signature of one attempt, compared with the signature that a given secret produces. */
export interface CheckedAttempt {
  readonly number: number;
  readonly at: string;
  /** The name of the header with the signature. */
  readonly header: string;
  /** The signature that was sent; undefined if there was none. */
  readonly sent: string | undefined;
  /** The signature that the secret produces. */
  readonly expected: string;
  readonly matches: boolean;
}

/**
 * Checks which attempts were signed with a secret. Skips attempts in which no request was sent.
 * @param profile the current one, which may differ from the one that an attempt was signed under
 */
export function checkSignatures(
  { event, body, attempts }: Pick<Delivery, 'event' | 'body' | 'attempts'>,
  secret: string,
  profile: Profile,
): CheckedAttempt[] {
  const currentHeader = signatureHeaderOf(event, profile);
  return attempts.flatMap(({ number, at, headers, body: attemptBody = body }) => {
    if (Object.keys(headers).length === 0) return [];
    // Found by its value, because the header may have had another name when the attempt was sent.
    const [header = currentHeader, sent] =
      Object.entries(headers).find(([, value]) => value.startsWith(signaturePrefix)) ?? [];
    const matching = digestEncodings
      .map((encoding) => signatureOf(attemptBody, secret, encoding))
      .find((signature) => sent !== undefined && isSameSignature(sent, signature));
    const expected = matching ?? signatureOf(attemptBody, secret, profile['event.digest']);
    return [{ number, at, header, sent, expected, matches: matching !== undefined }];
  });
}
