import { createRequire } from 'node:module';
import type { GapChoices } from './gaps.js';

const require = createRequire(import.meta.url);

/** Replaces a text that makes no valid slug. */
const fallback = 'link';

/** The slug that a description asks for, before a suffix makes it unique (gap link.slug). Never empty, never a dot segment. */
export function slugOf(description: string, profile: GapChoices): string {
  if (profile['link.slug'] === 'percent-encoded') {
    // An unpaired surrogate (gap text.characters) has no percent-encoding.
    const lower = description.toLowerCase().toWellFormed();
    return isDotSegment(lower) ? fallback : lower;
  }
  const dashed = toAscii(description)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return dashed || fallback;
}

/** Whether clients take a part of a path for the folder itself or the one above, so that it would never arrive. */
function isDotSegment(slug: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(slug);
}

const notAscii = /\P{ASCII}+/gu;
/** The characters that Laravel's `Str::slug` drops: symbols, and the scripts for which its tables have nothing. */
const dropped =
  /[^\p{ASCII}\p{L}\p{M}\p{N}]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/gu;

/** A text in the letters of ASCII: `Straße` is `Strasse`, `Łódź` is `Lodz`. */
function toAscii(text: string): string {
  const withoutMarks = text.normalize('NFC').replace(dropped, ' ');
  return withoutMarks.replace(notAscii, (letters) => {
    // Loaded with the first letter that needs it, and known from then on: its tables would add to every start.
    const { default: anyAscii }: typeof import('any-ascii') = require('any-ascii');
    return anyAscii(letters);
  });
}

/** The slug of an invoice's own pay link. */
export function invoiceSlug(id: number): string {
  return `inv_${id}`;
}

const invoiceSlugForm = /^inv_\d+$/;

/** The id of the invoice that a slug is of; undefined for one of a payment link. */
export function invoiceIdOf(slug: string): number | undefined {
  const id = Number(slug.slice('inv_'.length));
  // `inv_07` is none: every invoice has one slug.
  return invoiceSlug(id) === slug ? id : undefined;
}

/**
 * The slug itself, or the first free one of slug-2, slug-3, … (specification, POST /payment-links, rules). Those of
 * invoices are never free.
 * @param after the suffix that is known to be the last one taken; 1 if nothing is known
 */
export function firstFreeSlug(
  slug: string,
  taken: (candidate: string) => boolean,
  after = 1,
): { slug: string; suffix: number } {
  const free = (candidate: string): boolean => !invoiceSlugForm.test(candidate) && !taken(candidate);
  if (free(slug)) return { slug, suffix: 1 };
  let suffix = after + 1;
  while (!free(`${slug}-${suffix}`)) suffix += 1;
  return { slug: `${slug}-${suffix}`, suffix };
}
