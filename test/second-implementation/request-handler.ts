import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fromBigIds, toBigIds } from './big-ids.js';
import { isObject, type Json, type JsonObject, parseJson } from './json.js';
import { LaggingIndex } from './lagging-index.js';
import type { RateLimiter } from './rate-limiter.js';
import { undocumentedFields } from './render.js';
import { type Route, routesAt, type Scope, scopeOf } from './routes.js';
import { ServiceError, serviceError } from './service-error.js';
import { rememberFirst, type ServiceResponse, type World } from './world.js';

/** Path that all URLs of the API begin with. */
export const basePath = '/api/v1';

export interface Token {
  readonly scopes: readonly Scope[];
  readonly isOfOtherAccount?: true;
}

/**
 * Handles requests: counts them for the rate limit, checks the token, calls the handler of the route and turns errors
 * into responses.
 */
export class RequestHandler {
  readonly #world: World;
  readonly #otherWorld: World;
  readonly #rate: RateLimiter;
  readonly #tokens: ReadonlyMap<string, Token>;
  readonly #laggingIndex: LaggingIndex | undefined;

  /** @param otherWorld the records of the other account */
  constructor(world: World, otherWorld: World, rate: RateLimiter, tokens: ReadonlyMap<string, Token>) {
    this.#world = world;
    this.#otherWorld = otherWorld;
    this.#rate = rate;
    this.#tokens = tokens;
    this.#laggingIndex = world.choices.lagMs > 0 ? new LaggingIndex(world) : undefined;
  }

