import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isLoopback } from '../domain/hosts.js';
import type { SendWebhook } from '../simulation/state/ports.js';
import { type Answered, type Exchange, exchange, unanswered } from './exchange.js';
import { headersOf } from './signature.js';
import { refuseWebhookUrl, selfUrl } from './url.js';

/** How long a receiver may take to respond (gap event.retries). */
const responseTimeoutMs = 15_000;

export interface WebhookSenderOptions {
  /** Port of the simulator itself, once it listens: nothing is sent there. */
  readonly ownPort: () => number | undefined;
  /** Real milliseconds that a receiver may take to respond. */
  readonly timeout?: number;
}

export interface WebhookSender {
  readonly send: SendWebhook;
  /** Aborts current requests and closes the connections. */
  close(): void;
}

/** Sends webhook messages over HTTP with kept-alive connections. Callers limit the concurrency. */
export function createWebhookSender({ ownPort, timeout = responseTimeoutMs }: WebhookSenderOptions): WebhookSender {
  // The connection used last is the least likely to have been closed meanwhile.
  const settings = { keepAlive: true, noDelay: true, scheduling: 'lifo' } as const;
  const http = new HttpAgent(settings);
  const https = new HttpsAgent(settings);
  const underWay = new Set<() => void>();
  let isClosed = false;

  const refuse = (socket: Socket): string | undefined => (leadsTo(socket, ownPort()) ? selfUrl : undefined);

  // Cached, since nearly all messages go to the same URL.
  let last: { readonly to: string; readonly port: number | undefined; readonly target: URL | string } | undefined;
  /** Parses a URL; returns the reason if nothing may be sent there. */
  const targetOf = (to: string): URL | string => {
    const port = ownPort();
    if (last?.to !== to || last.port !== port) {
      last = { to, port, target: refuseWebhookUrl(to, { port }) ?? new URL(to) };
    }
    return last.target;
  };

  const onStopOf = (stop: AbortSignal): Exchange['onStop'] => {
    // One signal may stop any number of deliveries; Node would warn about a leak at eleven.
    setMaxListeners(0, stop);
    return (callback) => {
      stop.addEventListener('abort', callback);
      underWay.add(callback);
      return () => {
        stop.removeEventListener('abort', callback);
        underWay.delete(callback);
      };
    };
  };

  const post = async (
    to: string,
    message: Pick<Exchange, 'headers' | 'body'>,
    stop: AbortSignal,
  ): Promise<Answered> => {
    if (stop.aborted || isClosed) return unanswered('stopped');
    const url = targetOf(to);
    if (typeof url === 'string') return unanswered(url);
    const agent = url.protocol === 'https:' ? https : http;
    return exchange({ ...message, url, agent, timeout, refuse, onStop: onStopOf(stop) });
  };

  return {
    async send(request, stop) {
      const start = performance.now();
      // The signed bytes must be the sent bytes.
      const body = Buffer.from(request.body);
      const headers = {
        ...(request.headers ?? headersOf({ ...request, body })),
        'Content-Length': String(body.length),
      };
      const answered = await post(request.url, { headers, body }, stop);
      return { headers, ...answered, milliseconds: Math.round(performance.now() - start) };
    },
    close() {
      isClosed = true;
      for (const stop of underWay) stop();
      http.destroy();
      https.destroy();
    },
  };
}

/** Whether a connection leads to a port of this machine, whatever its host name. */
export function leadsTo({ remotePort, remoteAddress = '', localAddress }: Socket, port: number | undefined): boolean {
  if (port === undefined || remotePort !== port) return false;
  // From 127.0.0.1, all of 127.0.0.0/8 is reachable.
  return localAddress === remoteAddress || isLoopback(remoteAddress.replace(/^::ffff:/, ''));
}
