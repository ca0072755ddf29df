import { conjunction } from '../../../lib/messages.js';
import { Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import type { ClauseContext } from '../../engine/session.js';
import { aResetTime } from '../../predicates/matchers.js';
import { expectEachResponse } from '../responses.js';

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export type Header = (typeof rateLimitHeaders)[number];

export const headerOf = ({ headers }: Exchange, name: Header): string | undefined => headers[name.toLowerCase()];

export function headerNumber(exchange: Exchange, name: Header): number {
  return Number.parseInt(headerOf(exchange, name) ?? '', 10);
}

/** Expected formats of the headers. Some gateways add the length of the window after a number: `100, 100;w=60`. */
export const headerFormats: readonly (readonly [
  clauseNumber: string,
  Header,
  description: string,
  isMatch: (value: string) => boolean,
])[] = [
  ['01', 'X-RateLimit-Limit', 'a positive number of requests', (value) => /^[1-9]\d*( *[,;].*)?$/.test(value)],
  ['02', 'X-RateLimit-Remaining', 'a number of requests', (value) => /^\d+( *[,;].*)?$/.test(value)],
  ['03', 'X-RateLimit-Reset', aResetTime.description, aResetTime.matches],
];

/** Creates the Skip for headers that no response has in the expected format; other clauses report that. */
export const missingHeadersSkip = (...names: readonly Header[]): Skip =>
  new Skip({
    missing: 'rate-limit headers',
    reason: `no response to check has a valid ${conjunction(names.map((name) => `\`${name}\``))}`,
  });

/** True if a response has a header in the expected format. */
export function hasValidHeader(exchange: Exchange, name: Header): boolean {
  const value = headerOf(exchange, name);
  return value !== undefined && headerFormats.some(([, other, , isMatch]) => other === name && isMatch(value));
}

/**
 * Checks each of the responses that have all of the headers in the expected format.
 * @param expect gets a response and the value of the first header
 * @throws Skip if there is no such response. Errors thrown by `expect` are passed on
 */
export function expectEachWithHeaders(
  context: ClauseContext,
  responses: readonly Exchange[],
  names: readonly [Header, ...Header[]],
  expect: (exchange: Exchange, value: string) => void,
): void {
  const withHeaders = responses.filter((exchange) => names.every((name) => hasValidHeader(exchange, name)));
  if (withHeaders.length === 0) throw missingHeadersSkip(...names);
  expectEachResponse(context, withHeaders, (exchange) => expect(exchange, headerOf(exchange, names[0]) ?? ''));
}
