import { expect, test } from 'vitest';
import { parseUrl } from '../../src/lib/parse-url.js';

test.each([
  ['https://receiver.example/hook?key=1#part', undefined, 'https://receiver.example/hook?key=1#part'],
  ['/dashboard', 'http://127.0.0.1', 'http://127.0.0.1/dashboard'],
  ['receiver.example', undefined, undefined],
  ['http://receiver.example:70000/', undefined, undefined],
])('%j with the base %j is parsed as %j', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href);
});

test('a host name with letters outside ASCII is accepted, however often it is parsed', () => {
  // After some thousand calls, Node 20 runs an optimized version of `URL.canParse`, which rejects such letters.
  for (let count = 0; count < 20_000; count++) {
    if (!parseUrl('http://bücher.example/')) expect.fail(`rejected after ${count} calls`);
  }
});
