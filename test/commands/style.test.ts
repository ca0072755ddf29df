import { afterEach, expect, test, vi } from 'vitest';
import { hasColors, understandsEscapes, withColors } from '../../src/commands/support/style.js';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a pipe', { isTTY: false }, {}, false],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR and NO_COLOR', { isTTY: false }, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', { isTTY: true }, { FORCE_COLOR: '0' }, false],
])('colors on %s (stream %j, environment %j): %s', (_name, stream, env, expected) => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(hasColors(stream)).toBe(expected);
});

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ['a dumb terminal with FORCE_COLOR', { isTTY: true }, { TERM: 'dumb', FORCE_COLOR: '1' }, false],
  ['a pipe with FORCE_COLOR', { isTTY: false }, { FORCE_COLOR: '1' }, false],
])(
  'escape sequences (needed for progress bars) on %s (stream %j, environment %j): %s',
  (_name, stream, env, expected) => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(understandsEscapes(stream)).toBe(expected);
  },
);

test('labels, symbols, statuses and words for an outcome in table cells are colored, but not words in sentences', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  const text = 'error: a\nWarning: b\n✓ good  ✗ bad  → 200 and → 503  failed  to\nfailed payment';
  expect(withColors(text, { isTTY: false })).toBe(
    '\u001b[31merror:\u001b[39m a\n\u001b[33mWarning:\u001b[39m b\n\u001b[32m✓\u001b[39m good  ' +
      '\u001b[31m✗\u001b[39m bad  \u001b[32m→ 200\u001b[39m and \u001b[31m→ 503\u001b[39m  ' +
      '\u001b[31mfailed\u001b[39m  to\nfailed payment',
  );
});
