import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { resolveProfile } from '../../src/openapi/profile.js';
import type { WebhookRequest } from '../../src/simulation/state/ports.js';
import { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from '../../src/webhooks/post.js';
import { type ListeningServer, listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** A received message. */
interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver extends ListeningServer {
  readonly received: readonly Received[];
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
  return { ...(await listenUntilTestEnds(server)), received };
}

/** Starts a TCP server with this connection handler; it is closed when the test ends. */
export function openRawReceiver(onConnection: (socket: Socket) => void): Promise<ListeningServer> {
  return listenUntilTestEnds(createRawServer(onConnection));
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
