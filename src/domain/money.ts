import Big from 'big.js';
import { minorUnits } from '../lib/decimals.js';
import type { GapChoices } from './gaps.js';
import type { InvoiceItem } from './records.js';

/**
 * Amounts are numbers with as many decimal places as their currency has, three at most. Every computation goes through a
 * decimal library and ends in such a number, so that sums never drift: a double holds three places exactly enough up to
 * 9,000,000,000,000.
 */

/** No currency that is accepted has more decimal places. */
export const maxMinorUnits = 3;

/** How many decimal places the amounts of a currency have (gap amount.minor-units): 2 in EUR, 0 in JPY, 3 in KWD. */
export function placesOf(currency: string, profile: GapChoices): number {
  return profile['amount.minor-units'] === 'two' ? 2 : minorUnits(currency);
}

/** Rounds half up: the half goes to the larger number, so that -1.005 becomes -1.00. */
export function round(value: number, places = 2): number {
  return halfUp(new Big(value), places).toNumber();
}

/** `Big` rounds the half away from zero, which for negative numbers is down. */
function halfUp(exact: Big, places: number): Big {
  const unit = new Big(10).pow(places);
  const shifted = exact.times(unit).plus(0.5);
  const whole = shifted.round(0, Big.roundDown);
  const floor = whole.gt(shifted) ? whole.minus(1) : whole;
  // Not -0, which JSON would write as such in a text.
  return floor.eq(0) ? new Big(0) : floor.div(unit);
}

export function plus(a: number, b: number): number {
  return new Big(a).plus(b).toNumber();
}

export function minus(a: number, b: number): number {
  return new Big(a).minus(b).toNumber();
}

/** The amount in thousandths, as an integer: what running totals are kept in, at a fraction of the cost. */
export function toThousandths(amount: number): number {
  return Math.round(amount * 1000);
}

export function fromThousandths(thousandths: number): number {
  return thousandths / 1000;
}

/** The decimal as text with so many places: `19.90`. */
export function fixed(value: number, places = 2): string {
  return halfUp(new Big(value), places).toFixed(places);
}

type Priced = Omit<InvoiceItem, 'total'>;

function net(item: Priced): Big {
  return new Big(item.quantity).times(item.unit_price);
}

function gross(item: Priced): Big {
  return net(item).times(new Big(item.tax_rate).div(100).plus(1));
}

/** The `total` of a line (gap invoice.line-total). */
export function lineTotal(item: Priced, profile: GapChoices, currency: string): number {
  const exact = profile['invoice.line-total'] === 'included' ? gross(item) : net(item);
  return halfUp(exact, placesOf(currency, profile)).toNumber();
}

/** The `amount` of an invoice (gap invoice.amount). */
export function invoiceAmount(items: readonly Priced[], profile: GapChoices, currency: string): number {
  const places = placesOf(currency, profile);
  const way = profile['invoice.amount'];
  const exact = way === 'net' ? net : gross;
  const sum = items.reduce((total, item) => {
    const line = exact(item);
    return total.plus(way === 'rounded-once' ? line : halfUp(line, places));
  }, new Big(0));
  return halfUp(sum, places).toNumber();
}
