import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { instant } from '../domain/dates.js';
import { Refusal } from '../domain/refusal.js';
import { version } from '../generated/version.js';
import type { World } from '../simulation/create-world.js';

/** The control API under `/_sim`: what is done to the simulator rather than asked of the service. */
export function createControl(world: World, options: { readonly controlToken: string | undefined }): Router {
  const control = express.Router({ caseSensitive: true, strict: true });
  const reply = (request: Request, response: Response, status: number, value: unknown): void =>
    request.exchange.answer(request, response, { status, body: JSON.stringify(value) });

  control.get('/health', (request, response) => reply(request, response, 200, { status: 'ok', version }));
  control.use(refuseForeignOrigin, demandToken(options.controlToken));

  control.get('/accounts', (request, response) =>
    reply(request, response, 200, {
      accounts: world.accounts.all().map(({ id, record }) => ({ id, created_at: record.created_at })),
    }),
  );

  control.get('/accounts/:account/requests', (request, response) => {
    const account = world.accounts.get(request.params.account);
    if (!account) throw new Refusal('account-unknown');
    const requests = account.requests.latest().map((logged) => ({ ...logged, at: instant(logged.at) }));
    reply(request, response, 200, { requests });
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
