/** An invoice number that the target has chosen, and the years that it may contain. */
interface GeneratedNumber {
  readonly number: string;
  /** Year of the invoice's date. */
  readonly year: string;
  /** Year of the invoice's creation, by the target's clock. */
  readonly creationYear: string;
}

/** Part of an invoice number: text without digits, or digits, which may be a year or a counter. */
type Part = { readonly text: string } | { readonly digits: string };

/** The year with which a run of digits such as `20260001` is assumed to begin; `none` for no year. */
type LeadingYear = 'year' | 'creationYear' | 'none';

/**
 * Finds the pattern of generated invoice numbers, such as `R-{number:3}/{year}`, where the counter has at least three
 * digits. The counter is the only part in which the numbers differ, apart from years.
 * @param generatedNumbers in the order in which the invoices were created
 * @returns undefined if no pattern fits, for example because the numbers are all the same, or differ in several parts
 */
export function observedNumberPattern(generatedNumbers: readonly GeneratedNumber[]): string | undefined {
  // Braces mark the placeholders of patterns, so no pattern can express a number that contains them.
  if (generatedNumbers.some(({ number }) => /[{}]/.test(number))) return undefined;
  for (const leadingYear of ['year', 'creationYear', 'none'] as const) {
    const pattern = patternOf(generatedNumbers, leadingYear);
    if (pattern !== undefined) return pattern;
  }
  return undefined;
}

function patternOf(generatedNumbers: readonly GeneratedNumber[], leadingYear: LeadingYear): string | undefined {
  const [first, ...others] = generatedNumbers.map((generated) => splitNumber(generated, leadingYear));
  if (!first || others.some((parts) => parts.length !== first.length)) return undefined;
  /** The parts in which the numbers differ: for each part, its digits in each number. */
  const varyingParts: (readonly string[])[] = [];
  const pattern = first.map((part, index) => {
    const partsAtIndex = [part, ...others.map((parts) => parts[index])];
    const alwaysEquals = (field: 'year' | 'creationYear'): boolean =>
      partsAtIndex.every(
        (candidate, numberIndex) =>
          candidate && 'digits' in candidate && candidate.digits === generatedNumbers[numberIndex]?.[field],
      );
    // Digits that happen to equal the year of every invoice are treated as the year. `{this_year}` is the year in which
    // the invoice was created; patterns in profiles use the same placeholders.
    if (alwaysEquals('year')) return '{year}';
    if (alwaysEquals('creationYear')) return '{this_year}';
    if (new Set(partsAtIndex.map((candidate) => JSON.stringify(candidate))).size === 1)
      return 'text' in part ? part.text : part.digits;
    const digits = partsAtIndex.flatMap((candidate) => (candidate && 'digits' in candidate ? [candidate.digits] : []));
    if (digits.length < partsAtIndex.length) return undefined;
    varyingParts.push(digits);
    // If no counter has a leading zero, it is unknown whether counters are padded.
    const width = Math.max(...digits.map((counter) => (counter.startsWith('0') ? counter.length : 0)));
    if (digits.some((counter) => counter.length < width)) return undefined;
    return width === 0 ? '{number}' : `{number:${width}}`;
  });
  const [counters] = varyingParts;
  if (!counters || varyingParts.length > 1 || pattern.some((part) => part === undefined)) return undefined;
  // With `{year}`, each year has its own counter; in profiles, `{this_year}` does not start a new one.
  const seriesOf = (index: number): string => (pattern.includes('{year}') ? (generatedNumbers[index]?.year ?? '') : '');
  return isIncreasingInEachSeries(counters, seriesOf) ? pattern.join('') : undefined;
}

/** True if each counter is greater than the one before it in the same series. */
function isIncreasingInEachSeries(counters: readonly string[], seriesOf: (index: number) => string): boolean {
  const lastCounters = new Map<string, bigint>();
  return counters.every((digits, index) => {
    const series = seriesOf(index);
    const [last, counter] = [lastCounters.get(series) ?? -1n, BigInt(digits)];
    lastCounters.set(series, counter);
    return counter > last;
  });
}

/** Splits a number into parts: text, and digits. Digits that begin with the year become two parts. */
function splitNumber(generated: GeneratedNumber, leadingYear: LeadingYear): Part[] {
  const year = leadingYear === 'none' ? '' : generated[leadingYear];
  // The capture group keeps the digits in the result of `split`.
  const parts = generated.number.split(/(\d+)/).flatMap((part) => {
    return year !== '' && part.startsWith(year) ? [year, part.slice(year.length)] : [part];
  });
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      return /^\d+$/.test(part) ? { digits: part } : { text: part };
    });
}
