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
  readonly receivedAt: number;
}

/** Response of a receiver to a message. */
interface Reply {
  /** 204 by default. */
  readonly status?: number;
  /** The response is sent once this promise is fulfilled. */
  readonly after?: Promise<void>;
}

/** Chooses the response to a message. `index` is the number of earlier messages. */
export type ReplyChooser = (message: ReceivedMessage, index: number) => Reply;

/** A receiver of one account's webhooks. */
export interface Receiver {
  readonly url: string;
  /**
   * Messages received so far, in order.
   * @throws DeviationError if one does not match the API document, or has a wrong signature
   */
  messages(): readonly ReceivedMessage[];
  /** Resolves once the condition is true. Evaluates it now and after every message. */
  waitUntil(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions extends MessageCheckOptions {
  /** Returns the time on the account's clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly chooseReply: ReplyChooser;
}

/** Starts a receiver on loopback. It checks every message against the API document with the account's profile applied. */
export async function openReceiver({ now, chooseReply, ...checkOptions }: ReceiverOptions): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  const deviations: string[] = [];
  const conditionChecks = new Set<() => void>();

  const receiveMessage = (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void => {
    const event = String(headers['x-service-event']);
    deviations.push(...messageDeviations({ headers, body }, checkOptions).map((deviation) => `${event}: ${deviation}`));
    const message: ReceivedMessage = { event, headers, body, json: parseBody(body), receivedAt: now() };
    messages.push(message);
    const { status = 204, after } = chooseReply(message, messages.length - 1);
    const respond = (): void => void response.writeHead(status).end();
    if (after) void after.then(respond);
    else respond();
    for (const check of conditionChecks) check();
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => receiveMessage(request.headers, Buffer.concat(chunks), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the receiver is not listening');

  return {
    url: `http://127.0.0.1:${address.port}/`,
    messages() {
      if (deviations.length > 0)
        throw new DeviationError(`messages do not match the document:\n${deviations.join('\n')}`);
      return messages;
    },
    waitUntil: (condition) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          conditionChecks.delete(check);
          resolve();
        };
        conditionChecks.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the parsed JSON, or the text if it is not JSON. */
function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
