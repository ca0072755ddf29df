import express, { type RequestHandler, type Response, type Router } from 'express';
import { lazy } from '../lib/lazy.js';
import { packageFile } from '../lib/package-file.js';
import { resolveProfile } from '../openapi/profile.js';
import type { World } from '../simulation/world.js';
import type { ControlOptions } from './control/control-options.js';

/** Serves style sheets, scripts and icons as copied by the build. Created on first use, which finds the folder of the package. */
const assets = lazy(() => express.static(packageFile('dist/assets'), { index: false, redirect: false, setHeaders }));

function setHeaders(response: Response): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

const paths = /^\/(?:$|(?:pay|authorize|dashboard)(?:\/|$))/;

/** Serves the pages for browsers: the guest pages and the dashboard. */
export function createHtmlRouter(world: World, options: ControlOptions): Router {
  const pages = express.Router({ caseSensitive: true, strict: true });
  // Error texts do not depend on the profiles of accounts.
  const profile = resolveProfile({});
  let served: Promise<Router> | undefined;

  const serveAsset: RequestHandler = (request, response, next) => assets()(request, response, next);

  pages.use('/assets', serveAsset);
  // Browsers request it without a link.
  pages.get('/favicon.ico', serveAsset);
  // Loaded on first use, since most runs never need it.
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

/** Responds to a browser with an HTML page for unknown addresses. Programs get the error as JSON. */
export function showUnknownAddress(world: World): RequestHandler {
  const profile = resolveProfile({});
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.accepts(['json', 'html']) !== 'html') {
      next();
      return;
    }
    request.exchange.markInternal(profile);
    const { notFoundPage } = await import('./dashboard/routing/error-response.js');
    request.exchange.answer(request, response, notFoundPage(world, request));
  };
}
