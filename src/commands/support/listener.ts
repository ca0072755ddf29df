import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, urlOf } from '../../lib/listen.js';
import type { ExchangeOutcome } from '../../webhooks/exchange.js';
import { listenerNotice, listenerPath } from '../../webhooks/listener-url.js';
import { listenError } from './listen-error.js';

/** Maximum size of a body. Messages of the simulator are far smaller. */
const maxBodyBytes = 1_000_000;

/** A received message. */
export interface Message {
  readonly headers: IncomingMessage['headers'];
  /** Names and values alternate, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Response to a message. */
export type Reply = Pick<ExchangeOutcome, 'answer' | 'retryAfter'> & { readonly status: number };

/** A server for webhooks on 127.0.0.1. */
export interface Listener {
  /** Such as `http://127.0.0.1:40123/billing-sim-listen`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens for webhook messages. If `answer` rejects, the response is 500 and `onFailure` is called.
 * @param port 0 picks a free one
 * @throws CommandError if the port cannot be used
 */
export async function openListener(options: {
  readonly port: number;
  readonly answer: (message: Message) => Promise<Reply>;
  readonly onFailure: (error: unknown) => void;
}): Promise<Listener> {
  const server = createServer((request, response) => {
    replyTo(request, options.answer).then(
      (sent) => write(response, sent),
      (error: unknown) => {
        write(response, textReply(500, 'billing-sim listen failed'));
        options.onFailure(error);
      },
    );
  });
  const host = '127.0.0.1';
  const address = await listen(server, options.port, host).catch((error: unknown) => {
    throw listenError(error, { port: options.port, host });
  });
  return {
    url: `${urlOf(address)}${listenerPath}`,
    port: address.port,
    close: () => closeServer(server),
  };
}

async function replyTo(request: IncomingMessage, answer: (message: Message) => Promise<Reply>): Promise<Reply> {
  if (request.method !== 'POST') return textReply(405, listenerNotice);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBodyBytes) return textReply(413, 'the message is larger than 1 MB');
  }
  return answer({ headers: request.headers, rawHeaders: request.rawHeaders, body: Buffer.concat(chunks) });
}

function textReply(status: number, answer: string): Reply {
  return { status, answer, retryAfter: null };
}

function write(response: ServerResponse, { status, answer, retryAfter }: Reply): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (retryAfter !== null) response.setHeader('Retry-After', retryAfter);
  response.end(answer);
}
