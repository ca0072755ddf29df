import { eventually } from '../../engine/eventually.js';
import { valueAt } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';
import { type Setup, setup } from '../../engine/session.js';
import type { RecordLocation } from '../fields.js';
import type { CreatedRecord } from '../invoice-creation/setups.js';
import { createFinderOfNewRows, readListGrowth } from '../paging/growth.js';
import { findRow, isFound } from '../paging/setups.js';
import {
  largeLink,
  letterCaseLink,
  linksPage,
  numberedDescriptionLink,
  paidLink,
  unusualLink,
  usdLink,
} from '../payment-links/setups.js';
import { threePayments } from '../payments/setups.js';
import { isSameValue } from '../same-values.js';

/** The first page of links, before and after more were created and some were paid. */
export const linkGrowth = setup('the payment links after more were created', async (context) => {
  const before = await context.use(linksPage);
  for (const creationOrPayment of [
    letterCaseLink,
    unusualLink,
    usdLink,
    largeLink,
    numberedDescriptionLink,
    threePayments,
  ])
    await context.runIfPossible(creationOrPayment);
  return readListGrowth(context, before);
});

const findLinkInGrownList = createFinderOfNewRows(linkGrowth);

/** Location of the paid link in the list. Waits until the list shows its payment, or the timeout has passed. */
export const paidLinkLocation = setup('a paid link in the list', async (context): Promise<RecordLocation> => {
  const { record } = await context.use(paidLink);
  const isMatch = ({ id }: JsonObject): boolean => isSameValue(id, record['id']);
  const isPaid = ({ page, path }: RecordLocation): boolean => Number(valueAt(page.json, `${path}.payments_count`)) > 0;
  const location = await findLinkInGrownList(context, isMatch);
  if (isPaid(location)) return location;
  const reread = await eventually(
    context,
    () => findRow(context, '/payment-links', isMatch),
    (found) => isFound(found) && isPaid(found),
  );
  return isFound(reread) ? reread : location;
});

/**
 * Creates a setup for the location of a link in the list after the list has grown. The setup throws Blocked unless the
 * link is on the first or last page.
 */
export function linkInGrownList(link: Setup<CreatedRecord>): Setup<RecordLocation> {
  return setup(`${link.name} in the list that has grown`, async (context) => {
    const { record } = await context.use(link);
    return findLinkInGrownList(context, ({ id }) => isSameValue(id, record['id']));
  });
}
