import type { Transition } from './lifecycle.js';
import type { PaymentStatus } from './records.js';

export type PaymentCause = 'start' | 'succeed' | 'fail';

/** Gap payment.transitions. A payment begins as `open`. */
export const paymentLifecycle: readonly Transition<PaymentStatus, PaymentCause>[] = [
  { from: ['open'], cause: 'start', to: 'pending' },
  { from: ['open', 'pending'], cause: 'succeed', to: 'paid', event: 'payment.succeeded' },
  { from: ['open', 'pending'], cause: 'fail', to: 'failed' },
];

/** A payment has been initiated and is not over (gap overdue.link-null). */
export function isUnderWay(status: PaymentStatus): boolean {
  return status === 'open' || status === 'pending';
}
