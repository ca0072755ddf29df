import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fallDue, fallsDueAt, isUnpaid, outstanding } from '../../src/domain/invoice-lifecycle.js';
import type { Invoice, InvoiceStatus } from '../../src/domain/records.js';
import { resolveProfile } from '../../src/http/profile.js';
import { scaled } from './exact.js';

const byDefault = resolveProfile({});

function invoice(status: InvoiceStatus, changes: Partial<Invoice> = {}): Invoice {
  return Object.freeze({
    id: 1,
    invoice_number: 'INV-1',
    reference: null,
    customer_id: 1,
    amount: 119.58,
    paid_amount: 0,
    currency: 'EUR',
    status,
    past_due: status === 'overdue',
    date: '2026-03-01',
    due_date: '2026-03-28',
    notes: null,
    items: [],
    subscription: null,
    created_at: '2026-03-01T08:00:00.000Z',
    ...changes,
  });
}

const unpaid = ['pending', 'sent', 'viewed', 'partial'] as const;
const settled = ['draft', 'paid', 'cancelled'] as const;

describe('an invoice that falls due', () => {
  it.each(unpaid)('while it is %s becomes overdue', (status) => {
    const before = invoice(status);
    expect(fallDue(before, byDefault)).toEqual({ ...before, status: 'overdue', past_due: true });
  });

  it.each([...settled, 'overdue'] as const)('while it is %s stays as it is', (status) => {
    const before = invoice(status);
    expect(fallDue(before, byDefault)).toBe(before);
  });

  it('keeps its status under invoice.overdue-moment: never, but is past due', () => {
    const before = invoice('sent');
    const after = fallDue(before, resolveProfile({ 'invoice.overdue-moment': 'never' }));
    expect(after).toEqual({ ...before, past_due: true });
  });

  it('does so once', () => {
    const profile = resolveProfile({ 'invoice.overdue-moment': 'never' });
    const late = fallDue(invoice('sent'), profile);
    expect(fallDue(late, profile)).toBe(late);
  });
});

describe('the moment at which an invoice falls due', () => {
  it.each([
    ['utc-day', '2026-03-29T00:00:00.000Z'],
    ['never', '2026-03-29T00:00:00.000Z'],
    ['account-day', '2026-03-28T23:00:00.000Z'],
  ])('is the start of the next day, under %s', (choice, expected) => {
    const profile = resolveProfile({ 'invoice.overdue-moment': choice });
    expect(new Date(fallsDueAt(invoice('sent'), profile, 'Europe/Paris')).toISOString()).toBe(expected);
  });
});

describe('an invoice', () => {
  it.each([...unpaid, 'overdue'] as const)('that is %s awaits payment', (status) => {
    expect(isUnpaid(invoice(status))).toBe(true);
  });

  it.each(settled)('that is %s does not', (status) => {
    expect(isUnpaid(invoice(status))).toBe(false);
  });
});

describe('what is outstanding of an invoice', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 });

  it('is what is not paid of it', () => {
    fc.assert(
      fc.property(cents, cents, (amount, paid) => {
        fc.pre(paid <= amount);
        const partly = invoice('partial', { amount: amount / 100, paid_amount: paid / 100 });
        expect(scaled(outstanding(partly, byDefault))).toBe(BigInt(amount - paid));
      }),
    );
  });

  it('is all of it under invoice.outstanding: whole-amount', () => {
    const profile = resolveProfile({ 'invoice.outstanding': 'whole-amount' });
    expect(outstanding(invoice('partial', { paid_amount: 19.58 }), profile)).toBe(119.58);
  });
});
