import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Options } from '../second/options.js';
import { type Second, startSecond } from '../second/second.js';

/** Response of a target, abbreviated. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
}

/** A server on a free port of 127.0.0.1 that is gone after the test; gives the base URL of a service there. */
export async function serve(listener: RequestListener): Promise<string> {
  return `${await listen(createServer(listener))}/api/v1`;
}

/** Like `serve`, with the same reply to every request. */
export function serveAlways({ status = 200, headers = {}, body }: Reply): Promise<string> {
  return serve((_request, response) => {
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
}

/** Has a server listen until the test is over; gives where. */
export async function listen(server: Server, protocol: 'http' | 'https' = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return `${protocol}://127.0.0.1:${address.port}`;
}

/** A port that nothing listens on: it was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

/** The second implementation, written independently from the specification; it is gone after the test. */
export async function serveSecond(options: Options = {}): Promise<Second> {
  const second = await startSecond(options);
  onTestFinished(() => second.close());
  return second;
}

/** Passes a request without a body on to another service, with the token of that, and its response back. */
export async function passOn(
  { baseUrl, tokens }: Second,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await fetch(baseUrl + request.url?.replace('/api/v1', ''), {
    headers: { Authorization: `Bearer ${tokens.full}` },
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}
