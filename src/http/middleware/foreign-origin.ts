import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../../domain/service-error.js';

/**
 * Refuses state-changing requests from pages of another origin: a browser sends them, even though the page cannot read
 * the response.
 * @param publicOrigin the origin at which browsers reach the simulator behind a reverse proxy
 */
export function refuseForeignOrigin(publicOrigin: string | undefined) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    const isForeignOrigin = origin !== undefined && origin !== `http://${host}` && origin !== publicOrigin;
    const isCrossOrigin = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (isForeignOrigin || isCrossOrigin) throw new ServiceError('origin-not-allowed', { hint });
    next();
  };
}

const hint = 'behind a reverse proxy, start with --public-url and the URL in the address bar of the browser';
