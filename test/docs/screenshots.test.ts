import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageNames, readPage } from './page.js';

const folder = new URL('../../docs/images/', import.meta.url);
const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'));
const script = readFileSync(new URL('screenshots.mjs', import.meta.url), 'utf8');

test('every picture is taken by `npm run screenshots`, and no other is', () => {
  const taken = [...script.matchAll(/take\('([\w-]+\.png)'/g)].map(([, name]) => name);
  expect(taken.sort()).toEqual(pictures.sort());
});

test.each(pictures)('%s is a picture, and small', (name) => {
  const bytes = readFileSync(new URL(name, folder));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeLessThan(80_000);
});

test('the pages show each of them', () => {
  const shown = pageNames.flatMap((name) =>
    [...readPage(name).matchAll(/\]\((?:docs\/)?images\/([^)]+)\)/g)].map(([, file]) => file),
  );
  expect([...new Set(shown)].sort()).toEqual(pictures.sort());
});
