import type { OpenAPIV3_1 } from 'openapi-types';
import { servedDocument } from '../../src/http/document/profiles.js';
import type { Choices } from '../../src/index.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { Departure, DocumentChecker, type Exchange } from './document-checker.js';

export { Departure };

/** `fetch`, which throws when a response of `/api/v1` departs from the document that the choices make. */
export type CheckedFetch = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** Options of the response check. */
export interface Expectation {
  /** The choices of the account that answers. */
  readonly choices: Choices;
}

const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

export function createCheckedFetch({ choices }: Expectation): CheckedFetch {
  const checker = checkerOf(choices);
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    const response = await fetch(request);
    const { pathname } = new URL(url);
    if (!pathname.startsWith('/api/v1/')) return response;
    const path = pathname.slice('/api/v1'.length);
    const text = await response.clone().text();
    const departures = checker.departuresOf({
      method,
      path: choices['request.trailing-slash'] === 'ignored' ? path.replace(/\/+$/, '') : path,
      status: response.status,
      headers: response.headers,
      text,
    });
    if (departures.length > 0) {
      const lines = departures.map((departure) => `  - ${departure}`).join('\n');
      throw new Departure(
        `${method} ${pathname} was answered with ${response.status}, which departs from the document:\n${lines}\n  body: ${text}`,
      );
    }
    return response;
  };
}

const checkers = new Map<string, Checker>();

function checkerOf(choices: Choices): Checker {
  const key = JSON.stringify(choices);
  const checker = checkers.get(key) ?? new Checker(choices);
  checkers.set(key, checker);
  return checker;
}

/** Holds answers of the service against the document of a profile. */
class Checker {
  readonly #checker: DocumentChecker;

  constructor(choices: Choices) {
    const profile = resolveProfile(choices);
    this.#checker = new DocumentChecker(servedDocument(profile));
  }

  departuresOf(exchange: Exchange): string[] {
    const found = this.#checker.responseOf(exchange);
    if (typeof found === 'string') return [found];
    const isFaulty = exchange.headers.has('x-sim-fault');
    return [
      // A fault may answer with any status.
      ...(isFaulty ? [] : this.#checker.statusDepartures(exchange)),
      ...this.#headerDepartures(exchange, found),
      ...this.#checker.bodyDepartures(exchange, found),
    ];
  }

  #headerDepartures({ headers }: Exchange, found: OpenAPIV3_1.ResponseObject): string[] {
    const listed = Object.keys(found.headers ?? {});
    const unlisted = rateLimitHeaders.filter((name) => !listed.includes(name));
    return [
      ...unlisted.map((name) => `header ${name}: the document does not list it`),
      ...listed.flatMap((name) => this.#checker.headerDepartures(name, headers.get(name), found)),
    ];
  }
}
