import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { type CreatedRecord, createdSoFar } from '../created-records.js';
import { fieldOf, type RecordLocation, recordsIn } from '../fields.js';
import { paidLink } from '../payment-links/setups.js';
import { successesSoFar } from '../responses.js';
import { linkPaymentLocation, otherPaidLinks, paymentsResponse } from './setups.js';

/**
 * Checks the payments of the suite's links in all lists that the suite has read, with and without filters.
 * @param expect gets the location of a payment in a list, and its link; throws a Violation
 * @throws Skip or Blocked if not even the payment of `paidLink` can be found
 */
export async function checkShownPayments(
  context: ClauseContext,
  expect: (location: RecordLocation, link: CreatedRecord) => void,
): Promise<void> {
  const firstPayment = await context.use(linkPaymentLocation);
  await context.runIfPossible(paymentsResponse);
  const linkByPaymentId = new Map<string, CreatedRecord>([[idAt(firstPayment), await context.use(paidLink)]]);
  for (const { link: linkSetup, location } of otherPaidLinks) {
    const link = await ifPossible(context.use(linkSetup));
    const payment = link && (await ifPossible(context.use(location)));
    if (payment) linkByPaymentId.set(idAt(payment), link);
  }
  // Other payments, such as the second one of a link, are known only by the link that they show.
  const links = createdSoFar(context, 'createPaymentLink');
  const linkOf = (payment: RecordLocation): CreatedRecord | undefined => {
    const linkId = fieldOf(payment, 'payment_link_id') ?? undefined;
    return (
      linkByPaymentId.get(idAt(payment)) ?? links.find(({ record }) => record['id'] === linkId && linkId !== undefined)
    );
  };
  for (const location of successesSoFar(context, 'listPayments').flatMap((page) => recordsIn(page, 'listPayments'))) {
    const link = linkOf(location);
    if (link) expect(location, link);
  }
}

function idAt(payment: RecordLocation): string {
  return String(fieldOf(payment, 'id'));
}
