import type { Response } from 'supertest';
import { errorCode, isError } from '../../lib/errors.js';
import { isClosedConnection } from '../../lib/keep-alive.js';
import { type Redact, redactDeep, redactorFor } from '../report/redact.js';
import { Skip, Unanswered } from './check-errors.js';
import { Connections } from './connections.js';
import { type Call, type Exchange, type TokenKind, textOf, unknownToken } from './exchange.js';
import { describeError } from './expect.js';
import { parseExactJson } from './json.js';
import { operationOf } from './operations.js';
import { announcesRetry, isRateLimited, type OnWait, Pace, type TargetPace } from './pace.js';
import { placeToken, type TokenPlacement } from './token-styles.js';

export interface TargetOptions {
  /** Base URL including the version prefix: `https://…/api/v1`. */
  readonly baseUrl: string;
  readonly tokens: {
    readonly full: string;
    readonly read?: string | undefined;
    readonly write?: string | undefined;
    /** Token without any scope, if the target has such tokens. */
    readonly scopeless?: string | undefined;
    /** Token with both scopes of another account of the same service. */
    readonly otherAccount?: string | undefined;
  };
  readonly webhookSecret?: string | undefined;
  /** Timeout for the headers of a response; the whole response may take twice as long. */
  readonly timeoutMs: number;
  /** How requests are delayed in order to stay within a rate limit. */
  readonly pace: TargetPace;
  /** True if the suite may send requests other than GET. */
  readonly mayWrite: boolean;
  readonly onWait?: OnWait | undefined;
  /** Connections of another client for the same target. Default: new ones. */
  readonly connections?: Connections | undefined;
}

/**
 * After this many consecutive requests to an operation without a response, the suite sends no more requests to it. If
 * the target has never responded, the suite counts the requests to all operations together, and sends no more at all.
 */
const maxUnanswered = 3;

/** Beginning of the message about a target that went down during the run. */
export const targetWentDown = 'the target stopped responding';

/** Maximum size of a response body: enough for some 100,000 overdue invoices, which are not paged. */
const maxResponseBytes = 64_000_000;

/** Result of sending a request once: the exchange, or an error if there was no response. */
type AttemptResult = { readonly exchange: Exchange } | { readonly error: unknown };

/** HTTP client for the implementation under test. Sends all requests of the suite. */
export class Target {
  readonly options: TargetOptions;
  readonly #secrets: (string | undefined)[];
  #redact: Redact;
  /** Number of requests sent. */
  requestCount = 0;
  /** The exchanges so far, except those that `#stop` has dropped, in the order in which their responses arrived. */
  readonly exchanges: Exchange[] = [];
  /**
   * Descriptions of the requests that got no usable response, after the retry if there was one: no response at all, or
   * one that reports too many requests. Clauses that need these responses are not checked. If the target went down, the
   * first item says so.
   */
  readonly unanswered: string[] = [];
  #consecutiveUnanswered = 0;
  /** Numbers of consecutive requests without a response, by the name of the operation. */
  readonly #consecutiveUnansweredByOperation = new Map<string, number>();
  /** Numbers of exchanges and of requests at the time of the last response that was not a server error. */
  #countsAtLastResponseBelow500 = { exchanges: 0, requests: 0 };
  #stopReason: string | undefined;
  readonly #pace: Pace;
  readonly connections: Connections;

  constructor(options: TargetOptions) {
    this.options = options;
    const { full, read, write, scopeless, otherAccount } = options.tokens;
    this.#secrets = [full, read, write, scopeless, otherAccount, options.webhookSecret];
    this.#redact = redactorFor(this.#secrets);
    this.#pace = new Pace(options.pace, options.onWait ?? (() => undefined));
    this.connections = options.connections ?? new Connections(new URL(options.baseUrl).protocol);
  }

  /** Redacts secrets in text. */
  readonly redact: Redact = (text) => this.#redact(text);

