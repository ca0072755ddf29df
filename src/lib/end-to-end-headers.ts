/** Headers for a single connection, which must not be forwarded (RFC 9110, 7.6.1; RFC 9112). */
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

/** Headers about the transfer of a body, which do not apply when a body that was received in full is forwarded. */
export const bodyTransferHeaders = ['content-length', 'expect', 'trailer'] as const;

/**
 * Returns the headers to forward, as received: same case, order and repetitions.
 * @param rawHeaders alternating names and values, as in Node
 * @param alsoWithout further headers to leave out, in lower case
 */
export function endToEndHeaders(
  rawHeaders: readonly string[],
  alsoWithout: readonly string[] = [],
): [name: string, value: string][] {
  const pairs = headerPairs(rawHeaders);
  // `Connection` names further hop-by-hop headers.
  const namedByConnection = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  const removed = [...hopByHop, ...namedByConnection, ...alsoWithout];
  return pairs.filter(([name]) => !removed.includes(name.toLowerCase()));
}

/** Groups alternating names and values into pairs. */
export function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/**
 * Returns the codings in a `Transfer-Encoding` header that remain on a body which Node has received, such as `gzip`: all
 * except `chunked`.
 */
export function appliedTransferCodings(transferEncoding = ''): string[] {
  return transferEncoding
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding.toLowerCase() !== 'chunked');
}
