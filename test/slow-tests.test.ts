import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busyTests, waitingTests } from './support/slow-tests.js';

test.each([...waitingTests, ...busyTests])('the part %s is in the path of a test file', (part) => {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((path) => join('test', path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts'));
  expect(paths.filter((path) => path.includes(part))).not.toEqual([]);
});
