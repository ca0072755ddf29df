import type { Request } from 'express';
import { ServiceError } from '../../../domain/service-error.js';
import type { World } from '../../../simulation/world.js';
import { errorText } from '../../service/errors.js';
import type { ResponseData } from '../../service/response.js';
import { errorPage } from '../components/error-page.js';
import { htmlResponse } from './responses.js';
import { suggestedLinks } from './suggested-links.js';

/** The page for an unknown URL. */
export function notFoundResponse(world: World, request: Request): ResponseData {
  return errorPageResponse(
    world,
    request,
    new ServiceError('route-not-found', { hint: 'no page exists at this address' }),
  );
}

/** The error page for a request, with links to related pages. */
export function errorPageResponse(world: World, { exchange, path }: Request, serviceError: ServiceError): ResponseData {
  const { status, error } = errorText(serviceError, exchange.profile);
  const title = serviceError.code === 'route-not-found' ? 'Page not found' : error;
  return htmlResponse(errorPage(title, serviceError.hint, suggestedLinks(world, path)), status);
}
