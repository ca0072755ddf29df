import { expect, test } from 'vitest';
import { redactDeep, redactorFor } from '../../src/contract/report/redact.js';

const secret = 'tök/en+"1"';
const bytes = Buffer.from(secret);

test.each([
  ['in plain text', secret],
  ['in JSON', JSON.stringify({ a: secret })],
  ['in JSON with escaped slashes, as PHP writes it', JSON.stringify({ a: secret }).replaceAll('/', '\\/')],
  [
    'in JSON with every character escaped',
    `{"a":"${[...secret].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
  ],
  ['in a URL', `https://a.example/?token=${encodeURIComponent(secret)}`],
  ['in a form', `${new URLSearchParams({ token: secret })}`],
  ['in base64', bytes.toString('base64')],
  ['in base64url', bytes.toString('base64url')],
  ['in hex', bytes.toString('hex')],
])('a secret %s is redacted', (_location, text) => {
  const redacted = redactorFor([secret])(text);
  expect(redacted).toContain('[redacted]');
  for (const trace of [secret, 't\\u00f6k', '\\u0074', bytes.toString('hex'), bytes.toString('base64').slice(0, 8)]) {
    expect(redacted).not.toContain(trace);
  }
});

test.each([
  ['with all names', 'a-1&amp;&lt;&gt;&quot;&apos;/=+'],
  ['as PHP writes it', 'a-1&amp;&lt;&gt;&quot;&#039;/=+'],
  ['as Python writes it', 'a-1&amp;&lt;&gt;&quot;&#x27;/=+'],
  ['as Go writes it', 'a-1&amp;&lt;&gt;&#34;&#39;/=&#43;'],
  ['with hexadecimal references', 'a&#x2D;1&amp;&lt;&gt;&quot;&#x27;&#x2F;&#x3D;&#x2B;'],
  ['with hexadecimal references in lower case', 'a&#x2d;1&amp;&lt;&gt;&quot;&#x27;&#x2f;&#x3d;&#x2b;'],
  ['in JSON', 'a-1&amp;&lt;&gt;&quot;&#039;\\/=+'],
])('a secret that is escaped for HTML %s is redacted', (_title, escaped) => {
  const redact = redactorFor([`a-1&<>"'/=+`]);
  expect(redact(`<p title="${escaped}">${escaped}</p> &amp;`)).toBe('<p title="[redacted]">[redacted]</p> &amp;');
});

test.each([
  ['a text without secrets', 'nothing to see', ['secret-1']],
  ['JSON with an escape that hides no secret', '{"a":"\\u00e9"}', ['secret-1']],
  ['HTML that hides no secret', 'a &amp; b &#x2F; secret-2', ['secret-1']],
  ['invalid JSON with an escape', '{"a":"\\u00e9', ['secret-1']],
  ['a secret of three characters, which is too short to redact', 'abc', ['abc']],
  ['a text, if the secret is not set', 'abcdef', [undefined]],
])('%s is not changed', (_what, text, secrets) => {
  expect(redactorFor(secrets)(text)).toBe(text);
});

test('secrets with a common prefix are redacted completely', () => {
  expect(redactorFor(['secret', 'secret-and-more'])('secret-and-more secret')).toBe('[redacted] [redacted]');
});

test('keys and values are redacted at every depth', () => {
  const redact = redactorFor(['secret-1']);
  expect(redactDeep({ 'secret-1': ['secret-1', 1, null, true, { a: 'x secret-1' }] }, redact)).toEqual({
    '[redacted]': ['[redacted]', 1, null, true, { a: 'x [redacted]' }],
  });
});
