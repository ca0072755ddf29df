import { Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import type { ClauseContext } from '../../engine/session.js';
import { aResetTime } from '../../predicates/matchers.js';
import { expectEachResponse } from '../responses.js';

export const headers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export type Header = (typeof headers)[number];

export const headerOf = ({ headers: all }: Exchange, name: Header): string | undefined => all[name.toLowerCase()];

export function headerNumber(exchange: Exchange, name: Header): number {
  return Number.parseInt(headerOf(exchange, name) ?? '', 10);
}

/** Expected formats of the headers. */
export const headerFormats: readonly (readonly [
  number: string,
  Header,
  description: string,
  isMatch: (value: string) => boolean,
])[] = [
  // After the number of requests, some gateways add the length of the window.
  ['01', 'X-RateLimit-Limit', 'a number of requests', (value) => /^[1-9]\d*( *[,;].*)?$/.test(value)],
  ['02', 'X-RateLimit-Remaining', 'a number of requests', (value) => /^\d+( *[,;].*)?$/.test(value)],
  ['03', 'X-RateLimit-Reset', aResetTime.description, aResetTime.matches],
];

export const missingHeaderSkip = (name: Header): Skip =>
  new Skip({ missing: 'rate-limit headers', reason: `no response to check has \`${name}\`` });

export function responsesWith(name: Header, responses: readonly Exchange[]): Exchange[] {
  return responses.filter((exchange) => headerOf(exchange, name) !== undefined);
}

/**
 * Checks each of the responses that have a header.
 * @throws Skip if none has it, which other clauses report; the errors of `expect`
 */
export function expectEachWithHeader(
  context: ClauseContext,
  responses: readonly Exchange[],
  name: Header,
  expect: (exchange: Exchange, value: string) => void,
): void {
  const withHeader = responsesWith(name, responses);
  if (withHeader.length === 0) throw missingHeaderSkip(name);
  expectEachResponse(context, withHeader, (exchange) => expect(exchange, headerOf(exchange, name) ?? ''));
}
