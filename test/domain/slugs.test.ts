import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invoiceSlug, isInvoiceSlug, slugOf } from '../../src/domain/slugs.js';
import { resolveProfile } from '../../src/http/profile.js';

const dashes = resolveProfile({});
const encoded = resolveProfile({ 'link.slug': 'percent-encoded' });
const descriptions = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 });

describe('a slug', () => {
  it.each([
    ['Consulting March', 'consulting-march'],
    ['Été à Paris!', 'ete-a-paris'],
    ['INV/2026  #42', 'inv-2026-42'],
    ['-- a --', 'a'],
    ['STRASSE', 'strasse'],
    ['ﬁn', 'fin'],
    ['İstanbul', 'istanbul'],
    ['中文', 'link'],
    ['🚀', 'link'],
    ['!', 'link'],
  ])('of %j is %j', (description, slug) => {
    expect(slugOf(description, dashes)).toBe(slug);
  });

  it('is made of letters, digits and single dashes between them, and never empty', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        expect(slugOf(description, dashes)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      }),
    );
  });

  it('is its own slug', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        const slug = slugOf(description, dashes);
        expect(slugOf(slug, dashes)).toBe(slug);
      }),
    );
  });

  it('is the description in lower case and nothing more under percent-encoded', () => {
    expect(slugOf('Été à Paris!', encoded)).toBe('été à paris!');
  });

  it('is never one that an invoice has', () => {
    fc.assert(
      fc.property(descriptions, (text) => {
        expect(isInvoiceSlug(slugOf(text, dashes))).toBe(false);
      }),
    );
    expect(isInvoiceSlug(slugOf('inv_1', dashes))).toBe(false);
  });
});

describe("an invoice's slug", () => {
  it('is known as such', () => {
    fc.assert(
      fc.property(fc.nat(), (id) => {
        expect(isInvoiceSlug(invoiceSlug(id))).toBe(true);
      }),
    );
  });
});
