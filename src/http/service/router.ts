import type { IncomingHttpHeaders } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/billing-document.js';
import type { Operation } from '../../openapi/document.js';
import { keptRefusal, occupyKey, ownedKey } from '../../simulation/operations/idempotency.js';
import type { World } from '../../simulation/world.js';
import { apiOf } from '../document/profiles.js';
import { readJson } from '../middleware/body.js';
import { type AnswerStatelessly, preferredAnswer } from './mock-response.js';
import { searchOf } from './query.js';
import { createRoutes, type Routes } from './routes.js';
import { rejectUnknownRoute } from './unknown-route.js';
import { readId, readKey, validateQuery } from './validation.js';
import type { Views } from './views.js';
import { validated } from './violations.js';

/** Serves the Billing Service under `/api/v1`. Middleware runs top to bottom. */
export function createService(world: World, views: Views, answerStatelessly: AnswerStatelessly): Router {
  const routes = createRoutes(views, world.accounts);
  const service = express.Router({ caseSensitive: true, strict: true });
  service.use(authenticate(world));
  service.use(countRequest);
  service.use(dropTrailingSlash);
  service.use(readFaultHeader);
  service.use(enforceRateLimit);
  service.use(requireToken);
  for (const id of literalPathsFirst(world)) serve(service, { world, routes, answerStatelessly }, id);
  service.use(rejectUnknownRoute(apiOf(world.fallback().profile).operations));
  return service;
}

/** `/invoices/stats` is an endpoint of its own (specification, Endpoints), so it must match before `/invoices/{invoice}`. */
function literalPathsFirst(world: World): OperationId[] {
  const { operations } = apiOf(world.fallback().profile);
  return [...operations]
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map(({ id }) => id);
}

/** Finds the account of the token (specification, Authentication). */
function authenticate(world: World) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const { exchange } = request;
    exchange.isService = true;
    const token = bearerToken(request.headers.authorization);
    const found = token === undefined ? undefined : world.accounts.ofToken(token);
    if (found) {
      exchange.account = found.account;
      exchange.token = found.token;
      found.account.schedule.settleDue();
    } else if (token !== undefined) exchange.owner = world.accounts.ownerOf(token);
    next();
  };
}

function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1];
}

function countRequest(request: Request, _response: Response, next: NextFunction): void {
  request.exchange.countRequest(request);
  next();
}

/** Ignores slashes at the end of the path if the profile says so (gap request.trailing-slash). */
function dropTrailingSlash(request: Request, _response: Response, next: NextFunction): void {
  if (request.exchange.profile['request.trailing-slash'] === 'ignored') {
    request.url = request.url.replace(/^(\/[^?]*[^?/])\/+(?=\?|$)/, '$1');
  }
  next();
}

/**
 * Reads the `X-Sim-Fault` header before any check that may reject the request, so that error responses can be faulty, too.
 * @throws ServiceError invalid
 */
function readFaultHeader(request: Request, _response: Response, next: NextFunction): void | Promise<void> {
  const header = request.headers['x-sim-fault'];
  if (header !== undefined) return setHeaderFault(String(header), request, next);
  next();
}

async function setHeaderFault(header: string, { exchange }: Request, next: NextFunction): Promise<void> {
  // Loaded on first use, since most requests have no such header.
  const { parseFaultHeader } = await import('../middleware/fault-header.js');
  exchange.faults.headerFault = parseFaultHeader(header);
  next();
}

/** @throws ServiceError rate-exceeded */
function enforceRateLimit({ exchange }: Request, _response: Response, next: NextFunction): void {
  const { account, rate } = exchange;
  if (rate?.allowed === false && account.record.rate_limit) {
    exchange.headers['Retry-After'] = Math.max(1, Math.ceil((rate.resetAt - account.now()) / 1000));
    const wait = exchange.headers['Retry-After'];
    const advance = account.clock.isFrozen ? `, or advance the frozen clock: billing-sim clock advance ${wait}s` : '';
    const hint = `wait as long as Retry-After says${advance}; start with --rate-limit off to turn the limit off`;
    throw new ServiceError('rate-exceeded', { hint });
  }
  next();
}

