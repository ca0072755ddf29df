import { describe, expect, test } from 'vitest';
import { amountToPay, whyNotPayable } from '../../src/domain/payable.js';
import type { PaymentLink } from '../../src/domain/records.js';
import { sampleInvoice } from './samples.js';

const link: PaymentLink = {
  id: 1,
  slug: 'room-7',
  description: 'Room 7',
  amount: 49.9,
  currency: 'EUR',
  is_active: true,
  payments_count: 3,
  revenue: 149.7,
  created_at: '2026-04-01T08:00:00.000Z',
};

describe('an invoice', () => {
  test.each([
    ['draft', 'draft'],
    ['pending', undefined],
    ['sent', undefined],
    ['viewed', undefined],
    ['partial', undefined],
    ['overdue', undefined],
    ['paid', 'paid'],
    ['cancelled', 'cancelled'],
  ] as const)('that is %s cannot be paid because: %s', (status, obstacle) => {
    const payable = { resource: 'invoice', record: sampleInvoice(status) } as const;
    expect(whyNotPayable(payable, false)).toBe(obstacle);
    expect(whyNotPayable(payable, true)).toBe(obstacle ?? 'under-way');
  });

  test('is paid with the unpaid amount', () => {
    expect(amountToPay({ resource: 'invoice', record: sampleInvoice('partial') })).toBe(79.58);
  });
});

describe('a payment link', () => {
  test.each([
    [true, undefined],
    [false, 'inactive'],
  ])('with is_active %s cannot be paid because: %s', (is_active, obstacle) => {
    expect(whyNotPayable({ resource: 'payment_link', record: { ...link, is_active } }, false)).toBe(obstacle);
  });

  test('can be paid any number of times, with its amount', () => {
    const payable = { resource: 'payment_link', record: link } as const;
    expect([whyNotPayable(payable, true), amountToPay(payable)]).toEqual([undefined, 49.9]);
  });
});
