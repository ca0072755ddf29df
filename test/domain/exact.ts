/** Exact integer arithmetic, to check amounts that the service computes. */

/** Converts an amount to cents: 1.5 is 150. @throws Error if it has more than two decimal places */
export function toCents(amount: number): bigint {
  return toHundredths(amount);
}

/** Converts a number to hundredths. @throws Error if it has more than two decimal places */
function toHundredths(value: number): bigint {
  const places = 2;
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const shift = Number(exponent) - fraction.length + places;
  const coefficient = BigInt(whole + fraction);
  if (shift < 0) {
    if (coefficient !== 0n) throw new Error(`${value} has more than ${places} decimal places`);
    return 0n;
  }
  return (value < 0 ? -1n : 1n) * coefficient * 10n ** BigInt(shift);
}

/** Divides and rounds half up: to the nearest integer, or to the larger one if two are equally near. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  // floor(a / b + 1 / 2) = floor((2a + b) / 2b)
  const [numerator, denominator] = [2n * dividend + divisor, 2n * divisor];
  const remainder = ((numerator % denominator) + denominator) % denominator;
  return (numerator - remainder) / denominator;
}

/** A line of an invoice. */
export interface Line {
  readonly quantity: number;
  readonly unit_price: number;
  readonly tax_rate?: number | undefined;
}

/** Price of a line without tax, in units of 10^-8. */
export function exactNet({ quantity, unit_price }: Line): bigint {
  return toHundredths(quantity) * toCents(unit_price) * 10_000n;
}

/** Price of a line with tax, in units of 10^-8. */
export function exactGross(line: Line): bigint {
  // The tax rate is a percentage: in hundredths, 100 % is 10,000.
  return toHundredths(line.quantity) * toCents(line.unit_price) * (10_000n + toHundredths(line.tax_rate ?? 0));
}

/** Converts units of 10^-8 to cents, and rounds half up. */
export function roundToCents(exact: bigint): bigint {
  return divideHalfUp(exact, 1_000_000n);
}