  async respond(request: IncomingMessage): Promise<ServiceResponse> {
    const { choices, fault, faultDefinition } = this.#world;
    const [requestedPath = '', ...searchParts] = (request.url ?? '').split('?');
    const search = searchParts.join('?');
    const fullPath = fault === 'unauthenticated-with-trailing-slash' ? requestedPath.replace(/\/$/, '') : requestedPath;
    const path = fullPath.startsWith(`${basePath}/`) ? fromBigIds(choices, fullPath.slice(basePath.length)) : '';
    const candidates = routesAt(this.#world, path);
    const route = candidates.find(({ method }) => method === request.method);
    const tokenText = this.#tokenTextOf(request);
    const { allowed, headers } = this.#rate.countRequest(this.#rateKey(request, tokenText));
    let response: ServiceResponse;
    try {
      const body = await readBody(request);
      if (!allowed) throw serviceError(choices, 429, 'tooManyRequests');
      if (route === undefined) throw this.#routeError(candidates);
      this.#authorize(route, request, tokenText);
      // With `lagMs`, lists are read from a copy of the records that is at least that old.
      this.#laggingIndex?.save();
      const worldOfLists = isListRoute(route) ? this.#laggingIndex?.laggingWorld() : undefined;
      const token = this.#tokens.get(tokenText ?? '');
      const tokenScopes = token?.scopes.join(' ');
      const faultyWorld = tokenScopes === 'billing.write' ? this.#worldOfWriteToken(route) : undefined;
      const isForOtherAccount = token?.isOfOtherAccount && faultDefinition?.ignoresAccountOf !== route.operation;
      const worldOfAccount = isForOtherAccount ? this.#otherWorld : (worldOfLists ?? faultyWorld ?? this.#world);
      response = route.handle(worldOfAccount, {
        id: route.path.exec(path)?.[1] ?? '',
        query: new URLSearchParams(search),
        body: route.takesBody ? this.#bodyOf(request, fromBigIds(choices, body)) : {},
        idempotencyKey: request.headers['idempotency-key']?.toString(),
      });
      if (faultDefinition?.isOutdatedForReadToken === route.operation) {
        const firstBody = rememberFirst(this.#world, `response to ${request.url}`, response.body);
        if (tokenScopes === 'billing.read') response = { ...response, body: structuredClone(firstBody) };
      }
    } catch (error) {
      response = this.#errorResponse(error);
    }
    Object.assign(response.headers, headers, { 'Content-Type': choices.contentType });
    if (response.status === 405) response.headers['Allow'] = candidates.map(({ method }) => method).join(', ');
    // A fault without `operations` changes all responses.
    if (
      faultDefinition?.operations === undefined ||
      (route !== undefined && faultDefinition.operations.includes(route.operation))
    ) {
      faultDefinition?.change?.(response);
    }
    return response;
  }

  /**
   * Some faults affect the requests with a token that can only write. Returns the world that such a request uses: one that
   * emits no webhooks, or a copy whose changes are lost; undefined without such a fault.
   */
  #worldOfWriteToken({ operation }: Route): World | undefined {
    const { faultDefinition } = this.#world;
    const withoutWebhooks = { ...this.#world, emit: () => undefined };
    if (faultDefinition?.silencesWriteToken === operation) return withoutWebhooks;
    if (faultDefinition?.forgetsChangesOfWriteToken !== operation) return undefined;
    const { deposits, keyedResponses } = this.#world;
    return { ...withoutWebhooks, ...structuredClone({ deposits, keyedResponses }) };
  }

  /**
   * Returns the token of a request, or undefined if it has none. With a fault, the token may also be in another place,
   * or follow another scheme or none; and a text that is only similar to a valid token may count as that token.
   */
  #tokenTextOf(request: IncomingMessage): string | undefined {
    const { fault } = this.#world;
    const { authorization = '', cookie = '' } = request.headers;
    const pattern = fault === 'any-scheme-accepted' ? /^\w+ +(.+)$/ : /^bearer +(.+)$/i;
    const token = pattern.exec(authorization)?.[1];
    switch (fault) {
      case 'token-followed-by-word-accepted':
        return token?.split(' ')[0];
      case 'token-without-scheme':
        return token ?? (authorization || undefined);
      case 'token-as-user-name':
        return (
          token ??
          Buffer.from(/^basic +(.+)$/i.exec(authorization)?.[1] ?? '', 'base64')
            .toString()
            .split(':')[0]
        );
      case 'token-in-query':
        return token ?? new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('access_token') ?? undefined;
      case 'token-in-cookie':
        return token ?? /(?:^|; )token=([^;]+)/.exec(cookie)?.[1];
      case 'token-prefix-accepted':
        return this.#tokenMatching((valid) => token !== undefined && valid.slice(0, -1) === token) ?? token;
      case 'token-with-suffix-accepted':
        return this.#tokenMatching((valid) => token?.startsWith(valid) === true) ?? token;
      case 'token-case-ignored':
        return this.#tokenMatching((valid) => valid.toLowerCase() === token?.toLowerCase()) ?? token;
      default:
        return token;
    }
  }

  #tokenMatching(isMatch: (token: string) => boolean): string | undefined {
    return [...this.#tokens.keys()].find(isMatch);
  }

  /** Returns the key of the rate limit that a request counts toward. */
  #rateKey(request: IncomingMessage, tokenText: string | undefined): string {
    if (tokenText === undefined || !this.#tokens.has(tokenText)) return `address ${request.socket.remoteAddress}`;
    if (this.#world.choices.rateKey !== 'account') return tokenText;
    return this.#tokens.get(tokenText)?.isOfOtherAccount ? 'other account' : 'account';
  }

  #routeError(candidates: readonly Route[]): ServiceError {
    const { choices } = this.#world;
    if (candidates.length === 0 || choices.wrongMethodStatus === 404)
      return serviceError(choices, 404, 'routeNotFound');
    return serviceError(choices, 405, 'methodNotAllowed');
  }

  /** Throws unless the token of a request has the scope of the route. */
  #authorize(route: Route, request: IncomingMessage, tokenText: string | undefined): void {
    const { choices, faultDefinition, fault } = this.#world;
    if (faultDefinition?.skipsAuthenticationOf === route.operation && request.headers.authorization === undefined)
      return;
    if (fault === 'unauthenticated-with-trailing-slash' && request.url?.endsWith('/')) return;
    if (
      fault === 'repeated-reads-need-no-token' &&
      route.method === 'GET' &&
      this.#world.firstValues.has(`read ${request.url}`)
    )
      return;
    if (fault === 'unknown-token-accepted' && tokenText !== undefined && !this.#tokens.has(tokenText)) return;
    const token = this.#tokens.get(tokenText ?? '');
    if (token === undefined) throw serviceError(choices, choices.unauthenticatedStatus, 'unauthenticated');
    if (faultDefinition?.ignoresScopeOf === route.operation && token.scopes.length > 0) return;
    if (fault === 'scopeless-token-reads' && route.method === 'GET' && token.scopes.length === 0) return;
    const lacksSecondScope =
      (fault === 'read-scope-not-enough' && route.operation === 'invoice-stats' && token.scopes.length < 2) ||
      (fault === 'write-scope-not-enough' && route.operation === 'link-create' && token.scopes.length < 2);
    if (!token.scopes.includes(scopeOf(route)) || lacksSecondScope)
      throw serviceError(choices, choices.scopeStatus, 'scopeMissing');
    if (route.method === 'GET') rememberFirst(this.#world, `read ${request.url}`, true);
  }

  #bodyOf(request: IncomingMessage, text: string): JsonObject {
    const { choices } = this.#world;
    if (text === '') return {};
    const isJson = /\bjson\b/i.test(request.headers['content-type'] ?? '');
    if (!isJson && choices.nonJsonBody === 'refused') throw serviceError(choices, 415, 'bodyMustBeJson');
    let body: Json;
    try {
      body = parseJson(text);
    } catch {
      throw serviceError(choices, 400, 'invalidJson');
    }
    if (!isObject(body)) throw serviceError(choices, 400, 'invalidJson');
    return body;
  }

  #errorResponse(error: unknown): ServiceResponse {
    const { choices } = this.#world;
    const cause = error instanceof ServiceError ? error : new ServiceError(500, String(error));
    const { status, message, fields } = cause;
    return {
      status,
      headers: {},
      body: {
        success: false,
        error: message,
        ...(fields === undefined ? {} : { errors: fields }),
        ...undocumentedFields(choices, { code: `E${status}`, message }),
      },
    };
  }
}

function isListRoute({ operation }: Route): boolean {
  return operation.endsWith('-list') || operation === 'invoice-overdue';
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Writes a response to the socket, in the form that the choices ask for. */
export function writeResponse({ choices }: World, serviceResponse: ServiceResponse, response: ServerResponse): void {
  for (const [name, value] of Object.entries(serviceResponse.headers)) {
    response.setHeader(choices.headerCase === 'lower' ? name.toLowerCase() : name, value);
  }
  const text =
    serviceResponse.text ?? JSON.stringify(serviceResponse.body, null, choices.json === 'pretty' ? 2 : undefined);
  if (choices.gzip) response.setHeader('Content-Encoding', 'gzip');
  const uncompressed = Buffer.from(toBigIds(choices, text));
  const bytes = choices.gzip ? gzipSync(uncompressed) : uncompressed;
  response.statusCode = serviceResponse.status;
  if (choices.chunked) {
    const half = bytes.length / 2;
    response.write(bytes.subarray(0, half));
    response.end(bytes.subarray(half));
  } else {
    response.end(bytes);
  }
}
