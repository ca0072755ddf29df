import { createdLink, creationAttempt, paidLink } from '../payment-links/setups.js';
import { linkPaymentSearch } from '../payments/setups.js';

/** A link with the description of `paidLink`, created after that was paid. */
export const paidDescriptionLink = createdLink(
  creationAttempt('a link with the description of a paid link', async (context) => (await context.use(paidLink)).body, {
    after: linkPaymentSearch,
  }),
);
