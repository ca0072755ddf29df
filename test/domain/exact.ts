/** Amounts in whole numbers, as the oracle for those that the service computes. */

/** A decimal with at most `places` places, counted in units of its last place. */
export function scaled(value: number, places = 2): bigint {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const shift = Number(exponent) - fraction.length + places;
  const count = BigInt(whole + fraction);
  if (shift < 0) {
    if (count !== 0n) throw new Error(`${value} has more than ${places} places`);
    return 0n;
  }
  return (value < 0 ? -1n : 1n) * count * 10n ** BigInt(shift);
}

/** Divides and rounds half up: to the larger of the two that are as near. */
export function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  const [count, double] = [2n * dividend + divisor, 2n * divisor];
  const rest = ((count % double) + double) % double;
  return (count - rest) / double;
}

export interface Line {
  readonly quantity: number;
  readonly unit_price: number;
  readonly tax_rate?: number | undefined;
}

/** The price of a line, in 10^-8: without tax, or with it. */
export function exactNet({ quantity, unit_price }: Line): bigint {
  return scaled(quantity) * scaled(unit_price) * 10_000n;
}

export function exactGross(line: Line): bigint {
  return scaled(line.quantity) * scaled(line.unit_price) * (10_000n + scaled(line.tax_rate ?? 0));
}

/** In cents, rounded. */
export function cents(exact: bigint): bigint {
  return dividedHalfUp(exact, 1_000_000n);
}
