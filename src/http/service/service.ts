import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import type { Operation } from '../../openapi/document.js';
import type { Account } from '../../simulation/account.js';
import { lockKey, scopedKey, storedError } from '../../simulation/operations/idempotency.js';
import type { World } from '../../simulation/world.js';
import { nextCommand, urlUnlessDefault } from '../../text/next-command.js';
import { apiOf } from '../document/profiles.js';
import type { Exchange } from '../exchange.js';
import { readJson } from '../middleware/body.js';
import { corsHint } from '../middleware/cors.js';
import { routeNotFound } from '../route-not-found.js';
import { FaultPlan } from './faults/fault-plan.js';
import { type RespondStatelessly, sendPreferredResponse } from './mock-response.js';
import { onceClosed, type ResponseData } from './response.js';
import { createRoutes, type Routes } from './routes.js';
import {
  ignoredKeyHint,
  queryHint,
  queryParamsOf,
  readId,
  readKey,
  unknownFieldsHint,
  validateBody,
  validateQuery,
} from './validation.js';
import type { Views } from './views.js';

/**
 * Serves the Billing Service under `/api/v1`: a request passes through `receive`, `route` and `respond`, top to
 * bottom. They call each other instead of returning promises, since most requests wait for nothing.
 */
export function createService(world: World, views: Views, respondStatelessly: RespondStatelessly): RequestHandler {
  const routes = createRoutes(views, world.accounts);

  const receive = (request: Request, response: Response, next: NextFunction): void => {
    const { exchange } = request;
    exchange.hasReachedService = true;
    identifyAccount(world, request);
    exchange.countRequest();
    const faultHeader = request.headers['x-sim-fault'];
    if (faultHeader === undefined) {
      planFaults(exchange);
      route(request, response, next);
      return;
    }
    const faults = new FaultPlan(exchange);
    exchange.faults = faults;
    // The header is read before any check that may refuse the request, so that error responses can be faulty, too.
    readFaultHeader(String(faultHeader), faults)
      .then(() => route(request, response, next))
      .catch(next);
  };

  const route = (request: Request, response: Response, next: NextFunction): void => {
    const { exchange, headers } = request;
    enforceRateLimit(views, exchange);
    requireToken(request);
    const { operation, parameter } = findOperation(request);
    exchange.operation = operation;
    requireScope(operation, exchange);
    const preferredResponse = headers['prefer'] && sendPreferredResponse(respondStatelessly, operation, request);
    if (preferredResponse) {
      preferredResponse.catch(next);
      return;
    }
    const key = claimKey(operation, request, response);
    if (operation.takesBody) {
      readJson(request, response, (error) => (error ? next(error) : respond(request, next, parameter, key)));
    } else respond(request, next, parameter, key);
  };

  const respond = (request: Request, next: NextFunction, parameter: string, key: string | undefined): void => {
    const { exchange } = request;
    // From here on, errors are stored for the key. A body that could not be read does not use it up.
    exchange.scopedKey = key;
    // The first fault may have been added while the body was read.
    planFaults(exchange);
    try {
      if (exchange.faults?.shortCircuit()) exchange.respond(placeholderResponse);
      else if (exchange.operation) handle(routes, exchange.operation.id, request, parameter);
    } catch (error) {
      // Express does not catch errors that are thrown in callbacks.
      next(error);
    }
  };

  return receive;
}

/**
 * Finds the account of the token, and runs its due agenda items. A request without a valid token is refused only
 * later, by `requireToken`, after the rate limit has been checked.
 */
function identifyAccount(world: World, { exchange, headers }: Request): void {
  const token = bearerToken(headers.authorization);
  if (token === undefined) return;
  const found = world.accounts.findByToken(token);
  if (found) {
    exchange.account = found.account;
    exchange.token = found.token;
    found.account.schedule.runDueItems();
    return;
  }
  const formerAccount = world.accounts.ownerOf(token);
  if (formerAccount) {
    exchange.account = formerAccount;
    exchange.isTokenExpiredOrRevoked = true;
  }
}

function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1];
}

/** Prepares for faults if the account has ever had one. Most accounts have none. */
function planFaults(exchange: Exchange): void {
  if (exchange.account.faults.size > 0) exchange.faults ??= new FaultPlan(exchange);
}

/** @throws ServiceError invalid */
async function readFaultHeader(header: string, faults: FaultPlan): Promise<void> {
  // Loaded on first use, since most requests have no such header.
  const { parseFaultHeader } = await import('../middleware/fault-header.js');
  faults.headerFault = parseFaultHeader(header);
}

/** @throws ServiceError rate-limit-exceeded */
function enforceRateLimit(views: Views, { account, headers, rateReport }: Exchange): void {
  if (rateReport?.isAllowed !== false || !account.record.rate_limit) return;
  const waitSeconds = Math.max(1, Math.ceil((rateReport.allowedAt - account.now()) / 1000));
  headers['Retry-After'] = waitSeconds;
  const target = { account: account.id, url: urlUnlessDefault(views.url()) };
  // `RateLimitClock` goes on in real time while the clock is frozen, so waiting helps in either case.
  const advanceHint = account.clock.isFrozen
    ? ` (in real time, although the clock is frozen), or advance the clock: ${nextCommand(`clock advance ${waitSeconds}s`, target)}`
    : '';
  const offCommand = nextCommand('settings set --rate-limit off', target);
  const hint = `wait as long as Retry-After says${advanceHint}; to turn the limit off: ${offCommand}`;
  throw new ServiceError('rate-limit-exceeded', { hint });
}

