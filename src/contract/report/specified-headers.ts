/**
 * Matches the headers that the specification mentions, and `X-Request-Id`, which finds a request in a target's logs.
 */
const specifiedHeaders =
  /^(?:content-type|location|retry-after|www-authenticate|x-request-id|x-ratelimit-.+|x-service-.+)$/;

/** Picks the headers that the specification mentions, and the request id. */
export function keepSpecifiedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => specifiedHeaders.test(name)));
}
