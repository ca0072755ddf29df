import type { RawHeaders } from './exchange.js';

/** Hop-by-hop headers (RFC 9110, 7.6.1; RFC 9112). */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** End-to-end headers as received: same case, order and repetitions. */
export function endToEnd(headers: RawHeaders, alsoWithout: readonly string[] = []): [string, string][] {
  const pairs = pairsOf(headers);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  const left = [...hopByHop, ...named, ...alsoWithout];
  return pairs.filter(([name]) => !left.includes(name.toLowerCase()));
}

/** Pairs of name and value. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : []));
}
