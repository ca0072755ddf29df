import type { RateVerdict } from '../../domain/rate-window.js';
import type { Account } from '../../simulation/account.js';

/** Counts a request without a known token (gap rate.unauthenticated). */
export function countAnonymous(account: Account, address: string | undefined): RateVerdict {
  return account.profile['rate.unauthenticated'] === 'uncounted'
    ? anonymousWindow(account, address)
    : account.countRequest(keyOf(address));
}

/** The rate window of a client without a token. Counts nothing and always allows the request. */
export function anonymousWindow(account: Account, address: string | undefined): RateVerdict {
  return { ...account.rates.peek(keyOf(address), account.profile), allowed: true };
}

/** The key of the rate window of a client address. */
export function keyOf(address: string | undefined): string {
  return `address ${address}`;
}
