import { eventually } from '../../engine/eventually.js';
import { valueAt } from '../../engine/expect.js';
import { type Fact, fact } from '../../engine/session.js';
import type { Place } from '../fields.js';
import type { Created, Row } from '../invoice-creation/setups.js';
import { growthOf, laterRows } from '../overdue/setups.js';
import { findRow } from '../paging/setups.js';
import { foreignLink, linksPage, oddLink, otherCaseLink, paidLink, suffixLink } from '../payment-links/setups.js';
import { threePayments } from '../payments/setups.js';
import { isSame } from '../same-fields.js';

/** The links before and after more of them were made, and some were paid. */
export const linkGrowth = fact('the payment links, later', async (scene) => {
  const before = await scene.at(linksPage);
  for (const made of [otherCaseLink, oddLink, foreignLink, suffixLink, threePayments]) await scene.after(made);
  return growthOf(scene, before);
});

const find = laterRows(linkGrowth);

/** The paid link in the list, once the list says that it was paid; as it is if the list never says so. */
export const listedPaidLink = fact('a paid link in the list', async (scene): Promise<Place> => {
  const { record } = await scene.at(paidLink);
  const isIt = ({ id }: Row): boolean => isSame(id, record['id']);
  const isPaid = ({ page, at }: Place): boolean => Number(valueAt(page.json, `${at}.payments_count`)) > 0;
  const place = await find(scene, isIt);
  if (isPaid(place)) return place;
  const later = await eventually(
    scene,
    () => findRow(scene, '/payment-links', isIt),
    (found) => typeof found === 'object' && isPaid(found),
  );
  return typeof later === 'object' ? later : place;
});

/** A link in that later list. @throws Blocked unless it is on its first or its last page */
export function laterRow(link: Fact<Created>): Fact<Place> {
  return fact(`${link.name} in the list, later`, async (scene) => {
    const { record } = await scene.at(link);
    return find(scene, ({ id }) => isSame(id, record['id']));
  });
}