/** @throws ServiceError unauthenticated */
function requireToken({ exchange, headers }: Request): void {
  if (exchange.token === undefined) throw new ServiceError('unauthenticated', { hint: tokenHint(exchange, headers) });
}

function tokenHint(
  { account, isTokenExpiredOrRevoked }: Exchange,
  { authorization, origin, 'access-control-request-method': preflight }: IncomingHttpHeaders,
): string {
  if (isTokenExpiredOrRevoked) {
    const reason =
      account.profile['auth.token-lifetime'] === 'never'
        ? 'was revoked'
        : 'has expired (gap auth.token-lifetime) or was revoked';
    return `the token ${reason}; create another on the dashboard`;
  }
  // A preflight request never carries a token.
  if (origin !== undefined && preflight !== undefined) return corsHint(origin);
  if (authorization === undefined) {
    return 'the Authorization header is missing; send Authorization: Bearer and a token of an account, such as those printed at startup';
  }
  const mistake =
    bearerToken(authorization) === undefined
      ? 'the Authorization header does not have the form `Bearer <token>`'
      : 'the token is unknown, perhaps because its account has been removed';
  return `${mistake}; send a token of an account, such as those printed at startup`;
}

interface Route {
  readonly operation: Operation;
  /** Value of the path parameter; empty for paths without one. */
  readonly parameter: string;
}

/**
 * Finds the operation by path and method (gaps request.method, request.not-found).
 * @throws ServiceError route-not-found, method-not-allowed; URIError for a parameter with a broken percent-encoding
 */
function findOperation(request: Request): Route {
  const { exchange, method } = request;
  const { profile } = exchange;
  const { path } = request;
  const api = apiOf(profile);
  const resource = api.resourceAt(path);
  if (!resource) {
    const isKnown = (otherPath: string): boolean => api.resourceAt(otherPath) !== undefined;
    throw routeNotFound(path, { isKnown, examplePath: '/invoices', documentPath: '/openapi.json' });
  }
  const operation = resource.operations.get(method);
  if (!operation) {
    if (profile['request.method'] === '405') exchange.headers['Allow'] = [...resource.operations.keys()].join(', ');
    throw new ServiceError('method-not-allowed');
  }
  return { operation, parameter: decodeURIComponent(resource.parameter) };
}

/** @throws ServiceError scope-missing */
function requireScope({ scope }: Operation, { token }: Exchange): void {
  if (!token?.scopes.includes(scope)) {
    throw new ServiceError('scope-missing', { hint: `the token lacks the scope ${scope}` });
  }
}

/**
 * Reads the Idempotency-Key. If the profile chooses `conflict` for the gap deposit.key-concurrent, also locks the key
 * until the response is closed.
 * @returns the key in its scope; undefined without a key
 * @throws ServiceError key-required, invalid, key-in-use
 */
function claimKey(operation: Operation, { exchange, headers }: Request, response: Response): string | undefined {
  const sentKey = readKey(operation, headers);
  if (sentKey === undefined) return undefined;
  const { account, profile, token } = exchange;
  const key = scopedKey(account, sentKey, token);
  if (profile['deposit.key-concurrent'] === 'conflict') {
    onceClosed(response, lockKey(account, operation.id, key));
  }
  return key;
}

const repeatedErrorHint =
  'the first request with this Idempotency-Key was refused, so its error is returned again; use another key';

/** Returns the error that is stored for a key, if any. */
function repeatedErrorOf(account: Account, operation: OperationId, key: string): ResponseData | undefined {
  const stored = storedError(account, operation, key);
  return stored && { status: stored.status, body: stored.body, headers: { 'X-Sim-Hint': repeatedErrorHint } };
}

/** Replaced by `exchange.respond` with the response of the fault that short-circuits the handler. */
const placeholderResponse = { status: 200, body: '' };

/** Validates the request and calls the handler of its operation. @throws ServiceError */
function handle<Id extends OperationId>(routes: Routes, id: Id, request: Request, parameter: string): void {
  const { exchange } = request;
  const { account, profile, scopedKey: key } = exchange;
  // A stored success is replayed by the handler.
  const repeatedError = key === undefined ? undefined : repeatedErrorOf(account, id, key);
  if (repeatedError) {
    exchange.respond(repeatedError);
    return;
  }
  const operation = apiOf(profile).operation(id);
  const search = queryParamsOf(request);
  // Added before the validation, so that errors have these hints, too: often a required field is missing because it was
  // misspelled.
  exchange.addHint(queryHint(operation, search, profile));
  exchange.addHint(ignoredKeyHint(operation, request.headers));
  if (profile['validation.unknown-fields'] === 'ignored') {
    exchange.addHint(unknownFieldsHint(operation, request.body));
  }
  const validRequest = {
    account,
    status: operation.status,
    id: readId(operation, parameter),
    query: validateQuery(operation, search, profile),
    body: validateBody(operation, request.body),
    idempotencyKey: key,
  };
  // Runs agenda items that became due while the body arrived, and keeps the clock from moving during the handler.
  const responseData = account.schedule.withClockPinned(() =>
    account.activity.duringRequest(exchange.id, () => routes[id](validRequest)),
  );
  if (key === undefined || profile['deposit.key-concurrent'] !== 'conflict') exchange.respond(responseData);
  else {
    sleep(keyedResponseDelayMs)
      .then(() => exchange.respond(responseData))
      .catch((error: unknown) => exchange.fail(error));
  }
}

/**
 * Delay of responses, in milliseconds, if the profile chooses `conflict` for the gap deposit.key-concurrent. Without
 * this delay, no second request could arrive while the first one is in progress. A real service would wait about as
 * long for a card processor.
 */
const keyedResponseDelayMs = 150;
