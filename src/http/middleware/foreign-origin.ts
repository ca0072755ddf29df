import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../../domain/service-error.js';

/**
 * Refuses changes that a page of another site sends: a browser lets it, though the page cannot read the answer.
 * @param publicOrigin where browsers reach the simulator, if a reverse proxy stands before it
 */
export function refuseForeignOrigin(publicOrigin: string | undefined) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    const foreignOrigin = origin !== undefined && origin !== `http://${host}` && origin !== publicOrigin;
    const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (foreignOrigin || foreignSite) throw new ServiceError('origin-foreign', { hint });
    next();
  };
}

const hint = 'behind a reverse proxy, start with --public-url and the URL that browsers show';
