import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'));
const script = readFileSync(new URL('screenshots.mjs', folder), 'utf8');
const readme = readFileSync(new URL('../../README.md', folder), 'utf8');

test('every picture is taken by `npm run screenshots`, and no other is', () => {
  const taken = [...script.matchAll(/take\('([\w-]+\.png)'/g)].map(([, name]) => name);
  expect(taken.sort()).toEqual(pictures.sort());
});

test.each(pictures)('%s is a picture, and small', (name) => {
  const bytes = readFileSync(new URL(name, folder));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeLessThan(80_000);
});

test('README shows each of them, and no other', () => {
  const shown = [...readme.matchAll(/(?:\]\(|src=")([^)"\s]+\.png)/g)].map(([, path]) => path);
  expect(shown.sort()).toEqual(pictures.map((name) => `test/readme/${name}`).sort());
});
