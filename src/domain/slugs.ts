import type { Profile } from './gaps.js';

/** The slug that a description asks for, before a suffix makes it unique (gap link.slug). Never empty. */
export function slugOf(description: string, profile: Profile): string {
  const lower = description.toLowerCase();
  // An unpaired surrogate (gap text.characters) has no percent-encoding.
  if (profile['link.slug'] === 'percent-encoded') return lower.toWellFormed();
  const dashed = lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return dashed || 'link';
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
