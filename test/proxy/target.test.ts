import { describe, expect, test } from 'vitest';
import { Target } from '../../src/proxy/target.js';

describe.each<[string, string, [string, string, string | undefined][]]>([
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
])('before %s the service is at %s', (upstream, address, leads) => {
  const target = new Target(new URL(upstream), '/api/v1');

  test('so that is its address', () => {
    expect(target.address).toBe(address);
  });

  test.each(leads)('%s leads to %s', (requested, path, service) => {
    const destination = target.destination(requested);
    expect([destination.path, destination.service?.path]).toEqual([path, service]);
  });
});
