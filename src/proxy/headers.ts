import type { RawHeaders } from './exchange.js';

/** Headers for a single connection, which a proxy must not forward (RFC 9110, 7.6.1; RFC 9112). */
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

/** Returns the headers to forward, as received: same case, order and repetitions. */
export function endToEnd(headers: RawHeaders, alsoWithout: readonly string[] = []): [string, string][] {
  const pairs = pairsOf(headers);
  // `Connection` names further hop-by-hop headers.
  const namedByConnection = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  const removed = [...hopByHop, ...namedByConnection, ...alsoWithout];
  return pairs.filter(([name]) => !removed.includes(name.toLowerCase()));
}

/** Groups names and values, which alternate, into pairs. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : []));
}
