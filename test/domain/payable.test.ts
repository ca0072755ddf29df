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

/** Values of the parameter `hasPaymentInProgress`. */
const withPayment = true;
const withoutPayment = false;

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
  ] as const)('that is %s: the reason why it cannot be paid is %s', (status, reason) => {
    const payable = { resource: 'invoice', record: sampleInvoice(status) } as const;
    expect(whyNotPayable(payable, withoutPayment)).toBe(reason);
    expect(whyNotPayable(payable, withPayment)).toBe(reason ?? 'payment-in-progress');
  });

  test('has its unpaid amount as the amount to pay', () => {
    expect(amountToPay({ resource: 'invoice', record: sampleInvoice('partial') })).toBe(79.58);
  });
});

describe('a payment link', () => {
  test.each([
    [true, undefined],
    [false, 'inactive'],
  ])('with is_active %s: the reason why it cannot be paid is %s', (is_active, reason) => {
    expect(whyNotPayable({ resource: 'payment_link', record: { ...link, is_active } }, withoutPayment)).toBe(reason);
  });

  test('can be paid even while a payment is in progress, always for its whole amount', () => {
    const payable = { resource: 'payment_link', record: link } as const;
    expect([whyNotPayable(payable, withPayment), amountToPay(payable)]).toEqual([undefined, 49.9]);
  });
});
