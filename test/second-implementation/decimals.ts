/** Number of decimal places that the calculation keeps in each factor. */
const decimalPlaces = 10;

const scaled = (value: number): bigint => BigInt(value.toFixed(decimalPlaces).replace('.', ''));

/**
 * Returns the product of decimals, in cents. Half a cent is rounded away from zero; floating point would round 1.005
 * down.
 */
export function centsOf(...factors: number[]): number {
  const product = factors.reduce((total, factor) => total * scaled(factor), 1n);
  const unit = 10n ** BigInt(factors.length * decimalPlaces - 2);
  const magnitude = product < 0n ? -product : product;
  const cents = (magnitude + unit / 2n) / unit;
  return Number(product < 0n ? -cents : cents);
}

/** Returns true if a decimal has no fractions of a cent. */
export const isWholeCents = (value: number): boolean => centsOf(value) / 100 === value;
