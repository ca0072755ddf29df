import { setMaxListeners } from 'node:events';
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
import { clearTimeout, setTimeout } from 'node:timers';
import { urlToHttpOptions } from 'node:url';
import { memberOf } from '../lib/json.js';
import type { WebhookOutcome } from '../simulation/state/ports.js';
import { formatFailure } from './failures.js';

/** Maximum size of a stored response body, in bytes. */
const maxResponseBytes = 20_000;

/** A message to post, and how to send it. */
export interface SendOptions {
  readonly target: Target;
  /** Values by name. A header with several values is repeated. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Text is sent as UTF-8, in one piece with the headers. */
  readonly body: Buffer | string;
  /** Agent for kept-alive connections, matching the protocol of the URL. */
  readonly agent: HttpAgent | HttpsAgent;
  /** Real milliseconds. */
  readonly timeoutMs: number;
  /** Returns the reason why a connection must not be used; undefined if it may be used. */
  readonly problemOfConnection: (socket: Socket) => string | undefined;
  /** Aborts the request, or prevents it if it is aborted already. Many messages can share a signal. */
  readonly signal: AbortSignal;
}

/**
 * The parts of a receiver's URL. Parsed once, since parsing a URL takes longer than everything else before a request.
 */
export type Target = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path' | 'method'>;

export function targetOf(url: URL): Target {
  return { ...urlToHttpOptions(url), method: 'POST' };
}

export type SendOutcome = Pick<WebhookOutcome, 'status' | 'error' | 'responseBody' | 'retryAfter' | 'date'>;

/**
 * Posts a body and reads the response. A status that has arrived counts, even if the rest of the response is lost.
 * Never rejects.
 */
export function sendMessage({
  target,
  headers,
  body,
  agent,
  timeoutMs,
  problemOfConnection,
  signal,
}: SendOptions): Promise<SendOutcome> {
  if (signal.aborted) return Promise.resolve(withoutResponse('stopped'));
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let currentRequest: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    let isSettled = false;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (error: string | null): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      // A connection with unread data cannot be reused for the next message.
      if (!response?.complete) currentRequest?.destroy();
      resolve(response ? outcomeOf(response, Buffer.concat(chunks)) : withoutResponse(error));
    };

    const stop = (): void => settle('stopped');

    const read = (incoming: IncomingMessage): void => {
      response = incoming;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxResponseBytes) settle(null);
      });
      incoming.on('end', () => settle(null));
      incoming.on('error', () => settle(null));
    };

    const post = (agentOrNone: HttpAgent | HttpsAgent | false): void => {
      const posting = request({ headers, agent: agentOrNone, ...target });
      currentRequest = posting;
      whenConnected(posting, (socket) => {
        const problem = problemOfConnection(socket);
        if (problem !== undefined) settle(problem);
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
        if (isUnsent(posting, error) && !response) post(false);
        else settle(formatFailure(error));
      });
      posting.end(body);
    };

    const timer = setTimeout(() => settle(`no response within ${timeoutMs / 1_000} s`), timeoutMs);
    // Some versions of Node warn about more than ten listeners on one signal.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop);
    try {
      post(agent);
    } catch (error) {
      // A header may contain characters that cannot be sent.
      settle(formatFailure(error));
    }
  });
}

/** Calls back when a request gets a connection, before the request is sent or the TLS handshake starts. */
function whenConnected(request: ClientRequest, onConnected: (socket: Socket) => void): void {
  request.on('socket', (socket) => {
    if (socket.connecting) socket.prependOnceListener('connect', () => onConnected(socket));
    else onConnected(socket);
  });
}

/**
 * True if a message can be sent again over a new connection. The receiver may have closed a kept-alive connection before
 * it was reused: if the system refuses to send the rest of the message, the receiver cannot have received all of it. A
 * message that was sent completely may have been processed, so its attempt has failed.
 */
function isUnsent({ reusedSocket }: ClientRequest, error: Error): boolean {
  return reusedSocket && memberOf(error, 'syscall') === 'write';
}

/** Result of a message without a response. */
export function withoutResponse(error: string | null): SendOutcome {
  return { status: null, error, responseBody: '', retryAfter: null, date: null };
}

function outcomeOf({ statusCode, headers }: IncomingMessage, body: Buffer): SendOutcome {
  // Drops a character that the limit has cut in two; a character that the receiver left incomplete becomes U+FFFD.
  const isCut = body.length > maxResponseBytes;
  const responseBody = isCut ? new StringDecoder('utf8').write(body.subarray(0, maxResponseBytes)) : body.toString();
  const { 'retry-after': retryAfter = null, date = null } = headers;
  return { status: statusCode ?? null, error: null, responseBody, retryAfter, date };
}
