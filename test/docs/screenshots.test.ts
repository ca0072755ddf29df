import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageNames, readPage } from './page.js';

const folder = new URL('../../docs/images/', import.meta.url);
const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'));
const script = readFileSync(new URL('screenshots.mjs', import.meta.url), 'utf8');

test('`npm run screenshots` takes exactly the pictures in docs/images', () => {
  const screenshotNames = [...script.matchAll(/savePicture\('([\w-]+\.png)'/g)].map(([, name]) => name);
  expect(screenshotNames.sort()).toEqual(pictures.sort());
});

test.each(pictures)('%s is a PNG file of less than 100 kB', (name) => {
  const bytes = readFileSync(new URL(name, folder));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeLessThan(100_000);
});

test('every picture is shown on a page', () => {
  const shownPictures = pageNames.flatMap((name) =>
    [...readPage(name).matchAll(/\]\((?:docs\/)?images\/([^)]+)\)/g)].map(([, file]) => file),
  );
  expect([...new Set(shownPictures)].sort()).toEqual(pictures.sort());
});
