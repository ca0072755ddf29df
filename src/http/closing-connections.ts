import type { Duplex } from 'node:stream';

/** Connections whose last response says `Connection: close`. What follows on them is ignored (RFC 9112, 9.6). */
const closingConnections = new WeakSet<Duplex>();

/** Marks a connection that closes after the response to the current request, although the client did not ask for it. */
export function markClosing(connection: Duplex): void {
  closingConnections.add(connection);
}

/** Returns true if further requests on a connection must not be processed. */
export function isClosing(connection: Duplex): boolean {
  return closingConnections.has(connection);
}
