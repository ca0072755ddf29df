import { setup } from '../../engine/session.js';
import { type CreatedRecord, createdRecord, withRecord } from '../created-records.js';
import { asciiDescription, creationAttempt, freeTextLink } from '../payment-links/setups.js';

/** End of the descriptions of `concurrentLinks`, by which a mutant recognizes them. */
export const concurrentDescriptionEnd = 'Twice';

/**
 * A link whose description yields the slug `…-2`, so that this slug is taken when the second of `concurrentLinks` needs
 * a numbered slug.
 */
export const numberedLink = createdRecord(
  creationAttempt('a link that takes the slug of a later one in advance', (context) => ({
    description: `${asciiDescription(context)}${concurrentDescriptionEnd}-2`,
    amount: 20,
    currency: 'EUR',
  })),
);

/** Two links with the same description, created concurrently. @throws Blocked if one of them was not created */
export const concurrentLinks = setup(
  'two concurrent links with one description',
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

/** A link with the description of `freeTextLink`, but with dashes for spaces. Both may have the same slug. */
export const dashedLink = createdRecord(
  creationAttempt('a link with dashes for spaces', async (context) => {
    const { body } = await context.use(freeTextLink);
    return { description: String(body['description']).replaceAll(' ', '-'), amount: 20, currency: 'EUR' };
  }),
);
