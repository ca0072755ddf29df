import { DriverError } from '../../drivers/driver.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { requireSuccess } from '../../engine/expect.js';
import { type Setup, setup } from '../../engine/session.js';
import { isSameAmount } from '../../predicates/amounts.js';
import type { CreatedRecord } from '../created-records.js';
import { fieldOf, type RecordLocation, recordsIn } from '../fields.js';
import { createRecordFinder, measureListGrowth } from '../paging/list-growth.js';
import { createdLinks } from '../payment-links/created-links.js';
import {
  freeTextLink,
  largeLink,
  letterCaseLink,
  linksPage,
  numberedDescriptionLink,
  type PaidLink,
  paidLink,
  payLink,
  unusualLink,
  usdLink,
} from '../payment-links/setups.js';
import { paidLargeLink, threePayments } from '../payments/setups.js';
import { isSameValue } from '../same-values.js';

/** The first page of links, before and after more were created and some were paid. */
export const linkListGrowth = setup('the payment links after more were created', async (context) => {
  const before = await context.use(linksPage);
  for (const creationOrPayment of [
    letterCaseLink,
    unusualLink,
    usdLink,
    largeLink,
    numberedDescriptionLink,
    threePayments,
    paidLargeLink,
  ])
    await context.runIfPossible(creationOrPayment);
  return measureListGrowth(context, before);
});

const findLinkAfterGrowth = createRecordFinder(linkListGrowth);

/** Creates a setup that finds a paid link in the list. Waits until the list shows its payment, or the timeout has passed. */
function afterPayment(link: Setup<PaidLink>): Setup<RecordLocation> {
  return setup(`the list entry of ${link.name}`, async (context) => {
    const { record } = await context.use(link);
    return findLinkAfterGrowth(
      context,
      ({ id }) => isSameValue(id, record['id']),
      (location) => ['payments_count', 'revenue'].every((field) => Number(fieldOf(location, field)) > 0),
    );
  });
}

/** Location of the paid link in the list. */
export const paidLinkLocation = afterPayment(paidLink);
/** Location of the link with a high amount in the list, after it was paid. */
export const paidLargeLinkLocation = afterPayment(paidLargeLink);

/**
 * Creates a setup that finds a link in the list after the list has grown. The setup reads only the first and the last page,
 * where new links are, whatever the order of the list. @throws Blocked if the link is on neither
 */
export function linkAfterGrowth(link: Setup<CreatedRecord>): Setup<RecordLocation> {
  return setup(`${link.name} in the list after it has grown`, async (context) => {
    const { record } = await context.use(link);
    return findLinkAfterGrowth(context, ({ id }) => isSameValue(id, record['id']));
  });
}

/**
 * A second payment of `freeTextLink`, which `threePayments` has already paid, so that a link with more than one payment
 * exists. Made only if paid links stay active. The specification does not say whether a link can be paid twice, so the
 * driver may fail. @throws Skip if links cannot be paid twice
 */
const secondPayment = setup('a second payment of a link', async (context): Promise<PaidLink> => {
  await context.use(threePayments);
  const link = await context.use(freeTextLink);
  if (fieldOf(await context.use(paidLinkLocation), 'is_active') !== true)
    throw new Skip({
      missing: 'a link that can be paid twice',
      reason: 'the list does not show a paid link as active',
    });
  try {
    return await payLink(context, link);
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
    throw new Skip({ missing: 'a link that can be paid twice', reason: error.message });
  }
});

/** A link of the suite in a list that was read after all payments. */
interface CountedLink {
  readonly location: RecordLocation;
  readonly created: CreatedRecord;
  /** Number of times that the driver has paid it. */
  readonly paymentsCount: number;
}

/**
 * The links of the suite on the first page of the list, read after all payments. Waits until each shows its number of
 * payments and its revenue, or the timeout has passed. @throws Blocked if none is on the page
 */
export const countedLinks = setup(
  'the payment links after all payments',
  async (context): Promise<readonly CountedLink[]> => {
    await context.runIfPossible(secondPayment);
    const created = await createdLinks(context);
    const payments = context.session.driverCalls.filter(({ method }) => method === 'payLink');
    const linksOn = (page: Exchange): CountedLink[] =>
      recordsIn(page, 'listPaymentLinks').flatMap((location) => {
        const id = fieldOf(location, 'id');
        const createdLink = created.find(({ record }) => isSameValue(record['id'], id));
        const paymentsOfLink = payments.filter(({ record }) => isSameValue(record?.['id'], id));
        // After a failure of the driver it is not known whether the link was paid.
        const isPaymentCountKnown = paymentsOfLink.every(({ hasSucceeded }) => hasSucceeded);
        return createdLink && isPaymentCountKnown
          ? [{ location, created: createdLink, paymentsCount: paymentsOfLink.length }]
          : [];
      });
    const page = await eventually(
      context,
      async () => requireSuccess(await context.get('/payment-links?per_page=100')),
      (read) =>
        linksOn(read).every(
          ({ location, created: { body }, paymentsCount }) =>
            fieldOf(location, 'payments_count') === paymentsCount &&
            isSameAmount(Number(fieldOf(location, 'revenue')), paymentsCount * Number(body['amount'])),
        ),
    );
    const links = linksOn(page);
    if (links.length === 0) throw new Blocked('the links of the suite are not on the first page of the list', page);
    return links;
  },
);

/** The second payment of a link, which the list of links counts. @throws Skip or Blocked if there is none */
export const countedSecondPayment = setup('a second payment that is counted', async (context): Promise<PaidLink> => {
  const link = await context.use(secondPayment);
  const counted = (await context.use(countedLinks)).find(({ created }) => created.record === link.record);
  if (!counted || fieldOf(counted.location, 'payments_count') !== counted.paymentsCount)
    throw new Blocked('the list of links does not count the second payment', counted?.location.exchange);
  return link;
});
