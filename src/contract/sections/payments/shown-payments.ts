import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import type { CreatedRecord } from '../created-records.js';
import { fieldOf, type RecordLocation, recordsIn } from '../fields.js';
import { largeLink, letterCaseLink, paidLink, unusualLink, usdLink } from '../payment-links/setups.js';
import { successesSoFar } from '../responses.js';
import {
  largePaymentLocation,
  linkPaymentLocation,
  paymentsResponse,
  suffixedPaymentLocation,
  unusualPaymentLocation,
  usdPaymentLocation,
} from './setups.js';

/** Links that the driver pays: for each, the setup that creates it and the setup that locates its payment. */
const paidLinks: readonly (readonly [link: Setup<CreatedRecord>, payment: Setup<RecordLocation>])[] = [
  [paidLink, linkPaymentLocation],
  // The same link: its description differs from another one only in letter case, so its slug has a suffix.
  [letterCaseLink, suffixedPaymentLocation],
  [unusualLink, unusualPaymentLocation],
  [usdLink, usdPaymentLocation],
  [largeLink, largePaymentLocation],
];

/**
 * Checks the payments of the suite's links in all lists that the suite has read, with and without filters.
 * @param expect gets the location of a payment in a list, and its link; throws a Violation
 * @throws Skip or Blocked if not even the payment of `paidLink` can be found
 */
export async function checkShownPayments(
  context: ClauseContext,
  expect: (location: RecordLocation, link: CreatedRecord) => void,
): Promise<void> {
  await context.use(linkPaymentLocation);
  await context.runIfPossible(paymentsResponse);
  const linkByPaymentId = new Map<string, CreatedRecord>();
  for (const [linkSetup, paymentSetup] of paidLinks) {
    const link = await ifPossible(context.use(linkSetup));
    const payment = link && (await ifPossible(context.use(paymentSetup)));
    if (payment) linkByPaymentId.set(idAt(payment), link);
  }
  for (const location of successesSoFar(context, 'listPayments').flatMap((page) => recordsIn(page, 'listPayments'))) {
    const link = linkByPaymentId.get(idAt(location));
    if (link) expect(location, link);
  }
}

function idAt(payment: RecordLocation): string {
  return String(fieldOf(payment, 'id'));
}
