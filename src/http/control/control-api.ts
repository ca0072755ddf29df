import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { ServiceError } from '../../domain/service-error.js';
import { version } from '../../generated/version.js';
import { resolveProfile } from '../../openapi/profile.js';
import type { World } from '../../simulation/world.js';
import { controlTokenCheck } from '../middleware/control-token.js';
import { refuseForeignOrigin } from '../middleware/foreign-origin.js';
import type { ControlOptions } from './control-options.js';

/** The control API under `/_sim`: what is done to the simulator rather than asked of the service. */
export function createControl(world: World, options: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true });
  const reply = (request: Request, response: Response, value: unknown): void =>
    request.exchange.answer(request, response, { status: 200, body: JSON.stringify(value) });
  // Errors read the same whatever the profiles say.
  const profile = resolveProfile({});
  let operations: Promise<Router> | undefined;

  control.use((request, _response, next) => {
    request.exchange.markInternal(profile);
    next();
  });
  control.get('/health', (request, response) => reply(request, response, { status: 'ok', version }));
  control.get('/openapi.json', async (request, response) => {
    const { controlDocument } = await import('../../generated/control-document.js');
    reply(request, response, controlDocument);
  });
  control.use(refuseForeignOrigin(options.publicUrl?.origin), demandToken(options.controlToken));
  // Loaded when first asked for, since most starts are not.
  control.use(async (request, response, next) => {
    operations ??= import('./router.js').then((module) => module.createControlRouter(world, options));
    const serve = await operations;
    serve(request, response, next);
  });
  return control;
}

/** Control is open on loopback; where a token was set, it is demanded. */
function demandToken(expected: string | undefined) {
  const isControlToken = controlTokenCheck(expected);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isControlToken(/^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1])) {
      throw new ServiceError('control-token', { hint: 'send Authorization: Bearer and the value of --control-token' });
    }
    next();
  };
}
