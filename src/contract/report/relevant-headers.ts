/**
 * Matches the headers that matter for clauses, and `X-Request-Id`, which helps to find a request in a target's logs.
 */
const relevantHeaders =
  /^(?:content-type|location|retry-after|www-authenticate|x-request-id|x-ratelimit-.+|x-service-.+)$/;

/** Picks the headers that matter for clauses, and the request id. */
export function keepRelevantHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => relevantHeaders.test(name)));
}
