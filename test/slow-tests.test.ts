import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busyTests, waitingTests } from './support/slow-tests.js';

test('each part of a path is in the path of a test file', () => {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path).replaceAll('\\', '/'));
  const parts = [...waitingTests, ...busyTests];
  expect(parts.filter((part) => !paths.some((path) => path.includes(part)))).toEqual([]);
});
