/** Matches the headers that `keepSpecifiedHeaders` keeps. */
const specifiedHeaders =
  /^(?:content-type|location|retry-after|www-authenticate|x-request-id|x-ratelimit-.+|x-service-.+)$/;

/** Keeps the headers that the specification mentions, and the id that finds a request in the logs of a target. */
export function keepSpecifiedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => specifiedHeaders.test(name)));
}
