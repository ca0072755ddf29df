import express, { type RequestHandler, type Router } from 'express';
import { lazy } from '../lib/lazy.js';
import type { World } from '../simulation/world.js';
import type { ControlOptions } from './control/control-options.js';
import { servePackageFolder } from './package-folder.js';

/** Serves style sheets, scripts and icons as copied by the build. */
const serveAsset = servePackageFolder('dist/assets');

/** Matches the start page, and the pages of guests and of the dashboard. */
const pagePaths = /^\/(?:$|(?:pay|authorize|dashboard)(?:\/|$))/;

/** Serves the pages for browsers: the guest pages and the dashboard. */
export function createHtmlRouter(world: World, options: ControlOptions): Router {
  const pages = express.Router({ caseSensitive: true, strict: true });
  // Loaded on first use, since most simulators never need it.
  const loadPageRouter = lazy(async () =>
    (await import('./dashboard/routing/router.js')).createPageRouter(world, options),
  );

  pages.use('/assets', serveAsset);
  // Browsers request this path even if no page links to it.
  pages.get('/favicon.ico', serveAsset);
  pages.use(async (request, response, next) => {
    if (!pagePaths.test(request.path)) {
      next();
      return;
    }
    request.exchange.markInternal();
    const serve = await loadPageRouter();
    serve(request, response, next);
  });
  return pages;
}

/** Middleware for addresses that nothing serves: shows browsers an HTML page. Programs get the error as JSON. */
export function showNotFoundPage(world: World): RequestHandler {
  return async (request, _response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    request.exchange.markInternal();
    const { notFoundResponse } = await import('./dashboard/routing/error-page-response.js');
    request.exchange.respond(notFoundResponse(world, request));
  };
}
