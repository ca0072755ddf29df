import { eventually } from '../../engine/eventually.js';
import { valueAt } from '../../engine/expect.js';
import { type Setup, setup } from '../../engine/session.js';
import type { Place } from '../fields.js';
import type { Created, Row } from '../invoice-creation/setups.js';
import { growthOf, laterRows } from '../overdue/setups.js';
import { findRow } from '../paging/setups.js';
import { foreignLink, linksPage, oddLink, otherCaseLink, paidLink, suffixLink } from '../payment-links/setups.js';
import { threePayments } from '../payments/setups.js';
import { isSame } from '../same-fields.js';

/** The links before and after more were created and some were paid. */
export const linkGrowth = setup('the payment links, later', async (context) => {
  const before = await context.use(linksPage);
  for (const made of [otherCaseLink, oddLink, foreignLink, suffixLink, threePayments]) await context.after(made);
  return growthOf(context, before);
});

const find = laterRows(linkGrowth);

/** The paid link in the list, once the list shows it as paid; its current state if it never does. */
export const listedPaidLink = setup('a paid link in the list', async (context): Promise<Place> => {
  const { record } = await context.use(paidLink);
  const isMatch = ({ id }: Row): boolean => isSame(id, record['id']);
  const isPaid = ({ page, at }: Place): boolean => Number(valueAt(page.json, `${at}.payments_count`)) > 0;
  const place = await find(context, isMatch);
  if (isPaid(place)) return place;
  const later = await eventually(
    context,
    () => findRow(context, '/payment-links', isMatch),
    (found) => typeof found === 'object' && isPaid(found),
  );
  return typeof later === 'object' ? later : place;
});

/** A link in that later list. @throws Blocked unless it is on the first or last page */
export function laterRow(link: Setup<Created>): Setup<Place> {
  return setup(`${link.name} in the list, later`, async (context) => {
    const { record } = await context.use(link);
    return find(context, ({ id }) => isSame(id, record['id']));
  });
}
