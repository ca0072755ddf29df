import type { Place } from '../clauses/fields.js';
import { isSame } from '../clauses/same.js';
import { type Fact, fact } from '../session.js';
import { Blocked } from '../verdict.js';
import { growthOf } from './growth.js';
import type { Created } from './invoices.js';
import { foreignLink, linksPage, oddLink, otherCaseLink, suffixLink } from './links.js';
import { threePayments } from './payments.js';
import { findRow } from './rows.js';

/** The links before and after more of them were made, and some were paid. */
export const linkGrowth = fact('the payment links, later', async (scene) => {
  const before = await scene.at(linksPage);
  for (const made of [otherCaseLink, oddLink, foreignLink, suffixLink, threePayments]) await scene.after(made);
  return growthOf(scene, before);
});

/** A link in that later list. @throws Blocked unless it is on its first or its last page */
export function laterRow(link: Fact<Created>): Fact<Place> {
  return fact(`${link.name} in the list, later`, async (scene) => {
    const { record } = await scene.at(link);
    const { after } = await scene.at(linkGrowth);
    const found = await findRow(scene, '/payment-links', ({ id }) => isSame(id, record['id']), after);
    if (typeof found !== 'object') throw new Blocked('the link is not on the pages of the list that were looked at');
    return found;
  });
}
