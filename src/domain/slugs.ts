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

/** Slugs that an invoice's own pay link has, and that no payment link may take. */
export function invoiceSlug(id: number): string {
  return `inv_${id}`;
}

export function isInvoiceSlug(slug: string): boolean {
  return /^inv_\d+$/.test(slug);
}
