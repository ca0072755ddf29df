import anyAscii from 'any-ascii';
import type { GapChoices } from './gaps.js';

/** Slug for a description that yields no valid one, such as `!!!`. */
const fallbackSlug = 'link';

/** Slug for a description, before a suffix makes it unique (gap link.slug). Never empty, and never a dot segment. */
export function slugOf(description: string, profile: GapChoices): string {
  if (profile['link.slug'] === 'percent-encoded') {
    // The view that builds the URL encodes the slug, and would fail on an unpaired surrogate (gap text.characters).
    const lower = description.toLowerCase().toWellFormed();
    return isDotSegment(lower) ? fallbackSlug : lower;
  }
  const dashed = toAscii(description)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return dashed || fallbackSlug;
}

/**
 * True if a slug is `.` or `..`, percent-encoded or not: clients resolve such a path segment and request another path.
 */
function isDotSegment(slug: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(slug);
}

const notAscii = /\P{ASCII}+/gu;
/**
 * Characters that are not transliterated, and so become dashes: symbols and some scripts. The default choice imitates
 * Laravel's `Str::slug`, whose tables lack these scripts.
 */
const untransliterated =
  /[^\p{ASCII}\p{L}\p{M}\p{N}]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu;

/** Transliterates to ASCII: `Straße` becomes `Strasse`, `Łódź` becomes `Lodz`. */
function toAscii(text: string): string {
  const transliterable = text.normalize('NFC').replace(untransliterated, ' ');
  return transliterable.replace(notAscii, (letters) => {
    // For most letters, removing combining accents gives the same result without loading the tables of any-ascii.
    // U+0363 to U+036F are left to any-ascii, since they are small letters above a letter.
    const withoutAccents = letters.normalize('NFD').replace(/[\u0300-\u0362]+/g, '');
    return /\P{ASCII}/u.test(withoutAccents) ? anyAscii(letters) : withoutAccents;
  });
}

/** Slug of an invoice's payment page. */
export function invoiceSlug(id: number): string {
  return `inv_${id}`;
}

const invoiceSlugPattern = /^inv_\d+$/;

/** Id of the invoice with a slug; undefined for the slug of a payment link. */
export function invoiceIdOf(slug: string): number | undefined {
  const id = Number(slug.slice('inv_'.length));
  // `inv_07` is not a slug: every invoice has exactly one.
  return invoiceSlug(id) === slug ? id : undefined;
}

/**
 * Returns the slug, or the first free one of slug-2, slug-3, … (specification, POST /payment-links, rules). Slugs of
 * invoices are never free.
 * @param lastTakenSuffix last suffix that is known to be taken; 1 if none is known
 * @returns the free slug, and its suffix; 1 stands for no suffix
 */
export function firstFreeSlug(
  slug: string,
  isTaken: (candidate: string) => boolean,
  lastTakenSuffix = 1,
): { slug: string; suffix: number } {
  const isFree = (candidate: string): boolean => !invoiceSlugPattern.test(candidate) && !isTaken(candidate);
  if (isFree(slug)) return { slug, suffix: 1 };
  let suffix = lastTakenSuffix + 1;
  while (!isFree(`${slug}-${suffix}`)) suffix += 1;
  return { slug: `${slug}-${suffix}`, suffix };
}
