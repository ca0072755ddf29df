import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, urlOf } from '../../lib/listen.js';
import { listenerNotice, listenerPath } from '../../webhooks/listener-url.js';
import type { SendOutcome } from '../../webhooks/send-message.js';
import { listenError } from '../support/listen-error.js';

/** Maximum size of a body. The simulator's messages are far smaller. */
const maxBodyBytes = 1_000_000;

/** A received webhook message. */
export interface Message {
  readonly headers: IncomingMessage['headers'];
  /** Alternating names and values, unchanged. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Response to a message. */
export interface Reply extends Pick<SendOutcome, 'retryAfter' | 'date'> {
  /** From 200 to 999. */
  readonly status: number;
  readonly body: string;
}

/** A server on 127.0.0.1 that receives webhooks. */
export interface Listener {
  /** For example `http://127.0.0.1:40123/billing-sim-listen`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens for webhook messages. If `respond` rejects, or its reply cannot be sent, the response is 500 and `onFailure` is
 * called.
 * @throws CommandError if the port cannot be used
 */
export async function openListener(options: {
  /** 0 picks a free port. */
  readonly port: number;
  readonly respond: (message: Message) => Promise<Reply>;
  readonly onFailure: (error: unknown) => void;
}): Promise<Listener> {
  const server = createServer((request, response) => {
    replyTo(request, options.respond)
      .then((reply) => writeReply(response, reply))
      .catch((error: unknown) => {
        // The sender has closed the connection before the end of its message, so nobody waits for a reply.
        if (request.destroyed && !request.complete) return;
        writeReply(response, textReply(500, 'billing-sim listen failed'));
        options.onFailure(error);
      });
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

async function replyTo(request: IncomingMessage, respond: (message: Message) => Promise<Reply>): Promise<Reply> {
  if (request.method !== 'POST') return textReply(405, listenerNotice);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBodyBytes) return textReply(413, 'the message is larger than 1 MB');
  }
  return respond({ headers: request.headers, rawHeaders: request.rawHeaders, body: Buffer.concat(chunks) });
}

function textReply(status: number, body: string): Reply {
  return { status, body, retryAfter: null, date: null };
}

function writeReply(response: ServerResponse, { status, body, retryAfter, date }: Reply): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (retryAfter !== null) response.setHeader('Retry-After', retryAfter);
  // A date in Retry-After is relative to the receiver's Date, so Node must not add its own.
  response.sendDate = false;
  if (date !== null) response.setHeader('Date', date);
  response.end(body);
}
