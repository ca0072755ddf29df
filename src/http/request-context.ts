import type { Request } from 'express';
import type { RateReport } from '../domain/rate-window.js';
import type { Token } from '../domain/records.js';
import type { Operation } from '../openapi/document.js';
import type { Profile } from '../openapi/profile.js';
import type { Account } from '../simulation/account.js';
import { withoutHost } from './middleware/host.js';
import type { Headers } from './service/response.js';

/** Facts about a request that the middleware has found out so far. */
export interface RequestContext {
  readonly id: string;
  readonly request: Request;
  /** The time at which it arrived, as returned by `performance.now()`. */
  readonly startedAt: number;
  /** The account that the token belongs to, even if the token has expired or been revoked; until then, the default one. */
  readonly account: Account;
  readonly profile: Profile;
  /** The token, if it is valid. */
  readonly token: Token | undefined;
  /** Undefined until the request has reached its operation; see `matchOperation`. */
  readonly operation: Operation | undefined;
  /** The body as text; null until it is read. */
  readonly bodyText: string | null;
  /** The state of the rate window for the rate-limit headers; undefined until the request is counted. */
  readonly rateReport: RateReport | undefined;
  /** Headers that every response to the request carries. */
  readonly headers: Headers;
  /** Finds the operation of the request, even if the request was refused before it reached the operation. */
  matchOperation(): Operation | undefined;
}

const servicePath = /^\/api\/v1(?=[/?#]|$)/;

/** Returns true for a request to the service, even if it was refused before it reached the service. */
export function isServiceRequest({ originalUrl }: Request): boolean {
  return servicePath.test(withoutHost(originalUrl));
}

/** Returns true for a request to the control API, even if it was refused before it reached the control API. */
export function isControlRequest({ originalUrl }: Request): boolean {
  return /^\/_sim(?=[/?#]|$)/.test(withoutHost(originalUrl));
}

/** The path of a request to the service below `/api/v1`, without the query. */
export function pathOf({ originalUrl }: Request): string {
  const [path = ''] = withoutHost(originalUrl).replace(servicePath, '').split('?', 1);
  return path;
}
