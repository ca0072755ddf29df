import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Options } from '../second-implementation/options.js';
import { type SecondImplementation, startSecondImplementation } from '../second-implementation/server.js';
import { listenUntilTestEnds } from '../support/listen-until-test-ends.js';

/** Response of a target, which is a server that the contract suite checks. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
}

/** Starts a server on a free port of 127.0.0.1, closes it after the test, and returns its base URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const { url } = await listenUntilTestEnds(createServer(listener));
  return `${url}/api/v1`;
}

/** Like `serve`, with the same response to every request. */
export function serveAlways({ status = 200, headers = {}, body }: Reply): Promise<string> {
  return serve((_request, response) => {
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  });
}

/**
 * Starts the second implementation, which was written from the specification, independently of the simulator. Stops it
 * after the test.
 */
export async function serveSecondImplementation(options: Options = {}): Promise<SecondImplementation> {
  const service = await startSecondImplementation(options);
  onTestFinished(() => service.close());
  return service;
}

/**
 * Forwards a request to another service, as a GET without a body and with a token of that service, and sends the
 * service's response.
 * @param withoutHeaders names of headers to leave out of the response
 */
export async function forwardRequest(
  { baseUrl, tokens }: SecondImplementation,
  request: IncomingMessage,
  response: ServerResponse,
  withoutHeaders: readonly string[] = [],
): Promise<void> {
  const forwarded = await fetch(baseUrl + request.url?.replace('/api/v1', ''), {
    headers: { Authorization: `Bearer ${tokens.full}` },
  });
  const headers = [...forwarded.headers].filter(([name]) => !withoutHeaders.includes(name));
  response.writeHead(forwarded.status, Object.fromEntries(headers)).end(await forwarded.text());
}
