import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { resolveProfile } from '../../src/openapi/profile.js';
import type { WebhookRequest } from '../../src/simulation/state/ports.js';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from '../../src/webhooks/post.js';

/** A received message. */
interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  /** Base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Returns the number of connections made so far. */
  connectionCount(): number;
}

/** Starts an HTTP server that records requests, and is closed when the test ends. By default it responds with 204. */
export async function openReceiver(
  handler: RequestListener = (_request, response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      handler(request, response);
    });
  });
  return { ...(await listenUntilTestEnds(server, 'http')), received };
}

/** Starts a TCP server with this connection handler; it is closed when the test ends. */
export function openRawReceiver(onConnection: (socket: Socket) => void): Promise<Omit<Receiver, 'received'>> {
  return listenUntilTestEnds(createRawServer(onConnection), 'http');
}

/** Lets a server listen on a free port until the test ends. The URL always has 127.0.0.1, whatever `host` is. */
export async function listenUntilTestEnds(
  server: Server | RawServer,
  protocol: 'http' | 'https',
  host = '127.0.0.1',
): Promise<Omit<Receiver, 'received'>> {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  server.prependListener('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    // These tests cut connections from both ends, which must not throw.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the receiver is not listening on a port');
  return { url: `${protocol}://127.0.0.1:${address.port}`, port: address.port, connectionCount: () => connectionCount };
}

/** Creates a webhook sender that is closed when the test ends. */
export function openSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = createWebhookSender({ ownPort: () => undefined, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

/** A webhook request to a URL, to be signed as under the default profile. */
export function webhookRequestTo(url: string, overrides: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url,
    secret: 'a secret',
    event: 'deposit.created',
    body: '{"id":"evt_1","event":"deposit.created"}',
    profile: resolveProfile({}),
    ...overrides,
  };
}

/** A signal that is never aborted. */
export const neverAborted = new AbortController().signal;
