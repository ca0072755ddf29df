const places = 10;

const scaled = (value: number): bigint => BigInt(value.toFixed(places).replace('.', ''));

/** Cents of the product of decimals, rounded half away from zero; floating point would round 1.005 down. */
export function centsOf(...factors: number[]): number {
  const product = factors.reduce((sofar, factor) => sofar * scaled(factor), 1n);
  const unit = 10n ** BigInt(factors.length * places - 2);
  const magnitude = product < 0n ? -product : product;
  const cents = (magnitude + unit / 2n) / unit;
  return Number(product < 0n ? -cents : cents);
}

export const hasCents = (value: number): boolean => centsOf(value) / 100 === value;
