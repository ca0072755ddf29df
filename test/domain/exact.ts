/** Exact integer arithmetic to check the amounts that the service computes. */

/** Converts a decimal to an integer: 1.5 with 2 places is 150. @throws Error if it has more places */
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

/** Divides and rounds to the nearest integer; if two are equally near, to the larger one. */
export function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  // floor(a / b + 1 / 2) = floor((2a + b) / 2b)
  const [numerator, denominator] = [2n * dividend + divisor, 2n * divisor];
  const remainder = ((numerator % denominator) + denominator) % denominator;
  return (numerator - remainder) / denominator;
}

export interface Line {
  readonly quantity: number;
  readonly unit_price: number;
  readonly tax_rate?: number | undefined;
}

/** Price of a line without tax, in units of 10^-8. */
export function exactNet({ quantity, unit_price }: Line): bigint {
  return scaled(quantity) * scaled(unit_price) * 10_000n;
}

/** Price of a line with tax, in units of 10^-8. */
export function exactGross(line: Line): bigint {
  return scaled(line.quantity) * scaled(line.unit_price) * (10_000n + scaled(line.tax_rate ?? 0));
}

/** Converts units of 10^-8 to cents, rounding half up. */
export function cents(exact: bigint): bigint {
  return dividedHalfUp(exact, 1_000_000n);
}
