import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '../domain/refusal.js';

/** A page of another site must not change anything here, though a browser lets it send the request. @throws Refusal origin-foreign */
export function refuseForeignOrigin(request: Request, _response: Response, next: NextFunction): void {
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
