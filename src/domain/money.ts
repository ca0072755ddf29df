import Big from 'big.js';
import { currencyDecimals, decimalPlaces } from '../lib/decimals.js';
import type { GapChoices } from './gaps.js';
import type { InvoiceItem } from './records.js';
import { invalidField } from './service-error.js';

/**
 * Amounts are numbers with the decimal places of their currency, three at most. Calculations use a decimal library, or
 * integers for running totals, so that sums never drift. A double represents three decimal places accurately enough up
 * to 9,000,000,000,000.
 */

/** Number of decimal places of amounts in a currency (gap amount.minor-units): 2 in EUR, 0 in JPY, 3 in KWD. */
export function decimalPlacesOf(currency: string, profile: GapChoices): number {
  return profile['amount.minor-units'] === 'two' ? 2 : currencyDecimals(currency);
}

/** Rounds half up, towards the larger number: -1.005 becomes -1.00. */
export function round(value: number, places = 2): number {
  return roundHalfUp(new Big(value), places).toNumber();
}

/** Returns a share of an amount, such as 0.1 of it, rounded half up. */
export function shareOf(amount: number, share: number, places: number): number {
  return roundHalfUp(new Big(amount).times(share), places).toNumber();
}

/** Rounds a positive number down. */
export function roundDown(value: number, places: number): number {
  return new Big(value).round(places, Big.roundDown).toNumber();
}

/** Needed because `Big.roundHalfUp` rounds half away from zero, which is down for negative numbers. */
function roundHalfUp(exact: Big, places: number): Big {
  const unit = new Big(10).pow(places);
  const shifted = exact.times(unit).plus(0.5);
  const whole = shifted.round(0, Big.roundDown);
  return (whole.gt(shifted) ? whole.minus(1) : whole).div(unit);
}

export function plus(a: number, b: number): number {
  return new Big(a).plus(b).toNumber();
}

export function minus(a: number, b: number): number {
  return new Big(a).minus(b).toNumber();
}

/**
 * Converts an amount to thousandths, as an integer: adding integers to a total is much faster than adding decimals.
 * A `bigint`, since a few of the largest amounts exceed the integers that a number represents exactly.
 */
export function toThousandths(amount: number): bigint {
  return BigInt(Math.round(amount * 1000));
}

export function fromThousandths(thousandths: bigint): number {
  return Number(`${thousandths}e-3`);
}

/** Formats a number with a fixed number of decimal places, rounded half up: `19.90`. */
export function formatDecimal(value: number, places = 2): string {
  return roundHalfUp(new Big(value), places).toFixed(places);
}

type PricedItem = Omit<InvoiceItem, 'total'>;

function net(item: PricedItem): Big {
  return new Big(item.quantity).times(item.unit_price);
}

function gross(item: PricedItem): Big {
  return net(item).times(new Big(item.tax_rate).div(100).plus(1));
}

/** Returns the `total` of a line: with or without tax (gap invoice.line-total). */
export function lineTotal(item: PricedItem, profile: GapChoices, currency: string): number {
  const exact = profile['invoice.line-total'] === 'included' ? gross(item) : net(item);
  return roundHalfUp(exact, decimalPlacesOf(currency, profile)).toNumber();
}

/** Returns the `amount` of an invoice: net or gross, rounded by line or once (gap invoice.amount). */
export function invoiceAmount(items: readonly PricedItem[], profile: GapChoices, currency: string): number {
  const places = decimalPlacesOf(currency, profile);
  const rule = profile['invoice.amount'];
  const lineAmount = rule === 'net' ? net : gross;
  const sum = items.reduce((total, item) => {
    const line = lineAmount(item);
    return total.plus(rule === 'rounded-once' ? line : roundHalfUp(line, places));
  }, new Big(0));
  return roundHalfUp(sum, places).toNumber();
}

/**
 * Checks the decimal places of an amount.
 * @throws ServiceError invalid, for an amount with more decimal places than its currency has (gap amount.minor-units)
 */
export function requireDecimalPlaces(amount: number, currency: string, profile: GapChoices): void {
  const limit = decimalPlacesOf(currency, profile);
  if (decimalPlaces(amount) > limit) throw invalidField('amount', 'x-decimal-places', { limit });
}

/** Largest amount under the choice `unbounded` of gap amount.maximum: larger ones would lose their cents. */
const unboundedMaximum = 9_999_999_999_999.99;

/** The largest amount that clients can send (gap amount.maximum). */
export function maximumAmount(profile: GapChoices): number {
  const choice = profile['amount.maximum'];
  if (choice === 'unbounded') return unboundedMaximum;
  return typeof choice === 'string' ? Number(choice) : choice.maximum;
}

/**
 * Returns the amount to store for an amount that a client has sent, which may have more decimal places than its
 * currency has (gaps link.amount-range, deposit.amount-range). With the choice `refused`, such an amount is refused.
 * Otherwise it is rounded, and a deposit amount that becomes zero is refused.
 * @throws ServiceError invalid
 */
export function acceptedAmount(
  amount: number,
  currency: string,
  profile: GapChoices,
  gap: 'link.amount-range' | 'deposit.amount-range',
): number {
  if (profile[gap] === 'refused') {
    requireDecimalPlaces(amount, currency, profile);
    return amount;
  }
  const rounded = round(amount, decimalPlacesOf(currency, profile));
  if (gap === 'deposit.amount-range' && rounded <= 0) throw invalidField('amount', 'exclusiveMinimum', { limit: 0 });
  return rounded;
}
