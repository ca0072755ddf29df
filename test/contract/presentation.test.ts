import { describe, expect, test } from 'vitest';
import { curlOf } from '../../src/contract/engine/exchange.js';
import { Target } from '../../src/contract/engine/target.js';
import type { Presentation } from '../../src/contract/report/presentation.js';
import { serve } from './targets.js';

const token = 'Secret-Token-9';

/** Headers that a server receives for each way to present a token, and the same request as a curl command. */
const rows: readonly (readonly [Presentation, seen: object, shell: string])[] = [
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

async function ask(presented: Presentation, full = token) {
  const seen: Record<string, unknown> = {};
  const baseUrl = await serve((request, response) => {
    Object.assign(seen, { url: request.url }, request.headers);
    response.writeHead(401, { 'X-Echo': String(request.headers.authorization) }).end(JSON.stringify(seen));
  });
  const target = new Target({ baseUrl, tokens: { full }, timeout: 5_000, pace: 'off', mayWrite: true });
  return { seen, exchange: await target.send({ method: 'GET', path: '/invoices', presented }) };
}

describe.each(rows)('a token presented by %s', (presented, wanted, shell) => {
  test('is sent exactly that way', async () => {
    const { seen } = await ask(presented);
    expect(seen).toMatchObject(wanted);
    expect(seen['authorization']).toBe(Reflect.get(wanted, 'authorization'));
  });

  test('can be repeated in a shell', async () => {
    expect(curlOf((await ask(presented)).exchange)).toContain(shell);
  });

  test('is never shown, nor similar tokens, even if the target returns them', async () => {
    const { url, text, headers } = (await ask(presented)).exchange;
    expect(JSON.stringify([url, text, headers])).not.toMatch(/secret-token/i);
  });
});

test('a token without letters is skipped', async () => {
  await expect(ask('other case', '1234567890')).rejects.toMatchObject({ missing: 'a token with letters' });
});
