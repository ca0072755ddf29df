import { describe, expect, test } from 'vitest';
import { observedNumberPattern } from '../../src/contract/sections/invoice-list/observed-number-pattern.js';

// The third invoice of each list is dated 2020; all are created in 2026. `{year}` is the year of an invoice's date, and
// `{this_year}` that of its creation.
describe('the observed pattern', () => {
  test.each([
    ['R001/2026 R002/2026 R001/2020', 'R{number:3}/{year}'],
    ['2026-9 2026-10 2020-1', '{year}-{number}'],
    ['INV7 INV8 INV9', 'INV{number}'],
    ['A1-2026-0001 A1-2026-0002 A1-2020-0001', 'A1-{year}-{number:4}'],
    // Without leading zeros, nothing shows that the counter is padded.
    ['F-998 F-999 F-1000', 'F-{number}'],
    ['F-098 F-099 F-100', 'F-{number:3}'],
    ['F-0000000098 F-0000000099 F-0000000100', 'F-{number:10}'],
    ['2026/1 2026/2 2026/3', '{this_year}/{number}'],
    // Without a separator, the year is the beginning of the digits.
    ['202600001 202600002 202000001', '{year}{number:5}'],
    ['20261 20262 20201', '{year}{number}'],
    ['20260001 20260002 20260003', '{this_year}{number:4}'],
    ['R2026001-A R2026002-A R2020001-A', 'R{year}{number:3}-A'],
    // A counter that only looks like a year and a number.
    ['20259 20260 20261', '{number}'],
  ])('of the invoice numbers %s is %s', (numbers, pattern) => {
    expect(observedNumberPattern(invoicesWithNumbers(numbers))).toBe(pattern);
  });

  test.each([
    ['with different letters', 'A-1 B-2 C-3'],
    ['with two counters', '1-1 2-2 3-3'],
    ['that are all the same', 'X-1 X-1 X-1'],
    ['with braces', '{1} {2} {3}'],
    ['in different formats', '1 A-2 A-B-3'],
    ['that do not increase in the order of creation', '7 9 8'],
    ['that end with the year', '12026 22026 12020'],
    ['that are shorter than the padded ones', '7 08 9'],
  ])('is undefined for invoice numbers %s', (_what, numbers) => {
    expect(observedNumberPattern(invoicesWithNumbers(numbers))).toBeUndefined();
  });
});

/** Invoices created in 2026 with these numbers. The third invoice is dated 2020. */
function invoicesWithNumbers(list: string) {
  return list
    .split(' ')
    .map((number, index) => ({ number, year: index === 2 ? '2020' : '2026', creationYear: '2026' }));
}
