import { formatInstant } from '../../domain/dates.js';
import { acceptedAmount } from '../../domain/money.js';
import type { PaymentLink } from '../../domain/records.js';
import { requireFound } from '../../domain/service-error.js';
import { firstFreeSlug, slugOf } from '../../domain/slugs.js';
import type { components } from '../../generated/validated-types.js';
import type { AccountState } from '../state/account-state.js';
import type { WritableAccount } from '../transaction.js';

export type NewPaymentLink = components['schemas']['NewPaymentLink'];

/** All accounts. */
export interface AllAccounts {
  all(): readonly AccountState[];
}

/**
 * Creates a payment link with a slug that is not taken.
 * @param accounts slugs may have to be unique among all of them (gap link.slug-scope)
 * @throws ServiceError invalid: amount
 */
export function createPaymentLink(account: WritableAccount, input: NewPaymentLink, accounts: AllAccounts): PaymentLink {
  const link: PaymentLink = {
    id: account.paymentLinks.nextId(),
    slug: chooseSlug(account, slugOf(input.description, account.profile), accounts),
    description: input.description,
    amount: acceptedAmount(input.amount, input.currency, account.profile, 'link.amount-range'),
    currency: input.currency,
    is_active: true,
    payments_count: 0,
    revenue: 0,
    created_at: formatInstant(account.now()),
  };
  return account.transaction((tx) => {
    tx.put({ payment_links: [link] });
    // This event only starts scenarios. The service sends no webhook for it.
    tx.emit({ event: 'payment_link.created', record: link });
    return link;
  });
}

/** @throws ServiceError payment-link-not-found */
export function getPaymentLink(account: AccountState, id: number | string): PaymentLink {
  return requireFound(account.paymentLinks.get(id), 'payment-link-not-found');
}

/** Returns true if a slug is taken in another account, and must be unique among all (gap link.slug-scope). */
export function isSlugTakenElsewhere(account: AccountState, slug: string, accounts: AllAccounts): boolean {
  if (account.profile['link.slug-scope'] !== 'global') return false;
  return accounts.all().some(({ id, paymentLinksBySlug }) => id !== account.id && paymentLinksBySlug.has(slug));
}

/** Returns the preferred slug, with a suffix if it is taken. */
export function chooseSlug(account: AccountState, preferredSlug: string, accounts: AllAccounts): string {
  const isTaken = (candidate: string): boolean =>
    account.paymentLinksBySlug.has(candidate) || isSlugTakenElsewhere(account, candidate, accounts);
  // With slugs that are unique among all accounts, lower suffixes become free when another account is deleted, reset or
  // restored, so the search starts from the lowest.
  const isUniqueInAccount = account.profile['link.slug-scope'] === 'account';
  const lastSuffix = isUniqueInAccount ? account.lastSuffixes.get(preferredSlug) : undefined;
  const { slug, suffix } = firstFreeSlug(preferredSlug, isTaken, lastSuffix);
  if (suffix > 1) account.lastSuffixes.set(preferredSlug, suffix);
  return slug;
}