  /** Redacts secrets in all strings of a plain value. */
  redactDeep(value: unknown): unknown {
    return redactDeep(value, this.#redact);
  }

  /** Redacts a further secret from now on, such as a token that the suite has changed. */
  redactFromNowOn(secret: string): void {
    if (this.#secrets.includes(secret)) return;
    this.#secrets.push(secret);
    this.#redact = redactorFor(this.#secrets);
  }

  /**
   * Sends a request. Retries it once if it is a GET that got no response, or a status that only a gateway sends, unless
   * it timed out and the target has never responded; or if the target refuses it for now, because of maintenance or the
   * rate limit, which other clients may have used up. In the latter case, first waits as long as the response says, or a
   * second if it does not say.
   * @throws Skip if the request needs a missing token or permission; Unanswered if it gets no response or exceeds the
   * rate limit, even after the retry if there is one, or if the suite has stopped sending requests
   */
  async send(call: Call): Promise<Exchange> {
    const { token = 'full', method } = call;
    if (method !== 'GET' && !this.options.mayWrite)
      throw new Skip({ missing: '--write', reason: 'without it, the suite only reads from the target' });
    const placement = this.#placeToken(call, this.#tokenOf(token));
    const firstResult = await this.#attempt(call, placement, isRefusedForNow);
    const result = this.#mayRetry(call, firstResult) ? await this.#attempt(call, placement, exceedsLimit) : firstResult;
    if ('error' in result) throw await this.#recordFailure(call, result.error);
    const { exchange } = result;
    if (exchange.status >= 500) {
      if (await this.#findOutage()) throw this.#stop(describeFailure(call, `status ${exchange.status}`));
      this.#recordResponse(call);
    }
    if (exceedsLimit(exchange))
      throw this.#recordUnanswered(
        call,
        `the rate limit is used up (${describeError(exchange)}); see --pace`,
        exchange,
      );
    return exchange;
  }

  /**
   * Sends a request once, when it is its turn.
   * @param mustWait true for a response after which the next request must wait
   * @throws Unanswered if the suite has stopped sending requests
   */
  async #attempt(
    call: Call,
    placement: TokenPlacement | undefined,
    mustWait: (exchange: Exchange) => boolean,
  ): Promise<AttemptResult> {
    const { token = 'full' } = call;
    this.#requireSending(call);
    if (!call.isUnpaced) await this.#pace.waitForTurn(token);
    try {
      const exchange = await this.#sendOnce(call, placement);
      if (exchange.status < 500) this.#recordResponse(call);
      if (mustWait(exchange)) this.#pace.readRetryAfter(token, exchange.headers);
      return { exchange };
    } catch (error) {
      if (isClosedConnection(error)) this.connections.stopSharing();
      return { error };
    }
  }

  #mayRetry({ method }: Call, result: AttemptResult): boolean {
    if ('exchange' in result) {
      const { exchange } = result;
      return isRefusedForNow(exchange) || (method === 'GET' && gatewayErrors.includes(exchange.status));
    }
    // If the target has not responded to anything yet, a retry would only wait for another timeout.
    const isFirstTimeout = !this.#hasResponded && errorCode(result.error) === 'ECONNABORTED';
    return method === 'GET' && !isFirstTimeout;
  }

  /** @throws Unanswered if the suite has stopped sending requests, to the operation or at all */
  #requireSending(call: Call): void {
    if (this.#stopReason !== undefined) throw new Unanswered(this.#stopReason);
    if (this.#consecutiveUnanswered >= maxUnanswered)
      throw new Unanswered(`the target has not responded to any request: ${this.unanswered.at(-1)}`);
    const operation = nameOfOperation(call);
    if (this.#unansweredInARow(operation) >= maxUnanswered)
      throw new Unanswered(
        `the target no longer responds to ${operation}: it did not respond to ${maxUnanswered} requests in a row`,
      );
  }

  /** Resets the counts of consecutive requests without a response. */
  #recordResponse(call: Call): void {
    this.#consecutiveUnanswered = 0;
    this.#consecutiveUnansweredByOperation.delete(nameOfOperation(call));
  }

  /** Counts a request that got no response, and finds out whether the target is down. @returns the error to throw */
  async #recordFailure(call: Call, error: unknown): Promise<Unanswered> {
    if (await this.#findOutage()) return this.#stop(describeFailure(call, reasonOf(error)));
    const operation = nameOfOperation(call);
    this.#consecutiveUnansweredByOperation.set(operation, this.#unansweredInARow(operation) + 1);
    // Otherwise `#findOutage` has just shown that the target responds.
    if (!this.#hasResponded) this.#consecutiveUnanswered += 1;
    return this.#recordUnanswered(call, reasonOf(error));
  }

  /** How many requests to an operation in a row, up to now, got no response. */
  #unansweredInARow(operation: string): number {
    return this.#consecutiveUnansweredByOperation.get(operation) ?? 0;
  }

  /** True once the target has responded with a status below 500. */
  get #hasResponded(): boolean {
    return this.#countsAtLastResponseBelow500.exchanges > 0;
  }

