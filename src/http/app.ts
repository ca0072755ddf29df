import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ServiceError } from '../domain/service-error.js';
import type { Account } from '../simulation/account.js';
import type { LoggedRequest } from '../simulation/activity/request-log.js';
import type { World } from '../simulation/world.js';
import { createControlApi } from './control/control-api.js';
import type { ControlOptions } from './control/control-options.js';
import { createDocs } from './document/docs.js';
import { Exchange, isClosing, rememberResponse } from './exchange.js';
import { createHtmlRouter, showNotFoundPage } from './html-router.js';
import { type MessageClasses, useMessageClasses } from './message-classes.js';
import { allowOrigins, answerPreflight } from './middleware/cors.js';
import { requireAllowedHost } from './middleware/host.js';
import { toServiceError } from './service/errors.js';
import type { RespondStatelessly } from './service/mock-response.js';
import { createService } from './service/service.js';

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}

export interface AppOptions extends ControlOptions {
  /** The classes with which `http.createServer` creates request and response objects, adapted to Express. */
  readonly messageClasses: MessageClasses;
  readonly world: World;
  /** Host names to serve besides `localhost` and loopback addresses. More may be added later. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the service; `*` for all. */
  readonly cors?: readonly string[] | undefined;
  /** Responds from the OpenAPI document alone, without records, to a request whose Prefer header asks for that. */
  readonly respondStatelessly: RespondStatelessly;
  /** Receives internal errors of the simulator. */
  readonly onFailure: (error: unknown) => void;
  /** Receives each request to the service when it has ended. */
  readonly onRequest?: ((request: LoggedRequest, account: Account) => void) | undefined;
}

/** Builds the app; middleware runs top to bottom. */
export function createApp(options: AppOptions): Express {
  const { world } = options;
  const app = express();
  useMessageClasses(app, options.messageClasses);
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(openExchange(options));
  const allowCors = options.cors && options.cors.length > 0 ? allowOrigins(options.cors) : undefined;
  // Before the host check, so that a page of another origin can also read the error about an unknown host.
  if (allowCors) app.use(['/api/v1', '/openapi.json'], allowCors);
  app.use(requireAllowedHost(() => hostsOf(options)));
  if (allowCors) app.use('/api/v1', answerPreflight);
  app.use('/api/v1', createService(world, options.views, options.respondStatelessly));
  app.use('/_sim', createControlApi(world, options));
  app.use(createHtmlRouter(world, options));
  app.use(createDocs(world, options.publicUrl));
  app.use(showNotFoundPage(world));
  app.use(refuseUnknownRoute);
  app.use(respondWithError);
  return app;
}

/**
 * The hosts to serve, in addition to local ones. Some reverse proxies forward the public host; others replace it with
 * the host at which they reach the simulator.
 */
function hostsOf({ allowedHosts, publicUrl }: AppOptions): string[] {
  return [...allowedHosts, ...(publicUrl ? [publicUrl.hostname] : [])];
}

/** Opens an exchange for every request. A request on a connection that is about to close is ignored. */
function openExchange(options: AppOptions) {
  let requestCount = 0;
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isClosing(request.socket)) {
      request.resume();
      return;
    }
    rememberResponse(request.socket, response);
    requestCount += 1;
    request.exchange = new Exchange(`req_${requestCount}`, request, response, options);
    next();
  };
}

function refuseUnknownRoute(): never {
  throw new ServiceError('route-not-found', { hint: 'the service is under /api/v1, its documentation under /docs' });
}

/**
 * Error handler: responds to a ServiceError, and to an error of the router that `toServiceError` converts to one. Any
 * other error is a bug in the simulator.
 */
function respondWithError(error: unknown, request: Request, response: Response, _next: NextFunction): void {
  // Express recognizes an error handler by its four parameters.
  const { exchange } = request;
  const serviceError = toServiceError(error);
  if (!serviceError) {
    exchange.fail(error);
    return;
  }
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  try {
    exchange.respondWithError(serviceError);
  } catch (failure) {
    // Otherwise, Express would respond with an HTML page.
    exchange.fail(failure);
  }
}
