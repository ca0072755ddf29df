import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { ignoreDetails, type LogDetails } from '../../domain/activity.js';
import { invalidField, ServiceError } from '../../domain/service-error.js';
import type { OperationId } from '../../generated/control-document.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { quote } from '../../lib/messages.js';
import { pathPattern } from '../../lib/path-template.js';
import type { RequestValidators } from '../../openapi/schemas.js';
import type { Account } from '../../simulation/account.js';
import type { World } from '../../simulation/world.js';
import { accountOfPath } from '../account-of-path.js';
import { readJson, readLargeJson, readSnapshotJson } from '../middleware/body.js';
import { routeNotFound } from '../route-not-found.js';
import { parameterOf, queryParamsOf } from '../service/validation.js';
import type { ControlOptions } from './control-options.js';
import { withControlMessages } from './error-messages.js';
import { invokeOperation } from './invoke-operation.js';
import {
  type ControlOperation,
  type ControlRoutes,
  type HandledOperationId,
  operationsInMatchingOrder,
  type StreamOperationId,
} from './operations.js';
import { createControlRoutes, feeds } from './routes.js';
import { Streams } from './stream.js';

/** Serves the operations of the control API, except the two that `control-api.ts` itself serves. */
export function createControlRouter(world: World, options: ControlOptions): Router {
  const routes = createControlRoutes(world, options);
  const streams = new Streams(options.stopping);
  const operations = operationsInMatchingOrder();
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const operation of operations) {
    const { id, path, method } = operation;
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1');
    if (isStream(operation)) router.get(expressPath, openStream(world, streams, operation));
    else if (hasHandler(routes, operation)) {
      const readers = method === 'get' ? [] : [bodyReaders[id] ?? readJson];
      router[method](expressPath, ...readers, handlerOf(world, routes, operation));
    }
  }
  router.use(refuseUnknownRoute(operations));
  router.use(withControlMessages);
  return router;
}

/** Body readers of operations that accept larger bodies than the other operations. */
const bodyReaders: { readonly [Id in OperationId]?: RequestHandler } = {
  createAccount: readLargeJson,
  importSnapshot: readSnapshotJson,
};

/**
 * Operations that replace or create a row, each with a function that returns true if the row is new. In that case the
 * status is 201.
 */
const isNewRow: { readonly [Id in HandledOperationId]?: (account: Account, name: string) => boolean } = {
  putScenario: (account, name) => !account.scenarios.has(name),
};

function handlerOf<Id extends HandledOperationId>(
  world: World,
  routes: ControlRoutes,
  operation: ControlOperation<Id>,
) {
  return (request: Request): void | Promise<void> => {
    const account = accountOfPath(world, request);
    const name = nameOf(request);
    const status = isNewRow[operation.id]?.(account, name) ? 201 : operation.status;
    const invoke = (logDetails: LogDetails) =>
      invokeOperation(routes, operation, {
        account,
        query: queryOf(request, operation.validators().queryParameters),
        // Only GET operations, which take no body, have no `request.body`.
        body: request.body === undefined ? {} : request.body,
        name,
        logDetails,
      });
    const action = { by: 'control-api', operation: operation.id } as const;
    const result =
      operation.method === 'get' ? invoke(ignoreDetails) : account.activity.duringAction(action, account.now(), invoke);
    const respond = (value: unknown): void => request.exchange.respond({ status, body: JSON.stringify(value) });
    // `exchange.respond` waits until the changes so far are stored, and reports if storing fails. It must be
    // called at once: a storage failure before the call would not be reported. So a plain value is not awaited.
    return result instanceof Promise ? result.then(respond) : respond(result);
  };
}

function openStream(world: World, streams: Streams, { id, validators }: ControlOperation<StreamOperationId>) {
  return (request: Request, response: Response): Promise<void> => {
    const account = accountOfPath(world, request);
    // Called only to refuse unknown and repeated query parameters.
    queryOf(request, validators().queryParameters);
    return streams.open(account, feeds[id](account), request, response);
  };
}

/** The path parameter that is not the account; empty if the path has none. */
function nameOf({ params }: Request): string {
  const { account: _account, ...others } = params;
  return String(Object.values(others)[0] ?? '');
}

/** @throws ServiceError invalid, for unknown and repeated parameters */
function queryOf(request: Request, parameters: RequestValidators<unknown, unknown>['queryParameters']): object {
  const search = queryParamsOf(request);
  const parameterNames = parameters.map(({ name }) => name);
  for (const name of search.keys()) {
    if (!parameterNames.includes(name)) {
      throw invalidField(name, 'custom', {
        message: `unknown parameter ${quote(name)}${didYouMean(name, parameterNames)}`,
      });
    }
    if (search.getAll(name).length > 1)
      throw invalidField(name, 'custom', { message: `parameter ${quote(name)} must be given only once` });
  }
  const sentParameters = parameters.filter(({ name }) => search.has(name));
  return Object.fromEntries(sentParameters.map((parameter) => [parameter.name, parameterOf(search, parameter)]));
}

/** Returns true for an operation that has a handler. Streams, for example, have none. */
function hasHandler(
  routes: ControlRoutes,
  operation: ControlOperation,
): operation is ControlOperation<HandledOperationId> {
  return Object.hasOwn(routes, operation.id);
}

function isStream(operation: ControlOperation): operation is ControlOperation<StreamOperationId> {
  return Object.hasOwn(feeds, operation.id);
}

/** Refuses unknown paths, and known paths with an unsupported method. */
function refuseUnknownRoute(operations: readonly { readonly path: string; readonly method: string }[]) {
  const routes = operations.map(({ path, method }) => ({
    pattern: pathPattern(path),
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  }));
  return (request: Request): never => {
    const methodsOf = (path: string): string[] =>
      routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    const allowed = methodsOf(request.path);
    if (allowed.length === 0) {
      const isKnown = (path: string): boolean => methodsOf(path).length > 0;
      throw routeNotFound(request.path, { isKnown, examplePath: '/accounts', documentPath: '/_sim/openapi.json' });
    }
    // In the service, a profile can turn 405 into 404. The control API always responds with 405.
    const methods = [...new Set(allowed)].join(', ');
    request.exchange.headers['Allow'] = methods;
    throw new ServiceError('method-not-allowed', { hint: `this path accepts ${methods}` });
  };
}