  /**
   * Puts a token into headers or the query, in the style that the call asks for: as a bearer token or, for tests of
   * authentication, in an invalid way.
   * @throws Skip if the style swaps the case of letters, and the token has no letters
   */
  #placeToken({ tokenStyle }: Call, token: string | undefined): TokenPlacement | undefined {
    if (token === undefined) return undefined;
    const placement = placeToken(token, tokenStyle);
    if (tokenStyle === undefined) return placement;
    if (
      tokenStyle === 'other case' &&
      placement.headers['Authorization'] === placeToken(token).headers['Authorization']
    ) {
      throw new Skip({
        missing: 'a token with letters',
        reason: 'the given token has no letter whose case could be changed',
      });
    }
    // The placement may contain a changed form of the token, which must not be printed either.
    for (const value of Object.values(placement.headers)) this.redactFromNowOn(value.replace(/^(Bearer|Basic) /, ''));
    return placement;
  }

  /**
   * Sends up to two requests to find out whether the target has gone down during this run: it no longer responds, or
   * only with server errors. A target that never responded properly is not reported as down.
   * @returns how the last of these requests failed, if the target is down; otherwise undefined
   */
  async #findOutage(): Promise<string | undefined> {
    if (!this.#hasResponded) return undefined;
    let failure: string | undefined;
    for (const path of ['/invoices?per_page=1', '/invoices/stats']) {
      const call = { method: 'GET', path } as const;
      await this.#pace.waitForTurn('full');
      try {
        const { status } = await this.#sendOnce(call, this.#placeToken(call, this.#tokenOf('full')));
        if (status < 500) return undefined;
        failure = describeFailure(call, `status ${status}`);
      } catch (error) {
        failure = describeFailure(call, reasonOf(error));
      }
    }
    return failure;
  }

  /**
   * Makes `send` reject all further requests. Drops the exchanges after the last one with a status below 500: a proxy
   * may have sent these server errors in place of the target, so no clause should examine them.
   */
  #stop(failure: string): Unanswered {
    const { exchanges, requests } = this.#countsAtLastResponseBelow500;
    this.exchanges.splice(exchanges);
    this.#stopReason = this.redact(`${targetWentDown} after ${requests} requests: ${failure}`);
    this.unanswered.unshift(this.#stopReason);
    return new Unanswered(this.#stopReason);
  }

  /** True once the suite sends no more requests, because the target does not respond. */
  get isAbandoned(): boolean {
    return this.#stopReason !== undefined || this.#consecutiveUnanswered >= maxUnanswered;
  }

  /**
   * Stops sending requests if the target is down. Sends up to two requests to find out.
   * @returns the reason if the target is down; otherwise undefined
   */
  async abandonIfDown(): Promise<string | undefined> {
    const outage = this.#stopReason === undefined ? await this.#findOutage() : undefined;
    if (outage !== undefined) this.#stop(outage);
    return this.#stopReason;
  }

  /** Adds a request to `unanswered`. @returns the error to throw */
  #recordUnanswered(call: Call, cause: string, exchange?: Exchange): Unanswered {
    const reason = this.redact(describeFailure(call, cause));
    this.unanswered.push(reason);
    return new Unanswered(reason, exchange);
  }

  async #sendOnce(call: Call, placement: TokenPlacement | undefined): Promise<Exchange> {
    const { method, path, body, headers = {}, token = 'full' } = call;
    const { default: supertest } = await import('supertest');
    this.requestCount += 1;
    const startedAt = performance.now();
    const request = supertest(this.options.baseUrl)
      [methods[method]](path)
      .agent(this.connections.agent)
      // Accepts every status. Redirects are not followed: they may lead to another server.
      .ok(() => true)
      .redirects(0)
      .timeout({ response: this.options.timeoutMs, deadline: this.options.timeoutMs * 2 })
      .buffer(true)
      .maxResponseSize(maxResponseBytes)
      .parse(readText)
      // Some gateways refuse requests without a user agent.
      .set({ Accept: 'application/json', 'User-Agent': 'billing-sim', ...headers });
    if (placement) request.set(placement.headers).query(placement.query);
    if (body !== undefined) {
      if (!('Content-Type' in headers)) request.set('Content-Type', 'application/json');
      request.send(textOf(body));
    }
    const response = await request;
    const parsed = this.#parseResponse(response);
    this.#pace.readHeaders(token, parsed.headers);
    const exchange = {
      call,
      url: this.options.baseUrl + path,
      milliseconds: Math.round(performance.now() - startedAt),
      ...parsed,
    };
    this.exchanges.push(exchange);
    if (exchange.status < 500)
      this.#countsAtLastResponseBelow500 = { exchanges: this.exchanges.length, requests: this.requestCount };
    return exchange;
  }

  #parseResponse(response: Response): Pick<Exchange, 'status' | 'headers' | 'text' | 'json'> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries<unknown>(response.headers)) {
      headers[name.toLowerCase()] = this.redact(String(value));
    }
    const text = String(response.body);
    // `json` is not redacted: redaction could change values that only happen to contain the text of a token.
    return { status: response.status, headers, text: this.redact(text), json: parseExactJson(text) };
  }

  #tokenOf(kind: TokenKind): string | undefined {
    const { full, read, write, scopeless, otherAccount } = this.options.tokens;
    switch (kind) {
      case 'none':
        return undefined;
      case 'unknown':
        return unknownToken;
      case 'full':
        return full;
      case 'read':
        return requireToken(read, '--read-token');
      case 'write':
        return requireToken(write, '--write-token');
      case 'scopeless':
        return requireToken(scopeless, '--scopeless-token');
      case 'otherAccount':
        return requireToken(otherAccount, '--other-account-token');
    }
  }
}

