import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '../../domain/service-error.js';
import type { Operation } from '../../openapi/document.js';

/** The WWW-Authenticate header of an error (RFC 6750, section 3); undefined if the error is not about the token. */
export function challengeOf(
  { code }: ServiceError,
  { headers }: IncomingMessage,
  operation: Operation | undefined,
): string | undefined {
  const hasBearerToken = /^bearer +\S/i.test(headers.authorization ?? '');
  switch (code) {
    case 'unauthenticated':
      // A request without a token gets no error code (RFC 6750, section 3.1).
      return hasBearerToken ? invalidTokenChallenge : bearerChallenge('billing');
    case 'control-token-invalid':
      return hasBearerToken
        ? `${bearerChallenge('billing-sim control')}, error="invalid_token"`
        : bearerChallenge('billing-sim control');
    case 'scope-missing':
      return `${bearerChallenge('billing')}, error="insufficient_scope"${operation ? `, scope="${operation.scope}"` : ''}`;
    default:
      return undefined;
  }
}

function bearerChallenge(realm: string): string {
  return `Bearer realm="${realm}"`;
}

/** The challenge for a token that is unknown, expired or revoked. */
export const invalidTokenChallenge = `${bearerChallenge('billing')}, error="invalid_token"`;
