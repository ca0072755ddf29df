import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../src/contract/sections/clauses.js';
import { nonOpenClauses } from './clauses-by-topic.js';

const specification = readFileSync(new URL('specification.md', import.meta.url), 'utf8');

/**
 * The sections of the specification. Some headings, such as `Invoice`, occur twice; a quote may be from either section.
 */
const sections = sectionsOf(specification);

/** Splits a Markdown text by its headings; a section includes its subsections. */
function sectionsOf(text: string): { readonly heading: string; readonly text: string }[] {
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)];
  return headings.map((match) => {
    const [, hashes = '', heading = ''] = match;
    const next = headings.find((other) => other.index > match.index && (other[1] ?? '').length <= hashes.length);
    return { heading, text: text.slice(match.index, next?.index) };
  });
}

/** Returns true if a text contains the parts of a quote, separated by `…`, in order. */
function containsQuote(text: string, quote: string): boolean {
  let start = 0;
  return quote.split(' … ').every((part) => {
    const found = text.indexOf(part, start);
    start = found + part.length;
    return found !== -1;
  });
}

describe.each(nonOpenClauses)('$id', ({ spec, quote = '' }) => {
  test('quotes the specification verbatim, from the named section', () => {
    expect(quote).not.toBe('');
    const namedSections = sections.filter(({ heading }) => heading === spec);
    const isQuoted = namedSections.some(({ text }) => containsQuote(text, quote));
    expect(isQuoted, `the section "${spec}" does not contain: ${quote}`).toBe(true);
  });
});

test('an open clause quotes nothing, since the specification is silent about its gap', () => {
  const openWithQuote = clauses.filter(({ level, quote }) => level === 'open' && quote !== undefined);
  expect(openWithQuote.map(({ id }) => id)).toEqual([]);
});