/** True for a response that exceeds the rate limit, unless the request ignores the pace in order to exceed it. */
function exceedsLimit(exchange: Exchange): boolean {
  return !exchange.call.isUnpaced && isRateLimited(exchange);
}

/**
 * True if a later retry may succeed: the request exceeds the rate limit, or the target says that it will be available
 * soon.
 */
function isRefusedForNow(exchange: Exchange): boolean {
  const { call, status, headers } = exchange;
  return exceedsLimit(exchange) || (!call.isUnpaced && status === 503 && announcesRetry(headers));
}

/** Bad Gateway and Gateway Timeout: the target did not respond to its gateway. */
const gatewayErrors = [502, 504];

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete', PATCH: 'patch' } as const;

function requireToken(token: string | undefined, option: string): string {
  if (token === undefined) throw new Skip({ missing: option, reason: 'no such token was given' });
  return token;
}

/** Body parser for supertest that only decodes the text: the suite parses JSON itself, to keep large integers exact. */
function readText(response: Response, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
  response.on('error', (error: Error) => done(error, ''));
}

/** Returns the method and the path template of an operation: `GET /invoices/{invoice}`. */
function nameOfOperation(call: Call): string {
  const { method, path } = operationOf(call) ?? call;
  return `${method} ${path}`;
}

/** Formats a failed request: `GET /invoices: status 503`. */
function describeFailure({ method, path }: Call, cause: string): string {
  return `${method} ${path}: ${cause}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  // The messages of OpenSSL end with a line break.
  return isError(error) && error.message !== '' ? error.message.trim() : String(errorCode(error));
}
