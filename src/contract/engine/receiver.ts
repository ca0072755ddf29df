import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listen, urlOf } from '../../lib/listen.js';
import type { Redact } from '../report/redact.js';
import { type Delivery, pathWithoutQuery } from './delivery.js';

/** Receives and keeps webhooks, and responds with 200 by default. */
export interface Receiver {
  readonly port: number;
  /** Deliveries in order of arrival. */
  readonly deliveries: readonly Delivery[];
  /** Verifies deliveries to a path with a secret; returns the URL. */
  register(path: string, secret: string): string;
  /** Verifies all later deliveries with another secret, whatever their path. */
  setSecret(secret: string): void;
  /** Responds to the next matching delivery with 503. */
  failOnce(matches: (delivery: Delivery) => boolean): void;
  /** Waits for a match: checks now, and after each delivery. @param until milliseconds since 1970 at which to give up */
  find<Found>(look: () => Found | undefined, until: number): Promise<Found | undefined>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Secret for paths without a secret of their own. */
  readonly secret: string | undefined;
  readonly redact: Redact;
}

/** Larger bodies are not webhooks. */
const maxBodyBytes = 1_000_000;

/** Opens a receiver on loopback. @throws Error if the port cannot be used */
export async function openReceiver({ port, secret, redact }: ReceiverOptions): Promise<Receiver> {
  let defaultSecret = secret;
  const secrets = new Map<string, string>();
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  const expectedFailures = new Set<(delivery: Delivery) => boolean>();

  /** @returns status of the response */
  const receive = (request: IncomingMessage, body: Buffer): number => {
    const path = request.url ?? '/';
    const key = secrets.get(pathWithoutQuery({ path })) ?? defaultSecret;
    const delivery = {
      method: request.method ?? '',
      path,
      headers: headersOf(request, redact),
      text: redact(body.toString('utf8')),
      at: Date.now(),
      digest: key === undefined ? undefined : createHmac('sha256', key).update(body).digest('hex'),
    };
    deliveries.push(delivery);
    for (const look of waiting) look();
    const failure = [...expectedFailures].find((matches) => matches(delivery));
    return failure && expectedFailures.delete(failure) ? 503 : 200;
  };

  const server = createServer((request, response) => {
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

  return {
    port: address.port,
    deliveries,
    register(path, ownSecret) {
      secrets.set(path, ownSecret);
      return `${urlOf(address)}${path}`;
    },
    setSecret(newSecret) {
      defaultSecret = newSecret;
      for (const path of secrets.keys()) secrets.set(path, newSecret);
    },
    failOnce: (matches) => void expectedFailures.add(matches),
    find: (look, until) =>
      new Promise((resolve) => {
        const settle = (found: ReturnType<typeof look>): void => {
          clearTimeout(timer);
          waiting.delete(recheck);
          resolve(found);
        };
        const recheck = (): void => {
          const found = look();
          if (found !== undefined) settle(found);
        };
        const timer = setTimeout(() => settle(look()), Math.max(0, until - Date.now()));
        waiting.add(recheck);
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
