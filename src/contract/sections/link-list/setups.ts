import { eventually } from '../../engine/eventually.js';
import { valueAt } from '../../engine/expect.js';
import { type Setup, setup } from '../../engine/session.js';
import type { RecordLocation } from '../fields.js';
import type { Created, Row } from '../invoice-creation/setups.js';
import { laterRows, readGrowth } from '../paging/growth.js';
import { findRow } from '../paging/setups.js';
import { foreignLink, linksPage, otherCaseLink, paidLink, suffixLink, unusualLink } from '../payment-links/setups.js';
import { threePayments } from '../payments/setups.js';
import { isSame } from '../same-fields.js';

/** The first page of links, before and after more were created and some were paid. */
export const linkGrowth = setup('the payment links, later', async (context) => {
  const before = await context.use(linksPage);
  for (const change of [otherCaseLink, unusualLink, foreignLink, suffixLink, threePayments])
    await context.waitFor(change);
  return readGrowth(context, before);
});

const findLater = laterRows(linkGrowth);

/** The paid link in the list, once the list shows it as paid; its current state if it never does. */
export const listedPaidLink = setup('a paid link in the list', async (context): Promise<RecordLocation> => {
  const { record } = await context.use(paidLink);
  const isMatch = ({ id }: Row): boolean => isSame(id, record['id']);
  const isPaid = ({ page, at }: RecordLocation): boolean => Number(valueAt(page.json, `${at}.payments_count`)) > 0;
  const location = await findLater(context, isMatch);
  if (isPaid(location)) return location;
  const later = await eventually(
    context,
    () => findRow(context, '/payment-links', isMatch),
    (found) => typeof found === 'object' && isPaid(found),
  );
  return typeof later === 'object' ? later : location;
});

/** A link in the list after it has grown. @throws Blocked unless it is on the first or last page */
export function laterRow(link: Setup<Created>): Setup<RecordLocation> {
  return setup(`${link.name} in the list, later`, async (context) => {
    const { record } = await context.use(link);
    return findLater(context, ({ id }) => isSame(id, record['id']));
  });
}
