import { setup } from '../../engine/session.js';
import { type CreatedRecord, withRecord } from '../created-records.js';
import { asciiDescription, freeTextLink, linkWithDescription } from '../payment-links/setups.js';

/** End of the descriptions of `concurrentLinks`, by which a mutant recognizes them. */
export const concurrentDescriptionEnd = 'Twice';

/**
 * A link whose description yields the slug `…-2`. Since it occupies this slug, the second of `concurrentLinks` cannot
 * get it.
 */
export const numberedLink = linkWithDescription(
  'a link that occupies the slug that a later link would get',
  (context) => `${asciiDescription(context)}${concurrentDescriptionEnd}-2`,
);

/** Two links with the same description, created concurrently. @throws Blocked if one of them was not created */
export const concurrentLinks = setup(
  'two links that are created concurrently with the same description',
  async (context): Promise<readonly [CreatedRecord, CreatedRecord]> => {
    await context.runIfPossible(numberedLink);
    const body = {
      description: `${asciiDescription(context)}${concurrentDescriptionEnd}`,
      amount: 20,
      currency: 'EUR',
    };
    const create = async (): Promise<CreatedRecord> =>
      withRecord({ body, exchange: await context.post('/payment-links', body) });
    return Promise.all([create(), create()]);
  },
);

/**
 * A link with the description of `freeTextLink`, but with dashes for spaces. Both descriptions could yield the same
 * slug.
 */
export const dashedLink = linkWithDescription('a link with dashes for spaces', async (context) => {
  const { body } = await context.use(freeTextLink);
  return String(body['description']).replaceAll(' ', '-');
});
