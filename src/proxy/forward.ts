import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { certificateHint } from '../lib/certificate-hint.js';
import { appliedTransferCodings, endToEndHeaders, headerPairs } from '../lib/end-to-end-headers.js';
import { errorCode, isError } from '../lib/errors.js';
import { createAgent, isClosedConnection } from '../lib/keep-alive.js';
import { Capture } from './capture.js';
import { headerOf, type ProxiedRequest, type ProxiedResponse, type RawHeaders } from './exchange.js';
import { readAhead } from './read-ahead.js';
import type { Destination, UpstreamPaths } from './upstream-paths.js';

export interface ForwarderOptions {
  readonly upstream: URL;
  readonly paths: UpstreamPaths;
  /** Time without data from the upstream after which a request fails. */
  readonly timeoutMs: number;
  /** Called with each exchange between a client and the service; returns the value of X-Sim-Deviations, if any. */
  readonly check: (request: ProxiedRequest, response: ProxiedResponse) => Promise<string | undefined>;
  /** Called with each request that got no complete response from the upstream, and the reason. */
  readonly onUnanswered: (method: string, destination: Destination, reason: string) => void;
}

/**
 * Maximum size, in bytes, of responses that are held back until they are checked, so that a header can report the
 * result. Larger ones are forwarded as they arrive.
 */
const maxHeldBytes = 65_536;

/** Maximum time to hold back a response of unknown length, in milliseconds: streams are forwarded as they arrive. */
const maxHoldMs = 500;

/**
 * Maximum size of headers, in bytes: four times the default of Node, so that the proxy refuses hardly anything that
 * client and service could exchange directly.
 */
export const maxHeaderBytes = 65_536;

const deviationsHeader = 'X-Sim-Deviations';

