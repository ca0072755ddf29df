import { setup } from '../../engine/session.js';
import { type CreatedRecord, requireRecord } from '../invoice-creation/setups.js';
import { asciiDescription, newLinkSearch } from '../payment-links/setups.js';

/** End of the descriptions of `concurrentLinks`, by which a mutant recognizes them. */
export const concurrentDescription = 'Twice';

/** Two links with the same description, created concurrently. @throws Blocked if one of them was not created */
export const concurrentLinks = setup(
  'two concurrent links with one description',
  async (context): Promise<readonly [CreatedRecord, CreatedRecord]> => {
    await context.runIfPossible(newLinkSearch);
    const body = { description: `${asciiDescription(context)}${concurrentDescription}`, amount: 20, currency: 'EUR' };
    const create = async (): Promise<CreatedRecord> => {
      const exchange = await context.post('/payment-links', body);
      return { exchange, body, record: requireRecord(exchange) };
    };
    return Promise.all([create(), create()]);
  },
);
