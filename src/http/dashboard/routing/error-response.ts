import type { Request } from 'express';
import { ServiceError } from '../../../domain/service-error.js';
import type { World } from '../../../simulation/world.js';
import type { Answer } from '../../service/answer.js';
import { errorText } from '../../service/errors.js';
import { errorPage } from '../components/error-page.js';
import { htmlAnswer } from './answer.js';
import { suggestedLinks } from './suggested-links.js';

/** The page for an unknown URL. */
export function notFoundPage(world: World, request: Request): Answer {
  return errorResponse(world, request, new ServiceError('route-unknown', { hint: 'no page exists at this address' }));
}

/** The error page for a request, with links to related pages. */
export function errorResponse(world: World, { exchange, path }: Request, serviceError: ServiceError): Answer {
  const { status, error } = errorText(serviceError, exchange.profile);
  const title = serviceError.code === 'route-unknown' ? 'Page not found' : error;
  return htmlAnswer(errorPage(title, serviceError.hint, suggestedLinks(world, path)), status);
}
