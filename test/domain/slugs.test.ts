import anyAscii from 'any-ascii';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstFreeSlug, invoiceIdOf, invoiceSlug, slugOf } from '../../src/domain/slugs.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { unicodeCharacter } from '../support/unicode-character.js';

const dashesProfile = resolveProfile({});
const percentEncodedProfile = resolveProfile({ 'link.slug': 'percent-encoded' });
const descriptions = fc.string({ unit: unicodeCharacter, minLength: 1, maxLength: 255 });

describe('a slug', () => {
  it.each([
    ['Consulting March', 'consulting-march'],
    ['Été à Paris!', 'ete-a-paris'],
    ['INV/2026  #42', 'inv-2026-42'],
    ['-- a --', 'a'],
    ['STRASSE', 'strasse'],
    ['ﬁn', 'fin'],
    ['İstanbul', 'istanbul'],
    ['Straße', 'strasse'],
    ['Œuvre Łódź', 'oeuvre-lodz'],
    ['Ærø Þór Đorđe', 'aero-thor-dorde'],
    ['Ärger & Öl', 'arger-ol'],
    ['E\u0301te\u0301', 'ete'],
    ['Привет', 'privet'],
    ['Никола\u0438\u0306', 'nikolay'],
    // Without a letter or digit that can be transliterated, nothing is left for a slug.
    ['.', 'link'],
    ['..', 'link'],
    ['中文', 'link'],
    ['🚀', 'link'],
    ['!', 'link'],
  ])('of %j is %j', (description, slug) => {
    expect(slugOf(description, dashesProfile)).toBe(slug);
  });

  it('transliterates accented letters the way any-ascii does', () => {
    // From À to ỿ, the last letter of Latin Extended Additional.
    const [first, last] = [0xc0, 0x1eff];
    const letters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).filter(
      (letter) => /^[a-z]\p{M}+$/iu.test(letter.normalize('NFD')),
    );
    expect(letters).toEqual(expect.arrayContaining(['À', 'ő', 'Ǎ', 'ṩ', 'ỹ']));
    expect(letters.map((letter) => slugOf(`x${letter}x`, dashesProfile))).toEqual(
      letters.map((letter) => `x${anyAscii(letter).toLowerCase()}x`),
    );
  });

  it('consists of letters, digits and single dashes, and is never empty, under link.slug: dashes', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        expect(slugOf(description, dashesProfile)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      }),
    );
  });

  it('of a slug is the slug itself', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        const slug = slugOf(description, dashesProfile);
        expect(slugOf(slug, dashesProfile)).toBe(slug);
      }),
    );
  });

  it('is the description in lower case under link.slug: percent-encoded, since only URLs encode it', () => {
    expect(slugOf('Été à Paris!', percentEncodedProfile)).toBe('été à paris!');
  });

  it.each(['.', '..', '%2e', '%2E', '.%2e', '%2e.', '%2E%2e'])('is never the dot segment %j', (description) => {
    for (const profile of [dashesProfile, percentEncodedProfile]) {
      const url = new URL(`http://127.0.0.1/pay/${encodeURIComponent(slugOf(description, profile))}`);
      expect(url.pathname).toMatch(/^\/pay\/[^/]+$/);
      expect(slugOf(description, profile)).not.toBe(description.toLowerCase());
    }
  });
});

describe('the first free slug', () => {
  it.each([
    ['the slug itself', 'room', [], 'room'],
    ['the slug with -2 if the slug is taken', 'room', ['room'], 'room-2'],
    ['the slug with the next free suffix', 'room', ['room', 'room-2', 'room-3'], 'room-4'],
    ['the slug with a second suffix if it already ends with one', 'room-2', ['room-2'], 'room-2-2'],
  ])('is %s', (_title, slug, usedSlugs, expected) => {
    expect(firstFreeSlug(slug, (candidate) => usedSlugs.includes(candidate)).slug).toBe(expected);
  });

  it('is never the slug of an invoice, even of one that does not exist', () => {
    fc.assert(
      fc.property(fc.nat(), (id) => {
        expect(firstFreeSlug(invoiceSlug(id), () => false).slug).toBe(`${invoiceSlug(id)}-2`);
      }),
    );
  });

  it('skips the suffixes that are known to be taken', () => {
    const checkedSlugs: string[] = [];
    const isTaken = (candidate: string): boolean => {
      checkedSlugs.push(candidate);
      return candidate === 'room';
    };
    const lastTakenSuffix = 7;
    expect(firstFreeSlug('room', isTaken, lastTakenSuffix)).toEqual({ slug: 'room-8', suffix: 8 });
    expect(checkedSlugs).toEqual(['room', 'room-8']);
  });
});

describe('the invoice id', () => {
  it.each([
    ['inv_7', 7],
    ['inv_1200', 1200],
    ['inv_07', undefined],
    ['inv_1e3', undefined],
    ['inv_', undefined],
    ['inv-7', undefined],
    ['consulting', undefined],
    ['INV_7', undefined],
  ])('in the slug %s is %s', (slug, id) => {
    expect(invoiceIdOf(slug)).toBe(id);
  });
});
