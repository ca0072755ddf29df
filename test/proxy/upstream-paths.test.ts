import { describe, expect, test } from 'vitest';
import { UpstreamPaths } from '../../src/proxy/upstream-paths.js';

describe.each<
  [
    upstream: string,
    basePath: string,
    forwardedPaths: [requested: string, path: string, pathInService: string | undefined][],
  ]
>([
  [
    'http://x',
    '/api/v1',
    [
      ['/api/v1/invoices?page=1', '/api/v1/invoices?page=1', '/invoices'],
      ['/api/v1/', '/api/v1/', '/'],
      ['/api/v1', '/api/v1', undefined],
      ['/api/v10/invoices', '/api/v10/invoices', undefined],
      ['/pay/x', '/pay/x', undefined],
      ['/', '/', undefined],
      ['*', '*', undefined],
      ['http://other/api/v1/payments', '/api/v1/payments', '/payments'],
      ['http://other', '/', undefined],
      ['http://other?x', '/?x', undefined],
    ],
  ],
  [
    'http://x/api/v1/',
    '/api/v1',
    [
      ['/api/v1/invoices', '/api/v1/invoices', '/invoices'],
      ['/pay/x', '/pay/x', undefined],
    ],
  ],
  [
    'http://x/billing/api/v1',
    '/billing/api/v1',
    [
      ['/api/v1/invoices?a', '/billing/api/v1/invoices?a', '/invoices'],
      ['/billing/api/v1/invoices', '/billing/api/v1/invoices', '/invoices'],
      ['/pay/x', '/pay/x', undefined],
    ],
  ],
  [
    'http://x/gateway',
    '/gateway/api/v1',
    [
      ['/api/v1/invoices', '/gateway/api/v1/invoices', '/invoices'],
      ['/gateway/api/v1/invoices', '/gateway/api/v1/invoices', '/invoices'],
      ['/pay/x?y', '/gateway/pay/x?y', undefined],
      ['/gatewayed', '/gateway/gatewayed', undefined],
    ],
  ],
])('for the upstream %s, where the base path of the service is %s', (upstream, basePath, forwardedPaths) => {
  const paths = new UpstreamPaths(new URL(upstream), '/api/v1');

  test('the base path of the service is derived from the URL of the upstream', () => {
    expect(paths.basePath).toBe(basePath);
  });

  test.each(forwardedPaths)(
    'a request to %s is forwarded to %s, whose path within the service is %s',
    (requested, path, pathInService) => {
      const destination = paths.destination(requested);
      expect([destination.path, destination.serviceRequest?.path]).toEqual([path, pathInService]);
    },
  );
});
