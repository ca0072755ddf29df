import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ServiceError } from '../domain/service-error.js';
import type { World } from '../simulation/world.js';
import { createControl } from './control/control-api.js';
import type { ControlOptions } from './control/control-options.js';
import { createDocs } from './document/docs.js';
import { Exchange } from './exchange.js';
import { createPages, showUnknownAddress } from './html-router.js';
import { refusalOf } from './middleware/body.js';
import { answerPreflight, shareWith } from './middleware/cors.js';
import { onlyKnownHosts } from './middleware/host.js';
import type { AnswerStatelessly } from './service/mock-response.js';
import { createService } from './service/router.js';

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}

export interface AppOptions extends ControlOptions {
  readonly world: World;
  /** Host names to serve besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the service; `*` for all. */
  readonly cors?: readonly string[] | undefined;
  /** Answers from the document alone, where a client prefers that. */
  readonly answerStatelessly: AnswerStatelessly;
  /** Told of failures that are the simulator's own. */
  readonly onFailure: (error: unknown) => void;
}

/** The application, not listening yet. Every request takes the one way from top to bottom. */
export function createApp(options: AppOptions): Express {
  const { world } = options;
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(openExchange(options));
  const share = options.cors && options.cors.length > 0 ? shareWith(options.cors) : undefined;
  // Before a host is refused, so that a page can read that.
  if (share) app.use(['/api/v1', '/openapi.json'], share);
  app.use(onlyKnownHosts(hostsOf(options)));
  if (share) app.use('/api/v1', answerPreflight);
  app.use('/api/v1', createService(world, options.views, options.answerStatelessly));
  app.use('/_sim', createControl(world, options));
  app.use(createPages(world, options));
  app.use(createDocs(world));
  app.use(showUnknownAddress(world));
  app.use(refuseUnknownRoute);
  app.use(answerError);
  return app;
}

/** Some proxies pass the public host on, others put that of the simulator in its place. */
function hostsOf({ allowedHosts, publicUrl }: AppOptions): string[] {
  return [...allowedHosts, ...(publicUrl ? [publicUrl.hostname] : [])];
}

function openExchange({ world, onFailure }: AppOptions) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    request.exchange = new Exchange(world, onFailure);
    next();
  };
}

function refuseUnknownRoute(): never {
  throw new ServiceError('route-unknown', { hint: 'the service is under /api/v1, its documentation under /docs' });
}

/** The end of the way for whatever was thrown: a refusal becomes its answer, anything else is a failure of ours. */
function answerError(error: unknown, request: Request, response: Response, _next: NextFunction): void {
  // Express tells an error handler by its four parameters.
  const { exchange } = request;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const refusal = refusalOf(error);
  if (refusal) exchange.refuse(request, response, refusal);
  else exchange.fail(request, response, error);
}
