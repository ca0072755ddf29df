import { expect, test } from 'vitest';
import { redactDeep, redacting } from '../../src/contract/report/redact.js';

const secret = 'tök/en+"1"';
const bytes = Buffer.from(secret);

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ a: secret })],
  ['in JSON of PHP', JSON.stringify({ a: secret }).replaceAll('/', '\\/')],
  [
    'in JSON, all of it escaped',
    `{"a":"${[...secret].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
  ],
  ['in an address', `https://a.example/?token=${encodeURIComponent(secret)}`],
  ['in a form', `${new URLSearchParams({ token: secret })}`],
  ['in base64', bytes.toString('base64')],
  ['in base64 for addresses', bytes.toString('base64url')],
  ['in hex', bytes.toString('hex')],
])('a secret %s is taken out', (_where, text) => {
  const clean = redacting([secret])(text);
  expect(clean).toContain('[redacted]');
  for (const form of [secret, 't\\u00f6k', '\\u0074', bytes.toString('hex'), bytes.toString('base64').slice(0, 8)]) {
    expect(clean).not.toContain(form);
  }
});

test.each([
  ['what has none', 'nothing to see', ['secret-1']],
  ['what has an escape that hides nothing', '{"a":"\\u00e9"}', ['secret-1']],
  ['what only looks like JSON', '{"a":"\\u00e9', ['secret-1']],
  ['secrets too short to be ones', 'abc', ['abc', undefined]],
])('%s stays as it is', (_what, text, secrets) => {
  expect(redacting(secrets)(text)).toBe(text);
});

test('secrets with a common prefix leave no rest', () => {
  expect(redacting(['secret', 'secret-and-more'])('secret-and-more secret')).toBe('[redacted] [redacted]');
});

test('values are redacted with their keys', () => {
  const redact = redacting(['secret-1']);
  expect(redactDeep({ 'secret-1': ['secret-1', 1, null, true, { a: 'x secret-1' }] }, redact)).toEqual({
    '[redacted]': ['[redacted]', 1, null, true, { a: 'x [redacted]' }],
  });
});
