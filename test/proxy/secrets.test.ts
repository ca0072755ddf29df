import { expect, test } from 'vitest';
import { type RequestToSend, sendHttpRequest } from '../support/send-http-request.js';
import { openTestProxy, openUpstream, unreachableUrl } from './test-proxy.js';

const secret = 's3cr3t-V4lue_of_somebody';

/** Requests with the secret in different places. Each violates the OpenAPI document there. */
const requests: (Partial<RequestToSend> & { path: string })[] = [
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

test('reports and the X-Sim-Deviations header contain no values of requests and responses', async () => {
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
  const { baseUrl, deviations, unanswered, failures, summary, close } = await openTestProxy(upstream);
  const deviationHeaders: unknown[] = [];
  for (const { path, ...options } of requests) {
    deviationHeaders.push(
      (await sendHttpRequest(baseUrl, { ...options, path: `/api/v1${path}` })).headers['x-sim-deviations'],
    );
  }
  const withoutUpstream = await openTestProxy(unreachableUrl);
  for (const { path, ...options } of requests)
    await sendHttpRequest(withoutUpstream.baseUrl, { ...options, path: `/api/v1${path}` });
  await close();
  expect(failures).toEqual([]);
  expect(new Set(deviations.map(({ side, part }) => `${side} ${part}`))).toEqual(
    new Set([
      ...['token', 'header', 'path', 'query', 'route', 'media-type', 'body'].map((part) => `request ${part}`),
      ...['status', 'header', 'body'].map((part) => `response ${part}`),
    ]),
  );
  expect(withoutUpstream.unanswered).toHaveLength(requests.length);
  const reports = JSON.stringify([
    deviations,
    unanswered,
    summary(),
    deviationHeaders,
    withoutUpstream.unanswered,
    withoutUpstream.summary(),
  ]);
  expect(reports).not.toContain('s3cr3t');
});
