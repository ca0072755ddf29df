import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type MessageCheckOptions, messageDeviations } from '../support/checked-message.js';
import { DeviationError } from '../support/document-checker.js';

/** A received webhook message. */
export interface ReceivedMessage {
  readonly event: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: unknown;
  /** Time of arrival on the account's clock, in milliseconds since 1970. */
  readonly at: number;
}

/** Response to a message. */
interface Reply {
  /** 204 by default. */
  readonly status?: number;
  /** The response is sent once this promise has settled. */
  readonly after?: Promise<void>;
}

/** Chooses the response to a message; `index` counts from 0. */
export type Script = (message: ReceivedMessage, index: number) => Reply;

/** A receiver of one account's webhooks. */
export interface Receiver {
  /** URL that it listens on. */
  readonly url: string;
  /** Messages received so far, in order. @throws DeviationError if a message does not match the document, or its signature is wrong */
  messages(): readonly ReceivedMessage[];
  /** Resolves once a condition is true. It is evaluated after every message. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions extends MessageCheckOptions {
  /** The account's clock. */
  readonly now: () => number;
  readonly script: Script;
}

/** Listens on loopback, and validates every message against the document under the account's choices. */
export async function openReceiver({ now, script, ...agreement }: ReceiverOptions): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  const deviations: string[] = [];
  const waiting = new Set<() => void>();

  const take = (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void => {
    const event = String(headers['x-service-event']);
    deviations.push(...messageDeviations({ headers, body }, agreement).map((deviation) => `${event}: ${deviation}`));
    const message: ReceivedMessage = { event, headers, body, json: jsonOf(body), at: now() };
    messages.push(message);
    const { status = 204, after } = script(message, messages.length - 1);
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
    messages() {
      if (deviations.length > 0)
        throw new DeviationError(`messages do not match the document:\n${deviations.join('\n')}`);
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

/** Parsed JSON, or the text itself if it is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
