import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on a port of a host.
 * @param port 0 picks a free one
 * @throws the error of `server.listen`, for example with the code `EADDRINUSE`
 */
export async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('the server has no TCP address');
}

/** URL at which clients on this machine reach a server, even if it listens on all addresses. */
export function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Stops listening and closes the open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
