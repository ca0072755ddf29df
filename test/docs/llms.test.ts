import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage, root } from './page.js';

const text = readPage('llms.txt');
const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

test('llms.txt begins with a title and a summary', () => {
  expect(text).toMatch(/^# billing-sim\n\n> \S.*\n\n/);
});

test('llms.txt lists every page in docs', () => {
  const pages = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  expect(pages.map((file) => `docs/${file}`).filter((page) => !targets.includes(page))).toEqual([]);
});

test('the links of llms.txt lead to files that exist', () => {
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

test('llms.txt lists no page twice', () => {
  expect(targets.filter((target, index) => targets.indexOf(target) !== index)).toEqual([]);
});

test('every list item of llms.txt is a link with a description', () => {
  const items = text.split('\n').filter((line) => line.startsWith('- '));
  expect(items.filter((item) => !/^- \[[^\]]+\]\([^)]+\): \S/.test(item))).toEqual([]);
});
