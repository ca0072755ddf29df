import {
  type ClientRequest,
  type Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { urlToHttpOptions } from 'node:url';
import { errorCode } from '../lib/error-code.js';
import type { WebhookOutcome } from '../simulation/state/ports.js';
import { formatFailure } from './failures.js';

/** Bytes of a response that are stored. */
const maxAnswerBytes = 20_000;

export interface Exchange {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8, in one piece with the headers. */
  readonly body: Buffer | string;
  /** Agent for kept-alive connections, matching the protocol of the URL. */
  readonly agent: HttpAgent | HttpsAgent;
  /** Real milliseconds. */
  readonly timeoutMs: number;
  /** Why a new connection must not be used; undefined if it may be. */
  readonly refuse: (socket: Socket) => string | undefined;
  /** Registers a function to call when sending must stop. @returns unregisters it */
  readonly onStop: (callback: () => void) => () => void;
}

/** Where to send requests; taking a URL apart for each of them would take longer than the rest of their preparation. */
export type Target = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path' | 'method'>;

export function targetOf(url: URL): Target {
  return { ...urlToHttpOptions(url), method: 'POST' };
}

export type ExchangeOutcome = Pick<WebhookOutcome, 'status' | 'error' | 'answer' | 'retryAfter'>;

/**
 * Posts a body and reads the response. Once a status arrived it counts, whatever happens to the rest of the response.
 * Never rejects.
 */
export function exchange({
  target,
  headers,
  body,
  agent,
  timeoutMs,
  refuse,
  onStop,
}: Exchange): Promise<ExchangeOutcome> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let call: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    let isSettled = false;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (error: string | null): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      unregister();
      // A connection with unread data cannot be reused for the next message.
      if (!response?.complete) call?.destroy();
      resolve(response ? outcomeOf(response, Buffer.concat(chunks)) : withoutResponse(error));
    };

    const read = (incoming: IncomingMessage): void => {
      response = incoming;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxAnswerBytes) settle(null);
      });
      incoming.on('end', () => settle(null));
      incoming.on('error', () => settle(null));
    };

    const post = (agentOrNone: HttpAgent | HttpsAgent | false): void => {
      const posting = request({ ...target, headers, agent: agentOrNone });
      call = posting;
      posting.on('socket', (socket) => {
        const checkConnection = (): void => {
          const problem = refuse(socket);
          if (problem !== undefined) settle(problem);
        };
        // Before the listeners that start sending: the request, or the TLS handshake.
        if (socket.connecting) socket.prependOnceListener('connect', checkConnection);
        else checkConnection();
      });
      posting.on('response', read);
      // An unrequested 101: Node hands over the connection, which we must close.
      posting.on('upgrade', (incoming, socket) => {
        socket.destroy();
        response = incoming;
        settle(null);
      });
      posting.on('error', (error) => {
        if (isSettled) return;
        // A kept-alive connection that the receiver closed at the same moment; after its FIN the reset is an EPIPE.
        const isStale = posting.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(errorCode(error) ?? '');
        if (isStale && !response) post(false);
        else settle(formatFailure(error));
      });
      posting.end(body);
    };

    const timer = setTimeout(() => settle(`no answer within ${timeoutMs / 1_000} s`), timeoutMs);
    const unregister = onStop(() => settle('stopped'));
    try {
      post(agent);
    } catch (error) {
      // Headers that cannot be sent.
      settle(formatFailure(error));
    }
  });
}

/** Result of a message without a response. */
export function withoutResponse(error: string | null): ExchangeOutcome {
  return { status: null, error, answer: '', retryAfter: null };
}

function outcomeOf({ statusCode, headers }: IncomingMessage, body: Buffer): ExchangeOutcome {
  // Drops a character that was cut by the limit; one that the receiver left incomplete shows as U+FFFD.
  const isCut = body.length > maxAnswerBytes;
  const answer = isCut ? new StringDecoder('utf8').write(body.subarray(0, maxAnswerBytes)) : body.toString();
  return { status: statusCode ?? null, error: null, answer, retryAfter: headers['retry-after'] ?? null };
}
