import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isLoopback } from '../lib/loopback.js';
import type { SendWebhook } from '../simulation/state/ports.js';
import { headersOf } from './message-headers.js';
import { sendMessage, type Target, targetOf, withoutResponse } from './send-message.js';
import { selfUrlProblem, webhookUrlProblem } from './url.js';

/** Default time in which a receiver must respond, in milliseconds (gap event.retries). */
const responseTimeoutMs = 15_000;

/**
 * Real milliseconds after which a connection without messages is closed. Short, since an app that is closed while it
 * handles a message, as at the end of a test, waits until the connection of the message is closed, too.
 */
const idleTimeoutMs = 100;

export interface WebhookSenderOptions {
  /** Returns the simulator's own port, to which no webhook is sent; undefined until it listens. */
  readonly ownPort: () => number | undefined;
  /** Time in which a receiver must respond, in real milliseconds. */
  readonly timeoutMs?: number;
}

export interface WebhookSender {
  readonly send: SendWebhook;
  /** Closes the connections. Messages in progress must have been aborted by their signals. */
  close(): void;
}

/** Sends webhook messages over HTTP with kept-alive connections. Callers limit the concurrency. */
export function createWebhookSender({ ownPort, timeoutMs = responseTimeoutMs }: WebhookSenderOptions): WebhookSender {
  // The most recently used connection is the least likely to have been closed by the receiver.
  const settings = { keepAlive: true, timeout: idleTimeoutMs, noDelay: true, scheduling: 'lifo' } as const;
  const http = new HttpAgent(settings);
  const https = new HttpsAgent(settings);

  const problemOfConnection = (socket: Socket): string | undefined =>
    isConnectedToLocalPort(socket, ownPort()) ? selfUrlProblem : undefined;

  // Cached, since nearly all messages go to the same URL.
  let lastTarget:
    | { readonly to: string; readonly port: number | undefined; readonly target: Target | string }
    | undefined;
  /** Parses a URL; returns the reason if nothing may be sent there. */
  const readTarget = (to: string): Target | string => {
    const port = ownPort();
    if (lastTarget?.to !== to || lastTarget.port !== port) {
      lastTarget = { to, port, target: webhookUrlProblem(to, { port }) ?? targetOf(new URL(to)) };
    }
    return lastTarget.target;
  };

  return {
    async send(request, signal) {
      const start = performance.now();
      // `headersOf` signs this body, so exactly these bytes must be sent.
      const { body } = request;
      const lengthHeader = { 'Content-Length': String(Buffer.byteLength(body)) };
      const headers = Object.assign({}, request.headers ?? headersOf(request), lengthHeader);
      const targetOrProblem = readTarget(request.url);
      const outcome =
        typeof targetOrProblem === 'string'
          ? withoutResponse(targetOrProblem)
          : await sendMessage({
              target: targetOrProblem,
              headers,
              body,
              agent: targetOrProblem.protocol === 'https:' ? https : http,
              timeoutMs,
              problemOfConnection,
              signal,
            });
      return { headers, ...outcome, milliseconds: Math.round(performance.now() - start) };
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Returns true if a connection leads to a port of this machine, whatever host name was used. */
export function isConnectedToLocalPort(
  { remotePort, remoteAddress = '', localAddress }: Socket,
  port: number | undefined,
): boolean {
  if (port === undefined || remotePort !== port) return false;
  // The other addresses of 127.0.0.0/8, such as 127.0.0.2, lead to this machine, too.
  return localAddress === remoteAddress || isLoopback(remoteAddress.replace(/^::ffff:/, ''));
}
