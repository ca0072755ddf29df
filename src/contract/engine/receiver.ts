import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listen, urlOf } from '../../lib/listen.js';
import { parseUrl } from '../../lib/parse-url.js';
import type { Redact } from '../report/redact.js';
import { type Delivery, pathWithoutQuery } from './delivery.js';

/** HTTP server that records the webhooks that the target sends. It responds with 200 by default. */
export interface Receiver {
  readonly port: number;
  /** Deliveries in order of arrival. */
  readonly deliveries: readonly Delivery[];
  /** Registers a path, with the secret for the digest of each delivery to it. @returns the URL of the path */
  register(path: string, secret: string): string;
  /** From now on, uses this secret for all paths, registered or not. */
  setSecret(secret: string): void;
  /** Responds to the next matching delivery with 503. */
  failOnce(matches: (delivery: Delivery) => boolean): void;
  /**
   * Waits until a search finds something: searches now, after each delivery, and a last time at the deadline.
   * @param deadline in milliseconds since 1970
   * @returns undefined if no search has found anything
   */
  waitFor<Found>(search: () => Found | undefined, deadline: number): Promise<Found | undefined>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Secret for the digests of deliveries to paths that are not registered. */
  readonly secret: string | undefined;
  readonly redact: Redact;
}

/** Maximum size of a webhook's body; if it is larger, the connection is closed. */
const maxBodyBytes = 1_000_000;

/** Header of the response to a HEAD request, by which runs recognize the receivers of other runs. */
const receiverHeader = 'x-contract-receiver';

/** Time that a receiver may take to respond to a HEAD request. */
const probeTimeoutMs = 500;

/**
 * True if a webhook URL leads to the receiver of a run in progress on this machine. A URL that an aborted run
 * has left behind does not count.
 */
export async function isOpenReceiver(webhookUrl: unknown): Promise<boolean> {
  const url = typeof webhookUrl === 'string' ? parseUrl(webhookUrl) : undefined;
  // Only URLs of the suite are requested, see `Session.prefix`.
  if (url?.hostname !== '127.0.0.1' || !url.pathname.startsWith('/contract-')) return false;
  try {
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(probeTimeoutMs) });
    return response.headers.has(receiverHeader);
  } catch {
    return false;
  }
}

/** Opens a receiver on loopback. @throws Error if the port cannot be used */
export async function openReceiver({ port, secret, redact }: ReceiverOptions): Promise<Receiver> {
  let defaultSecret = secret;
  const secrets = new Map<string, string>();
  const deliveries: Delivery[] = [];
  const pendingSearches = new Set<() => void>();
  const failOnceMatchers = new Set<(delivery: Delivery) => boolean>();

  /** @returns status of the response */
  const receive = (request: IncomingMessage, body: Buffer): number => {
    const path = request.url ?? '/';
    const key = secrets.get(pathWithoutQuery({ path })) ?? defaultSecret;
    const delivery = {
      method: request.method ?? '',
      path,
      headers: headersOf(request, redact),
      text: redact(body.toString('utf8')),
      receivedAt: Date.now(),
      digest: key === undefined ? undefined : createHmac('sha256', key).update(body).digest('hex'),
    };
    deliveries.push(delivery);
    for (const search of pendingSearches) search();
    const matcher = [...failOnceMatchers].find((matches) => matches(delivery));
    if (!matcher) return 200;
    failOnceMatchers.delete(matcher);
    return 503;
  };

  const server = createServer((request, response) => {
    // A webhook has a body, so a HEAD request is not one.
    if (request.method === 'HEAD') return void response.writeHead(204, { [receiverHeader]: 'open' }).end();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const status = receive(request, Buffer.concat(chunks));
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const address = await listen(server, port, '127.0.0.1');
  // If a test runner never closes the session, the server must not keep the process alive. While a clause waits for a
  // webhook, the timer in `waitFor` keeps it alive.
  server.unref();

  return {
    port: address.port,
    deliveries,
    register(path, pathSecret) {
      secrets.set(path, pathSecret);
      return `${urlOf(address)}${path}`;
    },
    setSecret(newSecret) {
      defaultSecret = newSecret;
      for (const path of secrets.keys()) secrets.set(path, newSecret);
    },
    failOnce: (matches) => void failOnceMatchers.add(matches),
    waitFor: (search, deadline) =>
      new Promise((resolve) => {
        const settle = (found: ReturnType<typeof search>): void => {
          clearTimeout(timer);
          pendingSearches.delete(recheck);
          resolve(found);
        };
        const recheck = (): void => {
          const found = search();
          if (found !== undefined) settle(found);
        };
        const timer = setTimeout(() => settle(search()), Math.max(0, deadline - Date.now()));
        pendingSearches.add(recheck);
        recheck();
      }),
    close: () => closeServer(server),
  };
}

function headersOf({ headersDistinct }: IncomingMessage, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, redact(values.join(', '))]),
  );
}
