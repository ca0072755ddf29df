import type { Payment, PaymentStatus } from '../domain/records.js';
import type { Account } from './account.js';
import type { Listed } from './invoices.js';
import type { Page } from './table.js';

export interface PaymentFilter {
  readonly description?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  /** First and last date, `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function listPayments(account: Account, page: Page, filter: PaymentFilter): Listed<Payment> {
  const text = filter.description?.toLowerCase();
  const { status, from, to } = filter;
  if (text === undefined && status === undefined && from === undefined && to === undefined) {
    return account.payments.page(page);
  }
  return account.payments.page(page, (payment) => {
    if (status !== undefined && payment.status !== status) return false;
    if (text !== undefined && !payment.description.toLowerCase().includes(text)) return false;
    if (from === undefined && to === undefined) return true;
    const date = filterDate(account, payment);
    return date !== undefined && (from === undefined || date >= from) && (to === undefined || date <= to);
  });
}

/** The date that `from` and `to` compare, in UTC (gap payment.date-filter). */
function filterDate(account: Account, payment: Payment): string | undefined {
  const at = account.profile['payment.date-filter'] === 'paid-at' ? payment.paid_at : payment.created_at;
  return at?.slice(0, 10);
}
