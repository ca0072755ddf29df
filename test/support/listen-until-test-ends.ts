import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Socket, Server as TcpServer } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A server that listens until the test ends. */
export interface ListeningServer {
  /** URL with 127.0.0.1, without a path: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Returns the number of connections made so far. */
  connectionCount(): number;
}

/** Makes a server listen on a free port until the test ends. Then it is closed, and its connections are destroyed. */
export async function listenUntilTestEnds(
  server: HttpServer | TcpServer,
  host: '127.0.0.1' | '0.0.0.0' = '127.0.0.1',
): Promise<ListeningServer> {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  server.prependListener('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    // Tests cut connections from both ends, which must not throw.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server is not listening on a port');
  const protocol = server instanceof TlsServer ? 'https' : 'http';
  return { url: `${protocol}://127.0.0.1:${address.port}`, port: address.port, connectionCount: () => connectionCount };
}
