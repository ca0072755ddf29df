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
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Number of connections made to it. */
  connections(): number;
}

/** An HTTP server that keeps what it is sent, until the test ends. It answers 204 unless told otherwise. */
export async function openReceiver(
  answer: RequestListener = (_request, response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      answer(request, response);
    });
  });
  return { ...(await listening(server, 'http')), received };
}

/** A TCP server with its own handler of connections, closed when the test ends. */
export function openRawReceiver(onConnection: (socket: Socket) => void): Promise<Omit<Receiver, 'received'>> {
  return listening(createRawServer(onConnection), 'http');
}

/** Listens on a free port until the test ends; the URL has 127.0.0.1 whatever it listens on. */
export async function listening(
  server: Server | RawServer,
  protocol: 'http' | 'https',
  host = '127.0.0.1',
): Promise<Omit<Receiver, 'received'>> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.prependListener('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // Connections are cut in these tests, from either end.
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
  if (typeof address !== 'object' || address === null) throw new Error('the receiver does not listen');
  return { url: `${protocol}://127.0.0.1:${address.port}`, port: address.port, connections: () => connections };
}

/** A sender that is closed when the test ends. */
export function openSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = createWebhookSender({ ownPort: () => undefined, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

/** A message to a URL, signed under the default profile. */
export function messageTo(url: string, rest: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url,
    secret: 'a secret',
    event: 'deposit.created',
    body: '{"id":"evt_1","event":"deposit.created"}',
    profile: resolveProfile({}),
    ...rest,
  };
}

/** A signal that is never aborted. */
export const never = new AbortController().signal;
