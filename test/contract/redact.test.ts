import { expect, test } from 'vitest';
import { redactDeep, redactorFor } from '../../src/contract/report/redact.js';

// Its base64 contains `+`, in whose place base64url has `-`.
const secret = 'tök/en+>>>"1"';
const bytes = Buffer.from(secret);

const inJson = JSON.stringify(secret);
const escaped = [...secret].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

test.each([
  ['in plain text', `a ${secret} b`, 'a [redacted] b'],
  ['in JSON', `{"a":${inJson}}`, '{"a":"[redacted]"}'],
  ['in JSON with escaped slashes, as PHP writes it', `{"a":${inJson.replaceAll('/', '\\/')}}`, '{"a":"[redacted]"}'],
  ['in JSON with every character escaped', `{"a":"${escaped}"}`, '{"a":"[redacted]"}'],
  ['in a URL', `https://a.example/?token=${encodeURIComponent(secret)}&b=1`, 'https://a.example/?token=[redacted]&b=1'],
  ['in a form', `${new URLSearchParams({ token: secret, b: '1' })}`, 'token=[redacted]&b=1'],
  // The padding may remain.
  ['in base64', `a ${bytes.toString('base64')} b`, 'a [redacted]= b'],
  ['in base64url', `a ${bytes.toString('base64url')} b`, 'a [redacted] b'],
  ['in hex', `a ${bytes.toString('hex')} b`, 'a [redacted] b'],
])('a secret %s is redacted', (_location, text, redacted) => {
  expect(redactorFor([secret])(text)).toBe(redacted);
});

test.each([
  ['with named references only', 'a-1&amp;&lt;&gt;&quot;&apos;/=+'],
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
