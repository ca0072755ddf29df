import type { RateVerdict } from '../../domain/rate-window.js';
import type { Account } from '../../simulation/account.js';

/** Counts a request without a token that is known (gap rate.unauthenticated). */
export function countStranger(account: Account, address: string | undefined): RateVerdict {
  return account.profile['rate.unauthenticated'] === 'uncounted'
    ? windowOfStranger(account, address)
    : account.countRequest(keyOf(address));
}

/** The window of a client without a token; nothing is counted, and nothing refused. */
export function windowOfStranger(account: Account, address: string | undefined): RateVerdict {
  return { ...account.rates.peek(keyOf(address), account.profile), allowed: true };
}

/** The window of a client address. */
export function keyOf(address: string | undefined): string {
  return `address ${address}`;
}
