import { instant } from '../domain/dates.js';
import { round } from '../domain/money.js';
import type { PaymentLink } from '../domain/records.js';
import { isInvoiceSlug, slugOf } from '../domain/slugs.js';
import type { components } from '../generated/validated-types.js';
import type { Account } from './account.js';
import type { Accounts } from './accounts.js';
import type { Listed } from './invoices.js';
import type { Page } from './table.js';

export type NewPaymentLink = components['schemas']['NewPaymentLink'];

export function createPaymentLink(account: Account, input: NewPaymentLink, accounts: Accounts): PaymentLink {
  const link: PaymentLink = {
    id: account.paymentLinks.nextId(),
    slug: freeSlug(account, slugOf(input.description, account.profile), accounts),
    description: input.description,
    amount: round(input.amount),
    currency: input.currency,
    is_active: true,
    payments_count: 0,
    revenue: 0,
    created_at: instant(account.now()),
  };
  account.commit({ payment_links: [link] });
  return link;
}

export function listPaymentLinks(account: Account, page: Page): Listed<PaymentLink> {
  return account.paymentLinks.page(page);
}

/** The slug itself, or the first free one of slug-2, slug-3, … (specification, POST /payment-links, rules). */
function freeSlug(account: Account, slug: string, accounts: Accounts): string {
  const rivals = account.profile['link.slug-scope'] === 'global' ? accounts.all() : [account];
  const taken = (candidate: string): boolean =>
    isInvoiceSlug(candidate) || rivals.some((rival) => rival.slugs.has(candidate));
  if (!taken(slug)) return slug;
  let suffix = account.lastSuffixes.get(slug) ?? 1;
  do suffix += 1;
  while (taken(`${slug}-${suffix}`));
  account.lastSuffixes.set(slug, suffix);
  return `${slug}-${suffix}`;
}
