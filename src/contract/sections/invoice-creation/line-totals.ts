import { decimalOf } from '../../engine/expect.js';
import type { JsonObject } from '../../engine/json.js';

/** Amounts without and with tax. Either of them may be the larger one, since amounts and tax rates may be negative. */
interface Range {
  readonly net: number;
  readonly gross: number;
  /** Allowed rounding difference: of a line, a cent for the total, plus a cent per unit. */
  readonly tolerance: number;
}

/** Returns the possible totals of a line; undefined if it lacks a number. */
export function lineTotalRange(line: JsonObject): Range | undefined {
  const [quantity, price, taxRate] = ['quantity', 'unit_price', 'tax_rate'].map((field) => decimalOf(line[field]));
  if (quantity === undefined || price === undefined || taxRate === undefined) return undefined;
  const net = quantity * price;
  // A price with tax may be rounded to cents before it is multiplied.
  return { net, gross: net * (1 + taxRate / 100), tolerance: 0.01 * (1 + Math.abs(quantity)) };
}

export function sumOfRanges(ranges: readonly Range[]): Range {
  return ranges.reduce(
    (sum, { net, gross, tolerance }) => ({
      net: sum.net + net,
      gross: sum.gross + gross,
      tolerance: sum.tolerance + tolerance,
    }),
    // The sum may be rounded to five cents, as in Switzerland.
    { net: 0, gross: 0, tolerance: 0.05 },
  );
}

/** True if an amount is between the amounts without and with tax, or equals one of them, allowing for rounding. */
export function isWithin(amount: number, { net, gross, tolerance }: Range): boolean {
  return amount >= Math.min(net, gross) - tolerance && amount <= Math.max(net, gross) + tolerance;
}