/** Forwards requests to an upstream, and its responses back. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #agent: http.Agent;
  readonly #pending = new Set<Promise<void>>();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    // Idle connections are closed early: if the upstream closed one just as it was used again, that request would fail.
    this.#agent = createAgent(options.upstream.protocol, { keepAlive: true, timeout: 2_000 });
  }

  /** Forwards a request to the upstream, and the upstream's response to the client. */
  forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const destination = this.#options.paths.destination(request.url ?? '/');
    const exchange = { request, requestBody: new Capture(), destination, response };
    send(request, this.#start(exchange, this.#agent), exchange.requestBody);
  }

  /** Waits until all responses have been forwarded and checked, and then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#pending);
    this.#agent.destroy();
  }

  /**
   * Starts the request to the upstream, without its body, and handles its response and errors.
   * @param agent `false` to open a connection for this request only
   */
  #start(exchange: StartedExchange, agent: http.Agent | false): http.ClientRequest {
    const { request, destination, response } = exchange;
    const upstreamRequest = this.#open(request, destination.path, agent);
    let upstreamResponse: http.IncomingMessage | undefined;
    let bytesReadBefore: number | undefined;
    upstreamRequest.once('socket', ({ bytesRead }) => {
      bytesReadBefore = bytesRead;
    });
    upstreamRequest.once('response', (incoming) => {
      upstreamResponse = incoming;
      if (incoming.statusCode === 204) {
        // Node 20.19 would wait for the body of a 204 whose headers announce chunks.
        incoming.push(null);
        // If a body follows nevertheless, the next response on this connection would be unreadable.
        if (incoming.headers['transfer-encoding'] !== undefined) upstreamRequest.shouldKeepAlive = false;
      }
      const forwarded = this.#forwardResponse({ ...exchange, upstreamResponse: incoming });
      this.#pending.add(forwarded);
      void forwarded.finally(() => this.#pending.delete(forwarded));
    });
    // `Upgrade` is not forwarded, so no request asks for another protocol. If the upstream switches to one anyway, this
    // listener reports it; without a listener, Node would close the connection without an error.
    upstreamRequest.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      this.#fail(exchange, new Error('it switched to another protocol'));
    });
    upstreamRequest.on('information', (information) => forwardInformational(information, request, response));
    upstreamRequest.on('error', (error) => {
      // Once a response has begun, `#forwardResponse` handles all errors, even those of the rest of the request.
      if (upstreamResponse || response.destroyed) return;
      const hasNoResponse = upstreamRequest.socket?.bytesRead === bytesReadBefore;
      // The upstream may have closed the connection before it was reused, so a safe request is repeated over a new one.
      if (upstreamRequest.reusedSocket && hasNoResponse && isClosedConnection(error) && isRepeatable(request))
        this.#start(exchange, false).end();
      // The client has ended its side of the connection, and the upstream has closed its own because of that.
      else if (request.socket.readableEnded && isClosedConnection(error)) response.destroy();
      else this.#fail(exchange, error);
    });
    upstreamRequest.on('timeout', () => {
      // The upstream is not to blame, so its time starts again.
      if (isWaitingForClient(request, upstreamRequest, response))
        upstreamRequest.socket?.setTimeout(this.#options.timeoutMs);
      else (upstreamResponse ?? upstreamRequest).destroy(new UpstreamTimeout(this.#options.timeoutMs));
    });
    // A client that ends its side of the connection may wait for the response, or have gone: the upstream decides.
    const endUpstreamWithClient = (): void => {
      if (request.socket.readableEnded && upstreamRequest.writableFinished) upstreamRequest.socket?.end();
    };
    // A client may send many requests at once, each of which adds a listener.
    request.socket.setMaxListeners(0).once('end', endUpstreamWithClient);
    upstreamRequest.once('finish', endUpstreamWithClient);
    upstreamRequest.on('close', () => {
      request.socket.off('end', endUpstreamWithClient);
      // The response may arrive before the request has ended; the rest of the request is discarded.
      request.unpipe(upstreamRequest).resume();
    });
    response.on('close', () => {
      if (!response.writableFinished) upstreamRequest.destroy();
    });
    return upstreamRequest;
  }

  /** Creates the request to the upstream, with its headers. */
  #open(request: http.IncomingMessage, path: string, agent: http.Agent | false): http.ClientRequest {
    const { upstream, timeoutMs } = this.#options;
    const { request: open } = upstream.protocol === 'https:' ? https : http;
    const { 'transfer-encoding': transferCodings } = request.headers;
    const upstreamRequest = open({
      host: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port,
      method: request.method,
      path,
      agent,
      timeout: timeoutMs,
      setHost: false,
      maxHeaderSize: maxHeaderBytes,
      rejectUnauthorized: true,
    });
    upstreamRequest.setHeader('Host', upstream.host);
    // Only a chunked body can have trailers.
    const without = transferCodings === undefined ? ['host', 'trailer'] : ['host'];
    for (const [name, value] of endToEndHeaders(request.rawHeaders, without)) upstreamRequest.appendHeader(name, value);
    // Only `chunked`, the last coding, is decoded here and applied again; others, such as `gzip`, remain on the body.
    if (transferCodings !== undefined) upstreamRequest.setHeader('Transfer-Encoding', transferCodings);
    else {
      // By default, Node would send a POST without a body as an empty chunked body.
      upstreamRequest.useChunkedEncodingByDefault = false;
      upstreamRequest.removeHeader('Transfer-Encoding');
    }
    return upstreamRequest;
  }

  async #forwardResponse(exchange: ForwardedExchange): Promise<void> {
    const { request, destination, upstreamResponse, response } = exchange;
    response.sendDate = false;
    let hasUpstreamFailed = false;
    upstreamResponse.once('error', () => {
      // If the client has disconnected or ended its side of the connection, the upstream is not to blame.
      hasUpstreamFailed = !response.destroyed && !request.socket.readableEnded;
    });
    try {
      const size = lengthOf(upstreamResponse, request);
      if (!destination.serviceRequest || (size ?? 0) > maxHeldBytes) {
        await this.#forwardStreamed(exchange, []);
        return;
      }
      const { chunks, isWhole } = await readAhead(
        upstreamResponse,
        maxHeldBytes,
        size === undefined ? maxHoldMs : undefined,
      );
      if (isWhole) await this.#forwardBuffered(exchange, Buffer.concat(chunks));
      else await this.#forwardStreamed(exchange, chunks);
    } catch (error) {
      const hasTimedOut = error instanceof UpstreamTimeout;
      if (!response.headersSent && !response.destroyed && (hasUpstreamFailed || hasTimedOut)) {
        this.#fail(exchange, error);
        return;
      }
      if (hasUpstreamFailed) {
        const reason = hasTimedOut
          ? error.message
          : 'the upstream closed the connection before the end of its response';
        this.#options.onUnanswered(request.method ?? '', destination, reason);
      }
      response.destroy();
    }
  }

  /** Forwards a response after checking it, with the result of the check in a header. */
  async #forwardBuffered(exchange: ForwardedExchange, body: Buffer): Promise<void> {
    const { request, upstreamResponse, response } = exchange;
    const headerValue = await this.#check(exchange, body);
    const hasTrailers = canHaveTrailers(upstreamResponse, request);
    response.writeHead(upstreamResponse.statusCode ?? 0, upstreamResponse.statusMessage ?? '', [
      ...responseHeaders(upstreamResponse, hasTrailers),
      ...(headerValue === undefined ? [] : [deviationsHeader, headerValue]),
    ]);
    if (hasTrailers) response.addTrailers(headerPairs(upstreamResponse.rawTrailers));
    response.end(body);
  }

  /**
   * Forwards a response as it arrives, beginning with the chunks that were read ahead. Checks it at its end, with the
   * result in a trailer if the client accepts trailers.
   */
  async #forwardStreamed(exchange: ForwardedExchange, chunksRead: readonly Buffer[]): Promise<void> {
    const { request, destination, upstreamResponse, response } = exchange;
    const body = new Capture();
    for (const chunk of chunksRead) body.add(chunk);
    upstreamResponse.on('data', (chunk: Buffer) => body.add(chunk));
    upstreamResponse.on('end', () => body.end());
    const hasTrailers = canHaveTrailers(upstreamResponse, request);
    const reportsInTrailer =
      hasTrailers &&
      destination.serviceRequest !== undefined &&
      /\btrailers\b/i.test(headerOf(request.rawHeaders, 'TE') ?? '');
    response.writeHead(upstreamResponse.statusCode ?? 0, upstreamResponse.statusMessage ?? '', [
      ...responseHeaders(upstreamResponse, hasTrailers),
      ...(reportsInTrailer ? ['Trailer', deviationsHeader] : []),
    ]);
    for (const chunk of chunksRead) response.write(chunk);
    await pipeline(upstreamResponse, response, { end: false });
    const checked = destination.serviceRequest ? this.#check(exchange, body.body) : undefined;
    const headerValue = reportsInTrailer ? await checked : undefined;
    if (hasTrailers) {
      const trailers = headerPairs(upstreamResponse.rawTrailers);
      if (headerValue !== undefined) trailers.push([deviationsHeader, headerValue]);
      response.addTrailers(trailers);
    }
    response.end();
    await checked;
  }

  async #check(
    { request, requestBody, destination, upstreamResponse }: ForwardedExchange,
    body: ProxiedResponse['body'],
  ): Promise<string | undefined> {
    if (!destination.serviceRequest) return undefined;
    const { method = '', rawHeaders } = request;
    return this.#options.check(
      { method, ...destination.serviceRequest, headers: rawHeaders, body: requestBody.body },
      { status: upstreamResponse.statusCode ?? 0, headers: upstreamResponse.rawHeaders, body },
    );
  }

  /** Reports that a request got no response, and responds to the client with 502, or 504 after a timeout. */
  #fail({ request, destination, response }: StartedExchange, error: unknown): void {
    const reason = reasonOf(error);
    this.#options.onUnanswered(request.method ?? '', destination, reason);
    const status = error instanceof UpstreamTimeout ? 504 : 502;
    respondWithText(
      response,
      status,
      `billing-sim proxy: ${this.#options.upstream.origin} did not respond (${reason})`,
    );
  }
}

