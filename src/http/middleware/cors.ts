import corsHeaders from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { headerText, rateHeaders } from '../service/response.js';

/** Methods that cross-origin pages may use. */
const methods = ['GET', 'HEAD', 'POST'];
/** Response headers that cross-origin pages may read. */
const exposedHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
  'X-Request-Id',
  'X-Sim-Hint',
  'X-Sim-Fault',
];

/** Hint for a developer whose page, at this origin, may not call the service. */
export function corsHint(origin: string): string {
  // The origin of pages that have none.
  if (origin === 'null')
    return "to let pages without an origin, such as local files, call the service, start the simulator with --cors '*'";
  return `to let pages from ${origin} call the service, start the simulator with --cors ${origin}`;
}

/** Time for which a browser may cache a preflight response. */
const preflightMaxAgeSeconds = 600;

/**
 * Lets pages from these origins send any header, and read all responses, including errors.
 * @param origins may include `*` for all origins
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const origin = origins.includes('*') ? '*' : [...origins];
  return corsHeaders({
    origin,
    methods,
    exposedHeaders,
    maxAge: preflightMaxAgeSeconds,
    preflightContinue: true,
  });
}

/**
 * Responds to a preflight request, which carries no token. Preflight requests are neither rate-limited nor logged,
 * since the browser decides how many it sends.
 */
export function answerPreflight(request: Request, response: Response, next: NextFunction): void {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) {
    next();
    return;
  }
  const { exchange } = request;
  const { account, profile } = exchange;
  const hintHeader = response.hasHeader('Access-Control-Allow-Origin')
    ? {}
    : { 'X-Sim-Hint': headerText(corsHint(origin)) };
  // Every response of the service has rate-limit headers, so this one has them, too.
  const window = account.rates.peek({ token: undefined, address: request.socket.remoteAddress }, profile);
  const headers = rateHeaders(window, profile, account.now());
  exchange.markInternal();
  exchange.respond({ status: 204, body: '', headers: { ...headers, ...hintHeader } });
}
