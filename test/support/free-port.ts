import { createServer } from 'node:http';
import { closeServer, listen } from '../../src/lib/listen.js';

/** Returns a TCP port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, 0, '127.0.0.1');
  await closeServer(server);
  return port;
}
