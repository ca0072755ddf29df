import type { ClauseContext, Setup } from '../../engine/session.js';
import type { CreatedRecord } from '../created-records.js';
import { createdSoFar } from '../created-records.js';
import { freeTextLink, largeLink, newLink, sameDescriptionLink, unusualLink, usdLink } from './setups.js';

/** Setups that create links, besides `newLink`. */
const creations: readonly Setup<unknown>[] = [sameDescriptionLink, freeTextLink, unusualLink, usdLink, largeLink];

/**
 * Returns the links that the suite has created with valid bodies, each as the response to its creation shows it.
 * @throws Skip or Blocked if not even a simple link can be created
 */
export async function createdLinks(context: ClauseContext): Promise<CreatedRecord[]> {
  await context.use(newLink);
  for (const creation of creations) await context.runIfPossible(creation);
  return createdSoFar(context, 'createPaymentLink');
}
