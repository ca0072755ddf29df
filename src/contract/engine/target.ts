import type { Response } from 'supertest';
import { errorCode } from '../../lib/error-code.js';
import { requirePackage } from '../../lib/require-package.js';
import { present, type TokenPlacement } from '../report/presentation.js';
import { type Redact, redactDeep, redacting } from '../report/redact.js';
import { type Call, type Exchange, type TokenKind, textOf } from './exchange.js';
import { jsonOf } from './json.js';
import { type OnWait, Pace, type PaceOption } from './pace.js';
import { Blocked, Skip, Unanswered } from './verdict.js';

export interface TargetOptions {
  /** Base URL including the version prefix: `https://…/api/v1`. */
  readonly baseUrl: string;
  readonly tokens: {
    readonly full: string;
    readonly read?: string | undefined;
    readonly write?: string | undefined;
    /** A token without a scope, if the target has such tokens. */
    readonly scopeless?: string | undefined;
  };
  readonly webhookSecret?: string | undefined;
  /** Timeout of a response. */
  readonly timeout: number;
  readonly pace: PaceOption;
  /** Whether the suite may change anything. */
  readonly mayWrite: boolean;
  readonly onWait?: OnWait | undefined;
}

/** After this many requests in a row without a response, the target counts as gone and gets no more requests. */
const maxUnanswered = 3;

/** Prefix of the message about a target that stopped responding during the run. */
export const stoppedResponding = 'the target stopped responding';

/** Largest response body: some 100,000 overdue invoices, which are not paged. */
const maxResponseBytes = 64_000_000;

/** The implementation under test. All requests of the suite go through here. */
export class Target {
  readonly options: TargetOptions;
  readonly #secrets: (string | undefined)[];
  #redact: Redact;
  /** Number of requests sent. */
  requests = 0;
  /** All responses so far, in order of arrival. */
  readonly responses: Exchange[] = [];
  /**
   * Requests that got no response or exceeded the rate limit, even when retried, each with the reason. Clauses that
   * need them are not checked.
   */
  readonly unanswered: string[] = [];
  #unansweredInARow = 0;
  /** Numbers of responses and requests when the target last responded. */
  #lastSeen = { responses: 0, requests: 0 };
  #stopped: string | undefined;
  readonly #pace: Pace;

  /** @throws PackageMissing */
  constructor(options: TargetOptions) {
    requirePackage('supertest', 'the contract suite');
    this.options = options;
    const { full, read, write, scopeless } = options.tokens;
    this.#secrets = [full, read, write, scopeless, options.webhookSecret];
    this.#redact = redacting(this.#secrets);
    this.#pace = new Pace(options.pace, options.onWait ?? (() => undefined));
  }

  /** Redacts secrets in a text. */
  redact(text: string): string {
    return this.#redact(text);
  }

