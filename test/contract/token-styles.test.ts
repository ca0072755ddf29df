import { describe, expect, test } from 'vitest';
import { curlOf } from '../../src/contract/engine/exchange.js';
import { Target } from '../../src/contract/engine/target.js';
import type { TokenStyle } from '../../src/contract/engine/token-styles.js';
import { serve } from './targets.js';

const token = 'Secret-Token-9';

/** Token styles, each with the headers or URL that a server receives, and the curl flags that send the same. */
const tokenStyles: readonly (readonly [tokenStyle: TokenStyle, received: object, shellFlags: string])[] = [
  ['other scheme', { authorization: `Basic ${token}` }, '-H "Authorization: Basic $TOKEN"'],
  [
    'user name',
    { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` },
    '-H "Authorization: Basic $(printf %s "$TOKEN:" | base64 -w0)"',
  ],
  ['without a scheme', { authorization: token }, '-H "Authorization: $TOKEN"'],
  ['cut short', { authorization: 'Bearer Secret-Token-' }, `-H "Authorization: Bearer \${TOKEN%?}"`],
  ['extended', { authorization: `Bearer ${token}suite` }, `-H "Authorization: Bearer \${TOKEN}suite"`],
  [
    'other case',
    { authorization: 'Bearer sECRET-tOKEN-9' },
    '-H "Authorization: Bearer $(printf %s "$TOKEN" | tr a-zA-Z A-Za-z)"',
  ],
  ['followed by a word', { authorization: `Bearer ${token} suite` }, '-H "Authorization: Bearer $TOKEN suite"'],
  [
    'query',
    { url: `/api/v1/invoices?access_token=${token}&api_token=${token}&token=${token}` },
    '--url-query "access_token=$TOKEN" --url-query "api_token=$TOKEN" --url-query "token=$TOKEN"',
  ],
  [
    'other headers',
    { cookie: `access_token=${token}; api_token=${token}; token=${token}`, 'x-api-key': token },
    '-H "Cookie: access_token=$TOKEN; api_token=$TOKEN; token=$TOKEN"',
  ],
];

async function sendWith(tokenStyle: TokenStyle, fullToken = token) {
  const received: Record<string, unknown> = {};
  const baseUrl = await serve((request, response) => {
    Object.assign(received, { url: request.url }, request.headers);
    response.writeHead(401, { 'X-Echo': String(request.headers.authorization) }).end(JSON.stringify(received));
  });
  const target = new Target({ baseUrl, tokens: { full: fullToken }, timeoutMs: 5_000, pace: 'off', mayWrite: true });
  return { received, exchange: await target.send({ method: 'GET', path: '/invoices', tokenStyle }) };
}

describe.each(tokenStyles)('a token in the style "%s"', (tokenStyle, expected, shellFlags) => {
  test('is received exactly that way', async () => {
    const { received } = await sendWith(tokenStyle);
    expect(received).toMatchObject(expected);
    expect(received['authorization']).toBe(Reflect.get(expected, 'authorization'));
  });

  test('is shown as an equivalent curl command', async () => {
    expect(curlOf((await sendWith(tokenStyle)).exchange)).toContain(shellFlags);
  });

  test('is redacted in the response, as are its variants', async () => {
    const { url, text, headers } = (await sendWith(tokenStyle)).exchange;
    const shown = JSON.stringify([url, text, headers]);
    expect(shown).not.toMatch(/secret-token/i);
    expect(shown).not.toContain(Buffer.from('Secret-Token').toString('base64'));
  });
});

test('a token without letters cannot be presented in another case', async () => {
  await expect(sendWith('other case', '1234567890')).rejects.toMatchObject({ missing: 'a token with letters' });
});
