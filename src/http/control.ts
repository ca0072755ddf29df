import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { Refusal } from '../domain/refusal.js';
import { version } from '../generated/version.js';
import type { World } from '../simulation/create-world.js';
import type { Forms } from './control/forms.js';
import { resolveProfile } from './profile.js';
import type { Views } from './views.js';

export interface ControlOptions {
  readonly views: Views;
  /** What requests to the control API must carry as a bearer token. */
  readonly controlToken: string | undefined;
  readonly forms: Forms;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** The control API under `/_sim`: what is done to the simulator rather than asked of the service. */
export function createControl(world: World, options: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true });
  const reply = (request: Request, response: Response, value: unknown): void =>
    request.exchange.answer(request, response, { status: 200, body: JSON.stringify(value) });
  // Errors read the same whatever the profiles say.
  const profile = resolveProfile({});
  let operations: Promise<Router> | undefined;

  control.use((request, _response, next) => {
    request.exchange.leaveService(profile);
    next();
  });
  control.get('/health', (request, response) => reply(request, response, { status: 'ok', version }));
  control.get('/openapi.json', async (request, response) => {
    const { controlDocument } = await import('../generated/control-document.js');
    reply(request, response, controlDocument);
  });
  control.use(refuseForeignOrigin, demandToken(options.controlToken));
  // Loaded when first asked for, since most starts are not.
  control.use(async (request, response, next) => {
    operations ??= import('./control/router.js').then((module) => module.createControlRouter(world, options));
    const serve = await operations;
    serve(request, response, next);
  });
  return control;
}

/** A page of another site must not change anything here, though a browser lets it send the request. */
function refuseForeignOrigin(request: Request, _response: Response, next: NextFunction): void {
  if (request.method === 'GET' || request.method === 'HEAD') {
    next();
    return;
  }
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite) throw new Refusal('origin-foreign');
  next();
}

/** Control is open on loopback; where a token was set, it is demanded. */
function demandToken(expected: string | undefined) {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = expected === undefined ? undefined : digest(expected);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (wanted && (given === undefined || !timingSafeEqual(wanted, digest(given)))) {
      throw new Refusal('control-token', { hint: 'send Authorization: Bearer and the value of --control-token' });
    }
    next();
  };
}