  /** Redacts secrets in all strings of a plain value. */
  redactDeep(value: unknown): unknown {
    return redactDeep(value, this.#redact);
  }

  /** Redacts a further secret from now on, such as a token that the suite has changed. */
  addSecret(secret: string): void {
    if (this.#secrets.includes(secret)) return;
    this.#secrets.push(secret);
    this.#redact = redacting(this.#secrets);
  }

  /**
   * Sends a request. Retries a GET without a response once, and any request that exceeds the rate limit once, since
   * other clients may have used it up.
   * @throws Skip if the request needs a missing token or permission; Blocked without a response, or if still rate-limited
   */
  async send(call: Call): Promise<Exchange> {
    const { token = 'full', method } = call;
    if (method !== 'GET' && !this.options.mayWrite) throw new Skip('--write', 'the target is only read');
    const placement = this.#present(call, this.#tokenOf(token));
    for (let attempt = 1; ; attempt++) {
      if (this.#stopped !== undefined) throw new Unanswered(this.#stopped);
      if (this.#unansweredInARow >= maxUnanswered)
        throw new Unanswered(`the target no longer responds: ${this.unanswered.at(-1)}`);
      if (!call.isUnpaced) await this.#pace.waitForTurn(token);
      try {
        const exchange = await this.#sendOnce(call, placement);
        if (exchange.status >= 500 && (await this.#isGone())) throw this.#stop(call, `status ${exchange.status}`);
        this.#unansweredInARow = 0;
        if (call.isUnpaced || !isRateLimited(exchange)) return exchange;
        if (attempt === 1) continue;
        throw this.#noteUnanswered(call, 'the rate limit is used up', exchange);
      } catch (error) {
        if (error instanceof Blocked) throw error;
        if (method === 'GET' && attempt === 1) continue;
        if (await this.#isGone()) throw this.#stop(call, reasonOf(error));
        this.#unansweredInARow += 1;
        throw this.#noteUnanswered(call, reasonOf(error));
      }
    }
  }

  /** @throws Skip if the token cannot be sent that way */
  #present({ presentation }: Call, token: string | undefined): TokenPlacement | undefined {
    if (token === undefined) return undefined;
    const placement = present(token, presentation);
    if (presentation === undefined) return placement;
    if (
      presentation === 'other case' &&
      placement.headers['Authorization'] === present(token).headers['Authorization']
    ) {
      throw new Skip('a token with letters', 'it has no letter whose case could be changed');
    }
    // The placement may contain a changed form of the token, which must not be printed either.
    for (const value of Object.values(placement.headers)) this.addSecret(value.replace(/^(Bearer|Basic) /, ''));
    return placement;
  }

  /** Whether a target that responded before no longer does, or only with server errors. */
  async #isGone(): Promise<boolean> {
    if (this.#lastSeen.responses === 0) return false;
    for (const path of ['/invoices?per_page=1', '/invoices/stats']) {
      try {
        const { status } = await this.#sendOnce(
          { method: 'GET', path },
          this.#present({ method: 'GET', path }, this.#tokenOf('full')),
        );
        if (status < 500) return false;
      } catch {
        // Getting no response is the expected case here.
      }
    }
    return true;
  }

  /** Stops sending requests, and drops the responses that an intermediary sent on behalf of the target. */
  #stop({ method, path }: Call, cause: string): Unanswered {
    const { responses, requests } = this.#lastSeen;
    this.responses.splice(responses);
    this.#stopped = this.redact(`${stoppedResponding} after ${requests} requests: ${method} ${path}: ${cause}`);
    this.unanswered.unshift(this.#stopped);
    return new Unanswered(this.#stopped);
  }

  /** Whether the target has been given up, so that no more requests are sent. */
  get isAbandoned(): boolean {
    return this.#stopped !== undefined || this.#unansweredInARow >= maxUnanswered;
  }

  /** Explains why the target was given up; undefined if it still responds. Sends a request to find out. */
  async stopReason(): Promise<string | undefined> {
    if (this.#stopped === undefined && (await this.#isGone()))
      this.#stop({ method: 'GET', path: '/invoices' }, 'no response');
    return this.#stopped;
  }

  #noteUnanswered({ method, path }: Call, cause: string, exchange?: Exchange): Unanswered {
    const reason = this.redact(`${method} ${path}: ${cause}`);
    this.unanswered.push(reason);
    return new Unanswered(reason, exchange);
  }

  async #sendOnce(call: Call, placement: TokenPlacement | undefined): Promise<Exchange> {
    const { method, path, body, headers = {}, token = 'full' } = call;
    const { default: supertest } = await import('supertest');
    this.requests += 1;
    const startedAt = performance.now();
    const request = supertest(this.options.baseUrl)
      [methods[method]](path)
      // Any status is a response. Redirects are not followed: they may lead away from the target.
      .ok(() => true)
      .redirects(0)
      .timeout({ response: this.options.timeout, deadline: this.options.timeout * 2 })
      .buffer(true)
      .maxResponseSize(maxResponseBytes)
      .parse(readText)
      .set('Accept', 'application/json')
      .set(headers);
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
    this.responses.push(exchange);
    if (exchange.status < 500) this.#lastSeen = { responses: this.responses.length, requests: this.requests };
    return exchange;
  }

  #parseResponse(response: Response): Pick<Exchange, 'status' | 'headers' | 'text' | 'json'> {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries<unknown>(response.headers)) {
      headers[name.toLowerCase()] = this.redact(String(value));
    }
    const text = String(response.body);
    // Checks use the body as sent; a token may be a common word in it.
    return { status: response.status, headers, text: this.redact(text), json: jsonOf(text) };
  }

  #tokenOf(kind: TokenKind): string | undefined {
    const { full, read, write, scopeless } = this.options.tokens;
    switch (kind) {
      case 'none':
        return undefined;
      case 'unknown':
        return 'contract-suite-token-that-was-never-given-out';
      case 'full':
        return full;
      case 'read':
        return required(read, '--read-token');
      case 'write':
        return required(write, '--write-token');
      case 'scopeless':
        return required(scopeless, '--scopeless-token');
    }
  }
}

/** Whether a response reports too many requests. Its status is open, so 403 counts, too, if it says when to retry. */
export function isRateLimited({ status, headers }: Pick<Exchange, 'status' | 'headers'>): boolean {
  return status === 429 || (status === 403 && headers['retry-after'] !== undefined);
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete', PATCH: 'patch' } as const;

function required(token: string | undefined, option: string): string {
  if (token === undefined) throw new Skip(option, 'a token of that kind is needed');
  return token;
}

/** Keeps the body as text; parsing is up to the checks. */
function readText(response: Response, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  response.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
  response.on('error', (error: Error) => done(error, ''));
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : String(errorCode(error));
}
