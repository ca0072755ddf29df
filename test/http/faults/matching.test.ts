import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultMatcher } from '../../../src/domain/faults.js';
import { openRaw, sendRaw } from '../../support/raw.js';
import { deposit, startTestService } from './test-service.js';

/** The requests that a fault matches. `counts.test.ts` tests the matchers that count requests. */

describe('a fault with a matcher for operations, methods, paths, statuses or tokens', () => {
  interface Case {
    readonly name: string;
    readonly match: FaultMatcher;
    readonly request: string;
    /** Default: a token with all scopes. */
    readonly token?: string;
    /** A request that differs from `request` only in what is matched. Default: to another operation. */
    readonly other?: { readonly request?: string; readonly token?: string };
  }

  test.each<Case>([
    { name: 'an operation', match: { operation: 'getInvoice' }, request: 'GET /api/v1/invoices/1' },
    {
      name: 'an operation whose path also matches /invoices/{invoice}',
      match: { operation: 'getInvoiceStats' },
      request: 'GET /api/v1/invoices/stats',
    },
    {
      name: 'an operation and the method HEAD',
      match: { operation: 'getInvoice', method: 'HEAD' },
      request: 'HEAD /api/v1/invoices/1',
      other: { request: 'GET /api/v1/invoices/1' },
    },
    {
      name: 'a path, for a request with a query',
      match: { path: '/invoices' },
      request: 'GET /api/v1/invoices?page=1',
    },
    {
      name: 'a path, for a request line with an absolute URL',
      match: { path: '/invoices' },
      request: 'GET http://127.0.0.1/api/v1/invoices',
    },
    {
      name: 'a wildcard path, for a request to an unknown path',
      match: { path: '/no*' },
      request: 'GET /api/v1/nothing?x=/y',
    },
    {
      name: 'a method that the path does not support',
      match: { method: 'DELETE' },
      request: 'DELETE /api/v1/invoices',
      other: { request: 'PUT /api/v1/invoices' },
    },
    {
      name: 'an operation and status 401, for an unknown token',
      match: { operation: 'getInvoiceStats', status: 401 },
      request: 'GET /api/v1/invoices/stats',
      token: 'wrong',
      other: { token: 'demo_full' },
    },
    {
      name: 'an operation and status 403, for a token without the scope',
      match: { operation: 'createDeposit', status: 403 },
      request: 'POST /api/v1/deposits',
      token: 'demo_read',
      other: { token: 'demo_full' },
    },
    {
      name: 'a token',
      match: { token: 'full' },
      request: 'GET /api/v1/invoices',
      other: { token: 'demo_read' },
    },
  ])('applies only if it matches $name', async ({ match, request, token = 'demo_full', other }) => {
    const service = await startTestService();
    service.addFault({ effect: 'wrong-content-type=text/plain', match });
    const send = (line: string, bearer: string) =>
      sendRaw(
        service.server.url,
        `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bearer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    const [faulted] = await send(request, token);
    expect(faulted?.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-sim-fault': 'wrong-content-type (fault 1)',
    });
    const { request: otherRequest = request, token: otherToken = token } = other ?? { request: 'GET /api/v1/payments' };
    const [unmatched] = await send(otherRequest, otherToken);
    expect(unmatched?.status).toBeGreaterThanOrEqual(200);
    expect(unmatched?.headers).not.toHaveProperty('x-sim-fault');
  });
});

test('a fault that matches an operation applies to a request with an unknown token and a trailing slash that the profile ignores', async () => {
  const service = await startTestService({ choices: { 'request.trailing-slash': 'ignored' } });
  service.addFault({ effect: 'wrong-content-type=text/plain', match: { operation: 'listInvoices' } });
  const { status } = await service.fetch('/invoices/', { headers: { Authorization: 'Bearer wrong' } });
  expect(status).toBe(401);
  expect(service.account.requests.newestFirst()).toMatchObject([
    { operation: 'listInvoices', faults: ['wrong-content-type'] },
  ]);
});

describe('a fault that matches a value in the body', () => {
  test.each(['status=503', 'wrong-content-type=text/plain'])(
    'with the effect %s applies only if the client has sent the value',
    async (effect) => {
      const service = await startTestService();
      service.addFault({ effect, match: { body: { currency: 'EUR' } } });
      const link = { description: 'Room 7', amount: 5 };
      for (const sent of [link, { ...link, currency: null }, { ...link, currency: 'EUR' }])
        await service.post('/payment-links', sent);
      const faultCounts = service.account.requests.newestFirst().map(({ faults }) => faults.length);
      expect(faultCounts.reverse()).toEqual([0, 0, 1]);
    },
  );

  test('applies to a request whose Idempotency-Key has a stored error', async () => {
    const service = await startTestService({ choices: { 'deposit.key-failed': 'replayed' } });
    service.addFault({ effect: 'status=503', match: { body: { amount: 300 } } });
    const statuses: number[] = [];
    // The 422 is stored, and replayed whatever the body, unless the fault comes first.
    for (const amount of [-1, 300, 200])
      statuses.push((await service.post('/deposits', { ...deposit, amount }, 'key')).status);
    expect(statuses).toEqual([422, 503, 422]);
  });
});

test('the first fault of an account acts on a request whose body is being sent when the fault is added', async () => {
  const service = await startTestService();
  const connection = await openRaw(service.baseUrl);
  onTestFinished(() => connection.close());
  const body = JSON.stringify(deposit);
  const head = [
    'POST /api/v1/deposits HTTP/1.1',
    'Host: 127.0.0.1',
    'Authorization: Bearer demo_full',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  connection.send(`${head.join('\r\n')}\r\n\r\n`);
  expect((await connection.nextResponse()).status).toBe(100);
  service.addFault({ effect: 'status=503' });
  connection.send(body);
  expect((await connection.nextResponse()).status).toBe(503);
});
