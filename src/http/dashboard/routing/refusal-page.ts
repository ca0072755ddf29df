import type { Request } from 'express';
import { ServiceError } from '../../../domain/service-error.js';
import type { World } from '../../../simulation/world.js';
import type { Answer } from '../../service/answer.js';
import { refusalText } from '../../service/errors.js';
import { refusedPage } from '../components/refused.js';
import { page } from './answer.js';
import { waysOn } from './ways-on.js';

/** The page for an address that nothing serves. */
export function unknownAddress(world: World, request: Request): Answer {
  return refusalPage(world, request, new ServiceError('route-unknown', { hint: 'there is no page at this address' }));
}

/** The page that says why a request was refused, and where to go on. */
export function refusalPage(world: World, { exchange, path }: Request, refusal: ServiceError): Answer {
  const { status, error } = refusalText(refusal, exchange.profile);
  const title = refusal.code === 'route-unknown' ? 'Page not found' : error;
  return page(refusedPage(title, refusal.hint, waysOn(world, path)), status);
}
