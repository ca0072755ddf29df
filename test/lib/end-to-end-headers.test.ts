import { expect, test } from 'vitest';
import { endToEndHeaders } from '../../src/lib/end-to-end-headers.js';

test.each([
  {
    behavior: 'keeps case, order and repetitions',
    raw: ['B', '1', 'a', '2', 'b', '3'],
    headers: ['B: 1', 'a: 2', 'b: 3'],
  },
  {
    behavior: 'drops hop-by-hop headers',
    raw: ['Keep-Alive', 'timeout=5', 'TE', 'trailers', 'X', '1'],
    headers: ['X: 1'],
  },
  {
    behavior: 'drops headers listed in Connection',
    raw: ['Connection', 'close, X-Hop', 'x-hop', '1', 'X-End', '2', 'connection', 'X-Other', 'X-OTHER', '3'],
    headers: ['X-End: 2'],
  },
  {
    behavior: 'drops headers that the caller excludes',
    raw: ['Host', 'example.com', 'X', '1'],
    without: ['host'],
    headers: ['X: 1'],
  },
])('endToEndHeaders $behavior', ({ raw, without, headers }) => {
  expect(endToEndHeaders(raw, without).map(([name, value]) => `${name}: ${value}`)).toEqual(headers);
});
