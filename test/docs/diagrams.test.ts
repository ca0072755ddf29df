import { expect, test } from 'vitest';
import { withDiagrams } from './diagrams.js';
import { readPage } from './page.js';

const page = readPage('docs/lifecycles.md');

test('docs/lifecycles.md shows the current lifecycles', () => {
  expect(page, 'the diagrams in docs/lifecycles.md are stale: run `npm run docs`').toBe(withDiagrams(page));
});

test('stale and missing diagrams are updated, and the rest of the page is left unchanged', () => {
  const stale = page.replaceAll('--> expired', '--> gone').replace('# Lifecycles', '# Another title');
  expect(withDiagrams(stale)).toBe(page.replace('# Lifecycles', '# Another title'));
  const withoutDiagrams = page.replace(/(?<=<!-- lifecycle: \w+ -->\n).*?(?=<!-- end -->)/gs, '');
  expect(withoutDiagrams).not.toContain('mermaid');
  expect(withDiagrams(withoutDiagrams)).toBe(page);
  expect(() => withDiagrams(page.replace('lifecycle: payment', 'gone'))).toThrow(
    'no place for the lifecycle of a payment',
  );
});
