import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../lib/error-code.js';
import { Capture } from './capture.js';
import { headerOf, type ProxiedRequest, type ProxiedResponse, type RawHeaders } from './exchange.js';
import { endToEnd, pairsOf } from './headers.js';
import { readAhead } from './read-ahead.js';
import type { Lead, Target } from './target.js';

export interface ForwarderOptions {
  readonly upstream: URL;
  readonly target: Target;
  /** How long the upstream may send nothing before it is given up, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with each exchange with the service; returns the value of X-Sim-Departures, if any. */
  readonly judge: (asked: ProxiedRequest, answered: ProxiedResponse) => Promise<string | undefined>;
  /** Called with each request that the upstream did not answer, and the reason. */
  readonly onUnanswered: (method: string, lead: Lead, reason: string) => void;
}

/** In bytes: up to this an answer is held back until it is checked, so that a header can tell what came of it. */
const largestHeld = 65_536;

/** For how long an answer of unknown length is held back, in milliseconds: one that is streamed goes through as it comes. */
const longestHeldMs = 500;

/** In bytes. Four times what Node takes by itself: what an upstream may send is for its client to say. */
export const largestHead = 65_536;

const header = 'X-Sim-Departures';

/** Passes requests on to an upstream, and its answers back. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #agent: http.Agent;
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    // Idle connections are closed before the other side may do so, as a request could meet that.
    const idle = { keepAlive: true, timeout: 2_000 };
    this.#agent = options.upstream.protocol === 'https:' ? new https.Agent(idle) : new http.Agent(idle);
  }

  pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const lead = this.#options.target.lead(request.url ?? '/');
    const upstream = this.#open(request, lead.path);
    const sent = new Capture();
    let answered: http.IncomingMessage | undefined;
    upstream.once('response', (answer) => {
      answered = answer;
      const passed = this.#passBack({ request, sent, lead, answer, response });
      this.#underWay.add(passed);
      void passed.finally(() => this.#underWay.delete(passed));
    });
    upstream.on('information', (information) => passInformation(information, request, response));
    upstream.on('error', (error) => {
      // What breaks off an answer, or the rest of a request that is answered, is seen where it is passed back.
      if (!answered && !response.destroyed) this.#fail(request, lead, response, error);
    });
    upstream.on('timeout', () => {
      if (isClientAwaited(request, upstream, response)) upstream.socket?.setTimeout(this.#options.timeoutMs);
      else (answered ?? upstream).destroy(new UpstreamTimeout(this.#options.timeoutMs));
    });
    // An answer may come before the request has ended; the rest of that goes nowhere.
    upstream.on('close', () => request.unpipe(upstream).resume());
    response.on('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    send(request, upstream, sent);
  }

  /** Settles once all responses have been checked, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }

  #open(request: http.IncomingMessage, path: string): http.ClientRequest {
    const { upstream, timeoutMs } = this.#options;
    const { request: open } = upstream.protocol === 'https:' ? https : http;
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const opened = open({
      host: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port,
      method: request.method,
      path,
      agent: this.#agent,
      timeout: timeoutMs,
      setHost: false,
      maxHeaderSize: largestHead,
      rejectUnauthorized: true,
    });
    opened.setHeader('Host', upstream.host);
    const without = isChunked ? ['host'] : ['host', 'trailer'];
    for (const [name, value] of endToEnd(request.rawHeaders, without)) opened.appendHeader(name, value);
    if (isChunked) opened.setHeader('Transfer-Encoding', 'chunked');
    else {
      // Else a POST without a body would become one with an empty body.
      opened.useChunkedEncodingByDefault = false;
      opened.removeHeader('Transfer-Encoding');
    }
    return opened;
  }

  async #passBack(passage: Passage): Promise<void> {
    const { request, lead, answer, response } = passage;
    response.sendDate = false;
    let isBrokenOff = false;
    answer.once('error', () => {
      // Where the client has gone, the upstream is not to blame.
      isBrokenOff = !response.destroyed;
    });
    try {
      const size = lengthOf(answer, request);
      if (!lead.service || (size ?? 0) > largestHeld) {
        await this.#passAlong(passage, []);
        return;
      }
      const { chunks, isWhole } = await readAhead(answer, largestHeld, size === undefined ? longestHeldMs : undefined);
      if (isWhole) await this.#passWhole(passage, Buffer.concat(chunks));
      else await this.#passAlong(passage, chunks);
    } catch (error) {
      if (!response.headersSent && !response.destroyed) {
        this.#fail(request, lead, response, error);
        return;
      }
      if (isBrokenOff) {
        const reason = error instanceof UpstreamTimeout ? error.message : 'it broke its answer off';
        this.#options.onUnanswered(request.method ?? '', lead, reason);
      }
      response.destroy();
    }
  }

  /** An answer that is judged before the client has it. */
  async #passWhole(passage: Passage, body: Buffer): Promise<void> {
    const { request, answer, response } = passage;
    const told = await this.#judge(passage, body);
    const hasTrailers = canHaveTrailers(answer, request);
    response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', [
      ...endToEnd(answer.rawHeaders, hasTrailers ? [] : ['trailer']).flat(),
      ...(told === undefined ? [] : [header, told]),
    ]);
    if (hasTrailers) response.addTrailers(pairsOf(answer.rawTrailers));
    response.end(body);
  }

  /** An answer that goes through as it comes, after the chunks that were read ahead. */
  async #passAlong(passage: Passage, ahead: readonly Buffer[]): Promise<void> {
    const { request, lead, answer, response } = passage;
    const body = new Capture();
    for (const chunk of ahead) body.add(chunk);
    answer.on('data', (chunk: Buffer) => body.add(chunk));
    answer.on('end', () => body.end());
    const hasTrailers = canHaveTrailers(answer, request);
    const tells =
      hasTrailers && lead.service !== undefined && /\btrailers\b/i.test(headerOf(request.rawHeaders, 'TE') ?? '');
    response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', [
      ...endToEnd(answer.rawHeaders, hasTrailers ? [] : ['trailer']).flat(),
      ...(tells ? ['Trailer', header] : []),
    ]);
    for (const chunk of ahead) response.write(chunk);
    await pipeline(answer, response, { end: false });
    const judged = lead.service ? this.#judge(passage, body.body) : undefined;
    const told = tells ? await judged : undefined;
    if (hasTrailers) {
      response.addTrailers([...pairsOf(answer.rawTrailers), ...(told === undefined ? [] : [pair(header, told)])]);
    }
    response.end();
    await judged;
  }

  async #judge({ request, sent, lead, answer }: Passage, body: ProxiedResponse['body']): Promise<string | undefined> {
    if (!lead.service) return undefined;
    const { method = '', rawHeaders } = request;
    return this.#options.judge(
      { method, ...lead.service, headers: rawHeaders, body: sent.body },
      { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body },
    );
  }

  #fail({ method = '' }: http.IncomingMessage, lead: Lead, response: http.ServerResponse, error: unknown): void {
    const reason = reasonOf(error);
    this.#options.onUnanswered(method, lead, reason);
    const status = error instanceof UpstreamTimeout ? 504 : 502;
    answerPlainly(response, status, `billing-sim proxy: ${this.#options.upstream.origin} did not answer (${reason})`);
  }
}

