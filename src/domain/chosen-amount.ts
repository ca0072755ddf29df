import { decimalPlaces } from '../lib/decimals.js';
import type { GapChoices } from './gaps.js';
import { placesOf, round } from './money.js';
import { invalid } from './service-error.js';

/**
 * @throws ServiceError invalid, for an amount with more decimal places than its currency has (gap amount.minor-units)
 */
export function requirePlaces(amount: number, currency: string, profile: GapChoices): void {
  const limit = placesOf(currency, profile);
  if (decimalPlaces(amount) > limit) throw invalid('amount', 'x-decimal-places', { limit });
}

/**
 * Amount given by a client, possibly rounded to the decimal places of its currency.
 * @throws ServiceError invalid, for one with too many places, or one that is rounded to zero although zero is invalid
 */
export function chosenAmount(
  amount: number,
  currency: string,
  profile: GapChoices,
  gap: 'link.amount-range' | 'deposit.amount-range',
): number {
  if (profile[gap] === 'refused') {
    requirePlaces(amount, currency, profile);
    return amount;
  }
  const rounded = round(amount, placesOf(currency, profile));
  if (gap === 'deposit.amount-range' && rounded <= 0) throw invalid('amount', 'exclusiveMinimum', { limit: 0 });
  return rounded;
}
