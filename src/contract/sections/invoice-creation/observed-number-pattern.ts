/** A generated invoice number, and the years that it may contain. */
interface GeneratedNumber {
  readonly number: string;
  /** Year of the invoice's date. */
  readonly year: string;
  /** Year of the invoice's creation, by the target's clock. */
  readonly creationYear: string;
}

/** Part of an invoice number: text without digits, or digits, which may be a year or a counter. */
type Part = { readonly text: string } | { readonly digits: string };

/**
 * Finds the pattern of generated invoice numbers, such as `R-{number:3}/{year}`, where the counter has at least three
 * digits. The counter is the only part in which the numbers differ, apart from years.
 * @returns undefined if there is no such pattern, for example if they differ in no part, or in more than one
 */
export function observedNumberPattern(generatedNumbers: readonly GeneratedNumber[]): string | undefined {
  const [first, ...others] = generatedNumbers.map(splitNumber);
  if (!first || others.some((parts) => parts.length !== first.length)) return undefined;
  // Braces mark the placeholders of patterns, so no pattern can express a number that contains them.
  if (generatedNumbers.some(({ number }) => /[{}]/.test(number))) return undefined;
  let counterCount = 0;
  const pattern = first.map((part, index) => {
    const partsAtIndex = [part, ...others.map((parts) => parts[index])];
    const alwaysEquals = (field: 'year' | 'creationYear'): boolean =>
      partsAtIndex.every(
        (other, numberIndex) => other && 'digits' in other && other.digits === generatedNumbers[numberIndex]?.[field],
      );
    // Digits that equal the year of all invoices by chance are taken for the year. `{this_year}` is the year in which
    // the invoice was created; patterns in profiles use the same placeholders.
    if (alwaysEquals('year')) return '{year}';
    if (alwaysEquals('creationYear')) return '{this_year}';
    if (new Set(partsAtIndex.map((other) => JSON.stringify(other))).size === 1)
      return 'text' in part ? part.text : part.digits;
    const digits = partsAtIndex.flatMap((other) => (other && 'digits' in other ? [other.digits] : []));
    if (digits.length < partsAtIndex.length) return undefined;
    counterCount += 1;
    // Without a leading zero in any of the counters, it is unknown whether they are padded.
    const width = Math.max(...digits.map((counter) => (counter.startsWith('0') ? counter.length : 0)));
    return width === 0 ? '{number}' : `{number:${width}}`;
  });
  return counterCount === 1 && pattern.every((part) => part !== undefined) ? pattern.join('') : undefined;
}

function splitNumber({ number }: GeneratedNumber): Part[] {
  // The capture group keeps the digits in the result of `split`.
  return number
    .split(/(\d+)/)
    .filter((part) => part !== '')
    .map((part) => {
      return /^\d+$/.test(part) ? { digits: part } : { text: part };
    });
}