interface Passage {
  readonly request: http.IncomingMessage;
  readonly sent: Capture;
  readonly lead: Lead;
  readonly answer: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

/** An answer of the proxy itself: one line. */
export function answerPlainly(response: http.ServerResponse, status: number, line: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${line}\n`);
}

function send(request: http.IncomingMessage, upstream: http.ClientRequest, sent: Capture): void {
  request.on('data', (chunk: Buffer) => sent.add(chunk));
  request.on('end', () => {
    sent.end();
    if (upstream.chunkedEncoding) upstream.addTrailers(pairsOf(request.rawTrailers));
    upstream.end();
  });
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  // A client may wait for 100 before it sends the body, which the upstream says once it has the head. `flushHeaders` would
  // write it in UTF-8, where bytes beyond ASCII are to stay single.
  if (length !== '0' || encoding !== undefined) upstream.write(Buffer.alloc(0));
  request.pipe(upstream, { end: false });
}

class UpstreamTimeout extends Error {
  constructor(milliseconds: number) {
    super(`timed out after ${milliseconds / 1_000} s`);
  }
}

/** Whether nothing comes from the upstream because the client does not send the rest of its request, or does not read. */
function isClientAwaited(
  request: http.IncomingMessage,
  upstream: http.ClientRequest,
  response: http.ServerResponse,
): boolean {
  const isSent = upstream.socket?.connecting === false && upstream.writableLength === 0;
  return response.writableNeedDrain || (!request.complete && isSent && request.headers.expect === undefined);
}

/** The number of bytes of an answer's body, as far as its head says it. */
function lengthOf({ statusCode, headers }: http.IncomingMessage, { method }: http.IncomingMessage): number | undefined {
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0;
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function canHaveTrailers(answer: http.IncomingMessage, request: http.IncomingMessage): boolean {
  return answer.headers['transfer-encoding'] !== undefined && request.httpVersion === '1.1';
}

/** Passes an answer of 100 to 199 on. */
function passInformation(
  { statusCode, statusMessage, rawHeaders }: http.InformationEvent,
  { httpVersion }: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  if (httpVersion !== '1.1' || response.headersSent) return;
  if (statusCode === 100) response.writeContinue();
  else response.socket?.write(informationOf(statusCode, statusMessage, rawHeaders), 'latin1');
}

function informationOf(status: number, message: string, headers: RawHeaders): string {
  const lines = endToEnd(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n`;
}

function pair(name: string, value: string): [string, string] {
  return [name, value];
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return code === undefined || message?.includes(code) ? (message ?? '') : [code, message].filter(Boolean).join(': ');
}
