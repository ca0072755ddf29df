import express, { type Request, type Response, type Router } from 'express';
import { invalid, ServiceError } from '../../domain/service-error.js';
import { meant, quote } from '../../lib/schema-errors.js';
import type { Intake } from '../../openapi/schemas.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import { readJson, readLargeJson } from '../middleware/body.js';
import { parameterOf, searchOf } from '../service/query.js';
import { refuseUnknownRoute } from '../service/unknown-route.js';
import type { ControlOptions } from './control-options.js';
import type { ControlRoutes, FeedId, RouteId } from './handler.js';
import { carryOut, isRoute } from './invoke-operation.js';
import { type ControlOperation, readOperations } from './operations.js';
import { createControlRoutes, feeds } from './routes.js';
import { createStreams, type Streams } from './stream.js';
import { inControlWords } from './words.js';

/** Serves the operations of the control document. */
export function createControlRouter(world: World, options: ControlOptions): Router {
  const routes = createControlRoutes(world, options.views, options.forms);
  const streams = createStreams(options.stopping);
  const operations = readOperations();
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const operation of operations) {
    const { id, path, method } = operation;
    const at = path.replace(/\{(\w+)\}/g, ':$1');
    if (isFeed(operation)) router.get(at, follow(world, streams, operation));
    else if (isRoute(routes, operation)) {
      const read = method === 'get' ? [] : [id === 'createAccount' ? readLargeJson : readJson];
      router[method](at, ...read, perform(world, routes, operation));
    }
  }
  router.use(refuseUnknownRoute(operations));
  router.use(inControlWords);
  return router;
}

/** Operations that may make what they change, and whether they are about to. */
const makes: { readonly [Id in RouteId]?: (account: Account, name: string) => boolean } = {
  putScenario: (account, name) => !account.scenarios.has(name),
};

function perform<Id extends RouteId>(world: World, routes: ControlRoutes, operation: ControlOperation<Id>) {
  return (request: Request, response: Response): void | Promise<void> => {
    const account = accountOf(world, request);
    const name = nameOf(request);
    const status = makes[operation.id]?.(account, name) ? 201 : operation.status;
    const result = carryOut(routes, operation, {
      account,
      query: queryOf(request, operation.intake().query),
      // What is only read takes no body, and none is looked at.
      body: request.body === undefined ? {} : request.body,
      name,
    });
    const answer = (value: unknown): void =>
      request.exchange.answer(request, response, { status, body: JSON.stringify(value) });
    // At once where it can be: what the operation has changed may be refused by the store in the meantime.
    return result instanceof Promise ? result.then(answer) : answer(result);
  };
}

function follow(world: World, streams: Streams, { id, intake }: ControlOperation<FeedId>) {
  return (request: Request, response: Response): Promise<void> => {
    const account = accountOf(world, request);
    queryOf(request, intake().query);
    return streams.open(account, feeds[id](account), request, response);
  };
}

/** The account of the path, with what is due settled; the default one where the path has none. @throws ServiceError account-unknown */
function accountOf(world: World, { params }: Request) {
  const id = params['account'];
  const account = id === undefined ? world.fallback() : world.accounts.get(String(id));
  if (!account) throw new ServiceError('account-unknown');
  account.schedule.settleDue();
  return account;
}

/** The parameter of the path beside the account. */
function nameOf({ params }: Request): string {
  const { account: _account, ...others } = params;
  return String(Object.values(others)[0] ?? '');
}

/** @throws ServiceError invalid, for parameters that there are not */
function queryOf(request: Request, parameters: Intake<unknown, unknown>['query']): object {
  const search = searchOf(request);
  const known = parameters.map(({ name }) => name);
  for (const name of search.keys()) {
    if (!known.includes(name)) {
      throw invalid(name, 'said', { message: `unknown parameter ${quote(name)}${meant(name, known)}` });
    }
  }
  const given = parameters.filter(({ name }) => search.has(name));
  return Object.fromEntries(given.map((parameter) => [parameter.name, parameterOf(search, parameter)]));
}

function isFeed(operation: ControlOperation): operation is ControlOperation<FeedId> {
  return Object.hasOwn(feeds, operation.id);
}
