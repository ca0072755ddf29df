import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { resolveProfile } from '../openapi/profile.js';
import type { World } from '../simulation/world.js';
import type { ControlOptions } from './control/control-options.js';

/** What the build has copied; the same folder from `src/http` and from `dist/http`. */
const assets = fileURLToPath(new URL('../../dist/http/dashboard/assets/', import.meta.url));

const paths = /^\/(?:$|(?:pay|authorize|dashboard)(?:\/|$))/;

/** What people see in a browser: the pages that guests are sent to, and the dashboard. */
export function createPages(world: World, options: ControlOptions): Router {
  const pages = express.Router({ caseSensitive: true, strict: true });
  // Errors read the same whatever the profiles say.
  const profile = resolveProfile({});
  const setHeaders = (response: Response): Response => response.setHeader('X-Content-Type-Options', 'nosniff');
  let served: Promise<Router> | undefined;

  const serveAsset = express.static(assets, { index: false, redirect: false, setHeaders });

  pages.use('/assets', serveAsset);
  // Browsers ask for it by themselves, wherever they are.
  pages.get('/favicon.ico', serveAsset);
  // Loaded when first asked for, since most starts are not.
  pages.use(async (request, response, next) => {
    if (!paths.test(request.path)) {
      next();
      return;
    }
    request.exchange.markInternal(profile);
    served ??= import('./dashboard/routing/router.js').then((module) => module.createPageRouter(world, options));
    const serve = await served;
    serve(request, response, next);
  });
  return pages;
}

/** Shows a page to a browser that asks for an address which nothing serves. A program is left to the error as JSON. */
export function showUnknownAddress(world: World): RequestHandler {
  const profile = resolveProfile({});
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    request.exchange.markInternal(profile);
    const { unknownAddress } = await import('./dashboard/routing/refusal-page.js');
    request.exchange.answer(request, response, unknownAddress(world, request));
  };
}
