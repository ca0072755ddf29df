import corsHeaders from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { headerText } from '../service/answer.js';
import { rateHeaders } from './rate-headers.js';
import { windowOfStranger } from './rate-limit.js';

/** What a page of another origin may send, and read of an answer. */
const methods = ['GET', 'HEAD', 'POST'];
const allowedHeaders = ['Authorization', 'Content-Type', 'Accept', 'Idempotency-Key', 'Prefer', 'X-Sim-Fault'];
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

/** Seconds for which a browser need not ask again. */
const maxAge = 600;

/** Lets pages of other origins read answers. The headers stay whatever becomes of the request. @param origins or `*` */
export function shareWith(origins: readonly string[]): RequestHandler {
  const origin = origins.includes('*') ? '*' : [...origins];
  return corsHeaders({ origin, methods, allowedHeaders, exposedHeaders, maxAge, preflightContinue: true });
}

/**
 * Answers the question of a browser whether a page may send a request, which carries no token. It is counted against no
 * limit, and is not logged: how often a browser asks is its own affair.
 */
export function answerPreflight(request: Request, response: Response, next: NextFunction): void {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) {
    next();
    return;
  }
  const { exchange } = request;
  const { account, profile } = exchange;
  const hint = response.hasHeader('Access-Control-Allow-Origin')
    ? {}
    : { 'X-Sim-Hint': headerText(`to let pages of ${origin} call the service, start with --cors ${origin}`) };
  const headers = rateHeaders(windowOfStranger(account, request.socket.remoteAddress), profile, account.now());
  exchange.markInternal(profile);
  exchange.answer(request, response, { status: 204, body: '', headers: { ...headers, ...hint } });
}
