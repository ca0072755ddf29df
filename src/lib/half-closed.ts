import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets a server respond to clients that end their side of the connection after a request, as `nc -N` does. By default,
 * Node ends the connection then, so that a response that is not ready yet is lost.
 */
export function allowHalfClosedConnections(server: Server): void {
  // A property of the server that its types lack.
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Connections that end when the client ends its side. */
const endingWithClient = new WeakSet<Socket>();

/**
 * Ends a connection as soon as the client ends its side, as a client that no longer waits for the response does. For
 * responses that take long or never end, which could otherwise not tell that the client has gone.
 */
export function endWithClient(socket: Socket): void {
  if (endingWithClient.has(socket)) return;
  endingWithClient.add(socket);
  if (socket.readableEnded) socket.end();
  else socket.once('end', () => socket.end());
}
