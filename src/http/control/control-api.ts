import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import { version } from '../../generated/version.js';
import { lazy } from '../../lib/lazy.js';
import type { World } from '../../simulation/world.js';
import { documentAtOrigin } from '../document/at-origin.js';
import { controlTokenCheck } from '../middleware/control-token.js';
import { refuseForeignOrigin } from '../middleware/foreign-origin.js';
import type { ControlOptions } from './control-options.js';

/** Serves the control API under `/_sim`. */
export function createControlApi(world: World, options: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true });
  const reply = (request: Request, value: unknown): void =>
    request.exchange.respond({ status: 200, body: JSON.stringify(value) });
  // Loaded on first use, since most simulators never need it.
  const loadOperationsRouter = lazy(async () => (await import('./router.js')).createControlRouter(world, options));

  control.use((request, _response, next) => {
    request.exchange.markInternal();
    next();
  });
  control.get('/health', (request) => reply(request, { status: 'ok', version, started_at: options.startedAt }));
  control.get('/openapi.json', async (request) => {
    const { controlDocument } = await import('../../generated/control-document.js');
    reply(request, documentAtOrigin(controlDocument, request, options.publicUrl));
  });
  control.use(refuseForeignOrigin(options.publicUrl?.origin), requireControlToken(options.controlToken));
  control.use(async (request, response, next) => {
    const serve = await loadOperationsRouter();
    serve(request, response, next);
  });
  return control;
}

/** Requires the control token if one was configured. */
function requireControlToken(expected: string | undefined) {
  const isControlToken = controlTokenCheck(expected);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isControlToken(/^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1])) {
      throw new ServiceError('control-token-invalid', {
        hint: 'send `Authorization: Bearer <token>`, where the token is the value of --control-token',
      });
    }
    next();
  };
}
