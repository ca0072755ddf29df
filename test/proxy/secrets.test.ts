import { expect, test } from 'vitest';
import { type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';
import { openProxied, openUpstream } from './proxied.js';

const secret = 's3cr3t-V4lue_of_somebody';

/** Places of secrets in requests and responses, each in an exchange with a deviation there. */
const exchanges: (Partial<RequestToSend> & { path: string })[] = [
  { path: '/invoices', headers: ['Authorization', `Basic ${secret}`] },
  { path: `/invoices/${secret}`, token: secret },
  { path: `/invoices?access_token=${secret}`, token: secret },
  { path: `/invoices?${secret}`, token: secret },
  { path: `/invoices?page=${secret}`, token: secret },
  { path: `/tokens/${secret}/${secret}`, token: secret },
  {
    path: '/deposits',
    method: 'POST',
    token: secret,
    headers: ['Idempotency-Key', secret.repeat(20), 'Cookie', secret],
    body: '{}',
  },
  {
    path: '/deposits',
    method: 'POST',
    token: secret,
    body: JSON.stringify({ metadata: { [secret]: [secret] }, amount: secret }),
  },
  { path: '/payment-links', method: 'POST', token: secret, body: `{"${secret}` },
  { path: '/payment-links', method: 'POST', token: secret, body: secret, headers: ['Content-Type', secret] },
];

test('no values of requests and responses are reported', async () => {
  const upstream = await openUpstream((_request, response) => {
    response.writeHead(200, `OK ${secret}`, {
      'Set-Cookie': secret,
      'X-RateLimit-Limit': secret,
      'Content-Type': `application/json; token=${secret}`,
      Location: secret,
    });
    response.end(
      JSON.stringify({ success: secret, [secret]: secret, errors: { [secret]: secret }, data: [{ id: secret }] }),
    );
  });
  const { baseUrl, deviations: told, unanswered, failures, summary, close } = await openProxied(upstream);
  const heads: unknown[] = [];
  for (const { path, ...question } of exchanges) {
    heads.push((await sendHttpRequest(baseUrl, { ...question, path: `/api/v1${path}` })).headers['x-sim-deviations']);
  }
  const dead = await openProxied('http://127.0.0.1:1');
  for (const { path, ...question } of exchanges)
    await sendHttpRequest(dead.baseUrl, { ...question, path: `/api/v1${path}` });
  await close();
  expect(failures).toEqual([]);
  expect(told.length).toBeGreaterThan(20);
  expect(dead.unanswered).toHaveLength(exchanges.length);
  const all = JSON.stringify([told, unanswered, summary(), heads, dead.unanswered, dead.summary()]);
  expect(all).not.toContain('s3cr3t');
});
