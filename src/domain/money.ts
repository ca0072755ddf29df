import Big from 'big.js';
import type { Profile } from './gaps.js';
import type { InvoiceItem } from './records.js';

/**
 * Amounts are numbers with at most two decimal places. Every computation goes through a decimal library and ends in
 * such a number, so that sums never drift: a double holds two places exactly enough up to 90,000,000,000,000.
 */

/** Rounds half up to two places: the half of a cent goes to the larger number, so that -1.005 becomes -1.00. */
export function round(value: number): number {
  return halfUp(new Big(value), 2).toNumber();
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

/** The amount in hundredths, as an integer: what running totals are kept in, at a fraction of the cost. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

export function fromCents(cents: number): number {
  return cents / 100;
}

/** How many decimal places a number has as JSON writes it: 19.99 has 2, 1e-7 has 7. */
export function decimalPlaces(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

/** The decimal as text with two places: `19.90`. */
export function fixed(value: number): string {
  return halfUp(new Big(value), 2).toFixed(2);
}

type Priced = Omit<InvoiceItem, 'total'>;

function net(item: Priced): Big {
  return new Big(item.quantity).times(item.unit_price);
}

function gross(item: Priced): Big {
  return net(item).times(new Big(item.tax_rate).div(100).plus(1));
}

/** The `total` of a line (gap invoice.line-total). */
export function lineTotal(item: Priced, profile: Profile): number {
  const exact = profile['invoice.line-total'] === 'included' ? gross(item) : net(item);
  return halfUp(exact, 2).toNumber();
}

/** The `amount` of an invoice (gap invoice.amount). */
export function invoiceAmount(items: readonly Priced[], profile: Profile): number {
  const way = profile['invoice.amount'];
  const exact = way === 'net' ? net : gross;
  const sum = items.reduce((total, item) => {
    const line = exact(item);
    return total.plus(way === 'rounded-once' ? line : halfUp(line, 2));
  }, new Big(0));
  return halfUp(sum, 2).toNumber();
}
