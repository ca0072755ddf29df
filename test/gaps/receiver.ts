import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type Agreement, messageDepartures } from '../support/checked-message.js';
import { Departure } from '../support/document-checker.js';

/** A webhook message as it came in. */
export interface Told {
  readonly event: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: unknown;
  /** When it came, on the account's clock, in milliseconds since 1970. */
  readonly at: number;
}

/** Response to a message. */
interface Reply {
  /** 204 if left out. */
  readonly status?: number;
  /** Until this has settled, the response is held. */
  readonly after?: Promise<void>;
}

/** Chooses the response to a message; `index` counts from 0. */
export type Script = (told: Told, index: number) => Reply;

/** A receiver of one account's webhooks. */
export interface Receiver {
  /** URL that it listens on. */
  readonly url: string;
  /** Messages received so far, in order. @throws Departure if a message does not match the document, or its signature is wrong */
  told(): readonly Told[];
  /** Settles once a condition holds that a message causes. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions extends Agreement {
  /** The account's clock. */
  readonly now: () => number;
  readonly script: Script;
}

/** Listens on loopback, and holds every message against the document that the account's choices make. */
export async function openReceiver({ now, script, ...agreement }: ReceiverOptions): Promise<Receiver> {
  const messages: Told[] = [];
  const departures: string[] = [];
  const waiting = new Set<() => void>();

  const take = (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void => {
    const event = String(headers['x-service-event']);
    departures.push(...messageDepartures({ headers, body }, agreement).map((departure) => `${event}: ${departure}`));
    const told: Told = { event, headers, body, json: jsonOf(body), at: now() };
    messages.push(told);
    const { status = 204, after } = script(told, messages.length - 1);
    const answer = (): void => void response.writeHead(status).end();
    if (after) void after.then(answer);
    else answer();
    for (const look of waiting) look();
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(request.headers, Buffer.concat(chunks), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the receiver does not listen');

  return {
    url: `http://127.0.0.1:${address.port}/`,
    told() {
      if (departures.length > 0) throw new Departure(`messages depart from the document:\n${departures.join('\n')}`);
      return messages;
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The text itself where it is no JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