interface StartedExchange {
  readonly request: http.IncomingMessage;
  readonly requestBody: Capture;
  readonly destination: Destination;
  /** Response to the client. */
  readonly response: http.ServerResponse;
}

interface ForwardedExchange extends StartedExchange {
  readonly upstreamResponse: http.IncomingMessage;
}

/** Responds with a line of text from the proxy itself. */
export function respondWithText(response: http.ServerResponse, status: number, line: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${line}\n`);
}

/** Sends the body and the trailers of a request to the upstream, and captures the body. */
function send(request: http.IncomingMessage, upstreamRequest: http.ClientRequest, requestBody: Capture): void {
  request.on('data', (chunk: Buffer) => requestBody.add(chunk));
  request.on('end', () => {
    requestBody.end();
    if (upstreamRequest.chunkedEncoding) upstreamRequest.addTrailers(headerPairs(request.rawTrailers));
    upstreamRequest.end();
  });
  // An empty write sends the headers now: a client may wait for 100 Continue, which the upstream sends after them.
  // `flushHeaders` would encode them in UTF-8, which changes non-ASCII bytes.
  if (hasBody(request)) upstreamRequest.write(Buffer.alloc(0));
  request.pipe(upstreamRequest, { end: false });
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Returns true if a request can be repeated: its method is safe, and it has no body, which would have to be stored. */
function isRepeatable(request: http.IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

class UpstreamTimeout extends Error {
  constructor(milliseconds: number) {
    super(`timed out after ${milliseconds / 1_000} s`);
  }
}

/**
 * Returns true if the upstream is silent only because it waits for the client: to send the rest of its request, or to
 * read more of the response.
 */
function isWaitingForClient(
  request: http.IncomingMessage,
  upstreamRequest: http.ClientRequest,
  response: http.ServerResponse,
): boolean {
  const isSent = upstreamRequest.socket?.connecting === false && upstreamRequest.writableLength === 0;
  // With an `Expect` header, the client waits for the upstream before it sends the body.
  return response.writableNeedDrain || (!request.complete && isSent && request.headers.expect === undefined);
}

/** Size of a response body in bytes; undefined if the headers do not contain it. */
function lengthOf(upstreamResponse: http.IncomingMessage, request: http.IncomingMessage): number | undefined {
  if (isBodiless(upstreamResponse, request)) return 0;
  const length = upstreamResponse.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Returns true if a response has no body, whatever its headers say about one (RFC 9112, 6.3). */
function isBodiless({ statusCode }: http.IncomingMessage, { method }: http.IncomingMessage): boolean {
  return method === 'HEAD' || statusCode === 204 || statusCode === 304;
}

/**
 * Returns true if a response may have trailers: only a chunked body can, and clients of HTTP/1.0 cannot receive them.
 * Node refuses to send a `Trailer` header with any other response.
 */
function canHaveTrailers(upstreamResponse: http.IncomingMessage, request: http.IncomingMessage): boolean {
  const isChunked = upstreamResponse.headers['transfer-encoding'] !== undefined;
  return isChunked && request.httpVersion === '1.1' && !isBodiless(upstreamResponse, request);
}

/**
 * Returns the headers of a response to forward, as alternating names and values. Clients of HTTP/1.0 do not learn about a
 * transfer coding such as `gzip`, since they know none.
 * @param isChunked true if the response is forwarded in chunks, and may have trailers
 */
function responseHeaders({ headers, rawHeaders }: http.IncomingMessage, isChunked: boolean): string[] {
  if (!isChunked) return endToEndHeaders(rawHeaders, ['trailer']).flat();
  const codings = appliedTransferCodings(headers['transfer-encoding']);
  return [
    ...(codings.length === 0 ? [] : ['Transfer-Encoding', [...codings, 'chunked'].join(', ')]),
    ...endToEndHeaders(rawHeaders).flat(),
  ];
}

/** Forwards an informational response (100 to 199). */
function forwardInformational(
  { statusCode, statusMessage, rawHeaders }: http.InformationEvent,
  { httpVersion }: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  if (httpVersion !== '1.1' || response.headersSent) return;
  if (statusCode === 100) response.writeContinue();
  else response.socket?.write(informationalResponse(statusCode, statusMessage, rawHeaders), 'latin1');
}

function informationalResponse(status: number, message: string, headers: RawHeaders): string {
  const lines = endToEndHeaders(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n`;
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  const message = isError(error) ? error.message.split('\n')[0] : String(error);
  const reason =
    code === undefined || message?.includes(code) ? (message ?? '') : [code, message].filter(Boolean).join(': ');
  const hint = certificateHint(reason);
  return hint === undefined ? reason : `${hint}: ${reason}`;
}
