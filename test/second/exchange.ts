import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isObject, type Json, type JsonObject, parse } from './json.js';
import { Past } from './past.js';
import type { Rate } from './rate.js';
import { Refusal, refusal } from './refusal.js';
import { extra } from './render.js';
import { type Route, routesAt, type Scope, scopeOf } from './routes.js';
import { narrowed, widened } from './wide-ids.js';
import type { Answer, World } from './world.js';

export const prefix = '/api/v1';

export interface Token {
  readonly scopes: readonly Scope[];
}

/** Everything up to the writing of one answer. */
export class Exchange {
  readonly #world: World;
  readonly #rate: Rate;
  readonly #tokens: ReadonlyMap<string, Token>;
  readonly #past: Past | undefined;

  constructor(world: World, rate: Rate, tokens: ReadonlyMap<string, Token>) {
    this.#world = world;
    this.#rate = rate;
    this.#tokens = tokens;
    this.#past = world.choices.lagMs > 0 ? new Past(world) : undefined;
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    const { choices, planted } = this.#world;
    const [target = '', search] = (request.url ?? '').split('?', 2);
    const path = target.startsWith(`${prefix}/`) ? narrowed(choices, target.slice(prefix.length)) : '';
    const candidates = routesAt(this.#world, path);
    const route = candidates.find(({ method }) => method === request.method);
    const bearer = this.#bearer(request);
    const { allowed, headers } = this.#rate.take(this.#rateKey(request, bearer));
    let answer: Answer;
    try {
      const body = await bytesOf(request);
      if (!allowed) throw refusal(choices, 429, 'tooMany');
      if (route === undefined) throw this.#noRoute(candidates);
      this.#authorize(route, request, bearer);
      this.#past?.note();
      answer = route.handle(isList(route) ? (this.#past?.world() ?? this.#world) : this.#world, {
        id: route.path.exec(path)?.[1] ?? '',
        query: new URLSearchParams(search),
        body: route.takesBody ? this.#bodyOf(request, narrowed(choices, body)) : {},
        idempotencyKey: request.headers['idempotency-key']?.toString(),
      });
    } catch (error) {
      answer = this.#refused(error);
    }
    Object.assign(answer.headers, headers, { 'Content-Type': choices.contentType });
    if (answer.status === 405) answer.headers['Allow'] = candidates.map(({ method }) => method).join(', ');
    if (planted?.on === undefined || (route !== undefined && planted.on.includes(route.operation))) {
      planted?.change?.(answer);
    }
    return answer;
  }

  #bearer(request: IncomingMessage): string | undefined {
    const { fault } = this.#world;
    const { authorization = '', cookie = '' } = request.headers;
    const scheme = fault === 'basic-scheme-accepted' ? /^\w+ +(.+)$/ : /^bearer +(.+)$/i;
    const given = scheme.exec(authorization)?.[1];
    switch (fault) {
      case 'token-first-word':
        return given?.split(' ')[0];
      case 'token-without-scheme':
        return given ?? (authorization || undefined);
      case 'token-as-user-name':
        return (
          given ??
          Buffer.from(/^basic +(.+)$/i.exec(authorization)?.[1] ?? '', 'base64')
            .toString()
            .split(':')[0]
        );
      case 'token-in-query':
        return given ?? new URL(request.url ?? '', 'http://second').searchParams.get('access_token') ?? undefined;
      case 'token-in-cookie':
        return given ?? /(?:^|; )token=([^;]+)/.exec(cookie)?.[1];
      case 'token-beginning-accepted':
        return this.#known((token) => given !== undefined && token.slice(0, -1) === given) ?? given;
      case 'token-with-more-accepted':
        return this.#known((token) => given?.startsWith(token) === true) ?? given;
      case 'token-case-ignored':
        return this.#known((token) => token.toLowerCase() === given?.toLowerCase()) ?? given;
      default:
        return given;
    }
  }

  #known(isMatch: (token: string) => boolean): string | undefined {
    return [...this.#tokens.keys()].find(isMatch);
  }

  #rateKey(request: IncomingMessage, bearer: string | undefined): string {
    if (bearer === undefined || !this.#tokens.has(bearer)) return `address ${request.socket.remoteAddress}`;
    return this.#world.choices.rateKey === 'account' ? 'account' : bearer;
  }

  #noRoute(candidates: readonly Route[]): Refusal {
    const { choices } = this.#world;
    if (candidates.length === 0 || choices.otherMethodStatus === 404) return refusal(choices, 404, 'noRoute');
    return refusal(choices, 405, 'method');
  }

  #authorize(route: Route, request: IncomingMessage, bearer: string | undefined): void {
    const { choices, planted, fault } = this.#world;
    if (planted?.opens === route.operation && request.headers.authorization === undefined) return;
    if (fault === 'unknown-token-accepted' && bearer !== undefined && !this.#tokens.has(bearer)) return;
    const token = this.#tokens.get(bearer ?? '');
    if (token === undefined) throw refusal(choices, choices.unauthenticatedStatus, 'unauthenticated');
    if (planted?.unscoped === route.operation && token.scopes.length > 0) return;
    if (fault === 'scopeless-token-reads' && route.method === 'GET' && token.scopes.length === 0) return;
    const isShort =
      (fault === 'read-scope-not-enough' && route.operation === 'invoice-stats' && token.scopes.length < 2) ||
      (fault === 'write-scope-not-enough' && route.operation === 'link-create' && token.scopes.length < 2);
    if (!token.scopes.includes(scopeOf(route)) || isShort) throw refusal(choices, choices.scopeStatus, 'scope');
  }

  #bodyOf(request: IncomingMessage, text: string): JsonObject {
    const { choices } = this.#world;
    if (text === '') return {};
    const isJson = /\bjson\b/i.test(request.headers['content-type'] ?? '');
    if (!isJson && choices.otherContentType === 'refused') throw refusal(choices, 415, 'media');
    let body: Json;
    try {
      body = parse(text);
    } catch {
      throw refusal(choices, 400, 'syntax');
    }
    if (!isObject(body)) throw refusal(choices, 400, 'syntax');
    return body;
  }

  #refused(error: unknown): Answer {
    const { choices } = this.#world;
    const cause = error instanceof Refusal ? error : new Refusal(500, String(error));
    const { status, message, fields } = cause;
    return {
      status,
      headers: {},
      body: {
        success: false,
        error: message,
        ...(fields === undefined ? {} : { errors: fields }),
        ...extra(choices, { code: `E${status}`, message }),
      },
    };
  }
}

function isList({ operation }: Route): boolean {
  return operation.endsWith('-list') || operation === 'invoice-overdue';
}

async function bytesOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function write({ choices }: World, answer: Answer, response: ServerResponse): void {
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(choices.headerCase === 'lower' ? name.toLowerCase() : name, value);
  }
  const text = answer.text ?? JSON.stringify(answer.body, null, choices.json === 'pretty' ? 2 : undefined);
  if (choices.gzip) response.setHeader('Content-Encoding', 'gzip');
  const plain = Buffer.from(widened(choices, text));
  const bytes = choices.gzip ? gzipSync(plain) : plain;
  response.statusCode = answer.status;
  if (choices.chunked) {
    const half = bytes.length / 2;
    response.write(bytes.subarray(0, half));
    response.end(bytes.subarray(half));
  } else {
    response.end(bytes);
  }
}
