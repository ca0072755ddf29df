/**
 * Sample records in every status. They are deep-frozen, so that changing them throws an error. If a sample is not in
 * its initial status, its history is a single transition with the made-up cause `earlier`.
 */
import type {
  Deposit,
  DepositStatus,
  Invoice,
  InvoiceStatus,
  Payment,
  PaymentStatus,
} from '../../src/domain/records.js';
import { type ErrorCode, ServiceError } from '../../src/domain/service-error.js';

/** Time at which the samples were created, authorized and so on. */
export const sampleTime = '2026-04-01T08:00:00.000Z';

/** Creates a deposit of 300, of which 120 are captured if it is `partially_captured`, and all if it is `captured`. */
export function sampleDeposit(status: DepositStatus, changes: Partial<Deposit> = {}): Deposit {
  const capturedAmounts: Partial<Record<DepositStatus, number>> = { partially_captured: 120, captured: 300 };
  const capturedAmount = capturedAmounts[status] ?? 0;
  const isAuthorized = status !== 'pending' && status !== 'failed';
  return deepFreeze<Deposit>({
    id: 1,
    booking_reference: 'BK-1',
    amount: 300,
    currency: 'EUR',
    customer: { name: 'Lise', email: 'lise@inn.example' },
    check_in_date: null,
    check_out_date: null,
    metadata: { room: '7', extras: ['sauna'] },
    status,
    captured_amount: capturedAmount,
    captures: capturedAmount === 0 ? [] : [{ amount: capturedAmount, description: null, at: sampleTime }],
    authorized_at: isAuthorized ? sampleTime : null,
    expires_at: isAuthorized ? '2026-04-08T08:00:00.000Z' : null,
    released_at: status === 'released' ? sampleTime : null,
    history: status === 'pending' ? [] : [{ at: sampleTime, cause: 'earlier', from: 'pending', to: status }],
    created_at: sampleTime,
    ...changes,
  });
}

/** Creates a payment of 49.90 for a payment link. */
export function samplePayment(status: PaymentStatus, changes: Partial<Payment> = {}): Payment {
  return deepFreeze<Payment>({
    id: 1,
    description: 'Consulting April',
    amount: 49.9,
    currency: 'EUR',
    status,
    payment_method: 'card',
    payment_link_id: 1,
    invoice_id: null,
    reference: 'PAY-000001',
    customer: { id: 1, name: 'Lise', email: 'lise@inn.example' },
    paid_at: status === 'paid' ? sampleTime : null,
    history: status === 'open' ? [] : [{ at: sampleTime, cause: 'earlier', from: 'open', to: status }],
    created_at: sampleTime,
    ...changes,
  });
}

/** Creates an invoice of 119.58, of which 40 are paid if it is `partial`, and all if it is `paid`. */
export function sampleInvoice(status: InvoiceStatus, changes: Partial<Invoice> = {}): Invoice {
  const paidAmounts: Partial<Record<InvoiceStatus, number>> = { partial: 40, paid: 119.58 };
  return deepFreeze<Invoice>({
    id: 1,
    invoice_number: 'INV-1',
    reference: null,
    customer_id: 1,
    amount: 119.58,
    paid_amount: paidAmounts[status] ?? 0,
    currency: 'EUR',
    status,
    past_due: status === 'overdue',
    date: '2026-03-01',
    due_date: '2026-03-28',
    notes: null,
    items: [{ description: 'Night', quantity: 1, unit_price: 119.58, tax_rate: 0, total: 119.58 }],
    subscription: null,
    history: status === 'draft' ? [] : [{ at: sampleTime, cause: 'earlier', from: 'draft', to: status }],
    created_at: sampleTime,
    ...changes,
  });
}

/** Code and hint of the ServiceError that a function throws; undefined if it throws none. */
export function serviceErrorOf(action: () => unknown): { code: ErrorCode; hint: string | undefined } | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, hint: error.hint };
    throw error;
  }
  return undefined;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
