import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Call, curlOf } from '../../src/contract/engine/exchange.js';
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
    `-H "Authorization: Basic $(printf %s "$TOKEN:" | base64 | tr -d '\\n')"`,
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
    '--data-urlencode "access_token=$TOKEN" --data-urlencode "api_token=$TOKEN" --data-urlencode "token=$TOKEN"',
  ],
  [
    'other headers',
    { cookie: `access_token=${token}; api_token=${token}; token=${token}`, 'x-api-key': token },
    '-H "Cookie: access_token=$TOKEN; api_token=$TOKEN; token=$TOKEN"',
  ],
];

/** Sends a request to a new server, and then the curl command that reproduces it. Returns what arrived for each. */
async function sendTwice(call: Call, fullToken = token) {
  const received: Record<string, unknown>[] = [];
  const baseUrl = await serve(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { authorization, cookie, accept, 'content-type': contentType, 'x-api-key': key } = request.headers;
    received.push({
      ...{ method: request.method, url: request.url, body, authorization, cookie, accept, contentType },
      ...(key === undefined ? {} : { 'x-api-key': key }),
    });
    response
      .writeHead(401, { 'X-Echo': String(authorization) })
      .end(JSON.stringify({ ...received[0], url: request.url }));
  });
  const target = new Target({ baseUrl, tokens: { full: fullToken }, timeoutMs: 5_000, pace: 'off', mayWrite: true });
  const exchange = await target.send(call);
  const curl = curlOf(exchange);
  await promisify(execFile)('sh', ['-c', curl], { env: { ...process.env, TOKEN: fullToken } });
  return { byTarget: received[0], byCurl: received[1], exchange, curl };
}

const sendWith = (tokenStyle: TokenStyle, fullToken?: string) =>
  sendTwice({ method: 'GET', path: '/invoices', tokenStyle }, fullToken);

describe.each(tokenStyles)('a token in the style "%s"', (tokenStyle, expected, shellFlags) => {
  test('is received exactly that way', async () => {
    const { byTarget } = await sendWith(tokenStyle);
    expect(byTarget).toMatchObject(expected);
    expect(byTarget?.['authorization']).toBe(Reflect.get(expected, 'authorization'));
  });

  test('is sent in the same way by the curl command', async () => {
    const { byTarget, byCurl, curl } = await sendWith(tokenStyle);
    expect(curl).toContain(shellFlags);
    expect(byCurl).toEqual(byTarget);
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

test.each<[title: string, call: Call]>([
  ['braces and brackets in the path', { method: 'GET', path: '/invoices?status[]=a&page={1,2}' }],
  ['a body that begins with @', { method: 'POST', path: '/deposits', body: '@/etc/hostname' }],
  ['quotes in the body', { method: 'POST', path: '/deposits', body: { booking_reference: `O'Neil's "$TOKEN"` } }],
  ['a token that was never issued', { method: 'GET', path: '/invoices', token: 'unknown' }],
  ['no token', { method: 'GET', path: '/invoices', token: 'none' }],
])('a request with %s is sent in the same way by its curl command', async (_title, call) => {
  const { byTarget, byCurl } = await sendTwice(call);
  expect(byCurl).toEqual(byTarget);
});
