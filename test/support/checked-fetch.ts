import type { OpenAPIV3_1 } from 'openapi-types';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { DeviationError, DocumentChecker, type Exchange } from './document-checker.js';

export { DeviationError };

/** `fetch` that throws if a response of `/api/v1` does not match the OpenAPI document that is served for a profile. */
export type CheckedFetch = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** Options of the response check. */
export interface ResponseCheckOptions {
  /**
   * The choices in the profile of the account that the requests go to. A profile chooses the behavior for each gap, a
   * question that the specification leaves open; the served document depends on it.
   */
  readonly choices: Choices;
}

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Functions that get every request to `/api/v1` with its response, before the response is checked. */
export const exchangeObservers = new Set<(request: Request, response: Response) => Promise<void>>();

/** Creates a `fetch` that checks responses of `/api/v1`. */
export function createCheckedFetch({ choices }: ResponseCheckOptions): CheckedFetch {
  const checker = checkerFor(choices);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    const requestForObservers = exchangeObservers.size > 0 ? request.clone() : request;
    const response = await fetch(request);
    const { pathname } = new URL(url);
    if (!pathname.startsWith('/api/v1/')) return response;
    for (const observe of exchangeObservers) await observe(requestForObservers.clone(), response.clone());
    const path = pathname.slice('/api/v1'.length);
    const text = await response.clone().text();
    const deviations = checker.deviationsOf({
      method,
      path: choices['request.trailing-slash'] === 'ignored' ? path.replace(/\/+$/, '') : path,
      status: response.status,
      headers: response.headers,
      text,
    });
    if (deviations.length > 0) {
      const lines = deviations.map((deviation) => `  - ${deviation}`).join('\n');
      throw new DeviationError(
        `${method} ${pathname} returned ${response.status}, which does not match the document:\n${lines}\n  body: ${text}`,
      );
    }
    return response;
  };
}

const checkers = new Map<string, ResponseChecker>();

function checkerFor(choices: Choices): ResponseChecker {
  const key = JSON.stringify(choices);
  const checker = checkers.get(key) ?? new ResponseChecker(choices);
  checkers.set(key, checker);
  return checker;
}

/** Checks responses of the service against the document that is served for a profile. */
class ResponseChecker {
  readonly #documentChecker: DocumentChecker;

  constructor(choices: Choices) {
    this.#documentChecker = new DocumentChecker(servedDocument(resolveProfile(choices)));
  }

  deviationsOf(exchange: Exchange): string[] {
    const definition = this.#documentChecker.responseOf(exchange);
    if (typeof definition === 'string') return [definition];
    const isFaulty = exchange.headers.has('x-sim-fault');
    return [
      // A fault may respond with a status that the operation does not list.
      ...(isFaulty ? [] : this.#documentChecker.statusDeviations(exchange)),
      ...this.#headerDeviations(exchange, definition),
      ...this.#documentChecker.bodyDeviations(exchange, definition),
    ];
  }

  #headerDeviations({ headers }: Exchange, definition: OpenAPIV3_1.ResponseObject): string[] {
    const listedHeaders = Object.keys(definition.headers ?? {});
    const unlistedHeaders = rateLimitHeaders.filter((name) => !listedHeaders.includes(name));
    return [
      ...unlistedHeaders.map((name) => `header ${name}: the document does not list it`),
      ...listedHeaders.flatMap((name) => this.#documentChecker.headerDeviations(name, headers.get(name), definition)),
    ];
  }
}
