/** A generated invoice number, and the year of the invoice's date. */
interface Numbered {
  readonly number: string;
  readonly year: string;
  /** Year of its creation, by the target's clock. */
  readonly madeIn: string;
}

/** Part of a number: text, or digits that may be a year or a counter. */
type Part = { readonly text: string } | { readonly digits: string };

/**
 * Pattern of generated numbers: `R-{number:3}/{year}`. The counter is the part in which they differ.
 * @returns undefined if they differ in more than one part, besides the year
 */
export function observedNumberPattern(numbered: readonly Numbered[]): string | undefined {
  const [first, ...others] = numbered.map(partsOf);
  if (!first || others.some((parts) => parts.length !== first.length)) return undefined;
  // Braces have a meaning in patterns.
  if (numbered.some(({ number }) => /[{}]/.test(number))) return undefined;
  let counting = 0;
  const pattern = first.map((part, index) => {
    const same = [part, ...others.map((parts) => parts[index])];
    // If all are of one year, digits that equal it by coincidence cannot be recognized.
    if (same.every((one, at) => one && 'digits' in one && one.digits === numbered[at]?.year)) return '{year}';
    if (same.every((one, at) => one && 'digits' in one && one.digits === numbered[at]?.madeIn)) return '{this_year}';
    if (new Set(same.map((one) => JSON.stringify(one))).size === 1) return 'text' in part ? part.text : part.digits;
    const digits = same.flatMap((one) => (typeof one === 'object' && 'digits' in one ? [one.digits] : []));
    if (digits.length < same.length) return undefined;
    counting += 1;
    const width = Math.max(...digits.map((one) => (one.startsWith('0') ? one.length : 0)));
    return width === 0 ? '{number}' : `{number:${width}}`;
  });
  return counting === 1 && pattern.every((part) => part !== undefined) ? pattern.join('') : undefined;
}

function partsOf({ number }: Numbered): Part[] {
  return number
    .split(/(\d+)/)
    .filter((part) => part !== '')
    .map((part) => {
      return /^\d+$/.test(part) ? { digits: part } : { text: part };
    });
}