/** @throws ServiceError unauthenticated */
function requireToken({ exchange, headers }: Request, _response: Response, next: NextFunction): void {
  if (exchange.token === undefined) throw new ServiceError('unauthenticated', { hint: tokenHint(headers) });
  next();
}

function tokenHint({ origin, 'access-control-request-method': preflight }: IncomingHttpHeaders): string {
  // A preflight request has no token yet.
  return origin !== undefined && preflight !== undefined
    ? `to let pages of ${origin} call the service, start with --cors ${origin}`
    : 'send Authorization: Bearer and one of the tokens printed at the start';
}

/** Dependencies of the handlers. */
interface Served {
  readonly world: World;
  readonly routes: Routes;
  readonly answerStatelessly: AnswerStatelessly;
}

/** Adds the route of one operation. */
function serve<Id extends OperationId>(service: Router, { world, routes, answerStatelessly }: Served, id: Id): void {
  // Paths, methods and scopes are the same in every profile. Everything else comes from the account's own document.
  const { path, method, takesBody } = apiOf(world.fallback().profile).operation(id);

  const prepare = (request: Request, response: Response, next: NextFunction): void | Promise<void> => {
    const { exchange } = request;
    const operation = apiOf(exchange.profile).operation(id);
    exchange.operation = operation;
    if (!exchange.token?.scopes.includes(operation.scope)) {
      throw new ServiceError('scope-missing', { hint: `the token lacks the scope ${operation.scope}` });
    }
    const preferred = request.headers['prefer'] && preferredAnswer(answerStatelessly, operation, request, response);
    if (preferred) return preferred;
    const given = readKey(operation, request.headers);
    const key = given === undefined ? undefined : ownedKey(exchange.account, given, exchange.token);
    // Before `exchange.key` is set: a key-in-use error must not be stored for the key.
    if (key !== undefined) occupy(key, operation, request, response);
    exchange.key = key;
    const storedError = exchange.key === undefined ? undefined : keptRefusal(exchange.account, id, exchange.key);
    if (storedError) exchange.answer(request, response, storedError);
    else next();
  };

  const shortCircuit = (request: Request, response: Response, next: NextFunction): void => {
    const { exchange } = request;
    if (exchange.faults.shortCircuit(request)) exchange.answer(request, response, notHandled);
    else next();
  };

  const handle = (request: Request, response: Response): void => {
    const { account, profile, key } = request.exchange;
    // Agenda items may have become due while the body arrived.
    account.schedule.settleDue();
    const api = apiOf(profile);
    const operation = api.operation(id);
    const answer = routes[id]({
      account,
      api,
      status: operation.status,
      id: readId(operation, request.params),
      query: validateQuery(operation, searchOf(request), profile),
      body: validated(operation.validateBody, operation.withoutNulls(request.body)),
      idempotencyKey: key,
    });
    if (key === undefined || profile['deposit.key-concurrent'] === 'shared') {
      request.exchange.answer(request, response, answer);
      return;
    }
    setTimeout(() => request.exchange.answer(request, response, answer), keyedAnswerDelayMs);
  };

  service[method](path.replace(/\{(\w+)\}/g, ':$1'), prepare, ...(takesBody ? [readJson] : []), shortCircuit, handle);
}

/**
 * Under gap deposit.key-concurrent a second request conflicts while the first one runs. A delay makes that observable:
 * it is as long as a real service would wait for a card processor.
 */
const keyedAnswerDelayMs = 150;

/** Locks the key of a request until its response is closed. @throws ServiceError key-in-use (gap deposit.key-concurrent) */
function occupy(key: string, operation: Operation, { exchange }: Request, response: Response): void {
  if (exchange.profile['deposit.key-concurrent'] !== 'conflict') return;
  response.once('close', occupyKey(exchange.account, operation.id, key));
}

/** Replaced by the fault that short-circuits the handler. */
const notHandled = { status: 200, body: '' };
