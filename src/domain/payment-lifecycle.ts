import { formatInstant } from './dates.js';
import type { GapChoices } from './gaps.js';
import { causesFrom, findTransition, type Transition, type TransitionResult, withStatus } from './lifecycle.js';
import type { Payment, PaymentEventName, PaymentStatus } from './records.js';
import { transitionNotAllowed } from './service-error.js';

export type PaymentCause = 'start' | 'succeed' | 'fail';

/**
 * Transitions of a payment, which starts as `open`. The specification lists only the statuses (gap
 * payment.transitions).
 */
export const paymentLifecycle: readonly Transition<PaymentStatus, PaymentCause, never, PaymentEventName>[] = [
  { from: ['open'], cause: 'start', to: 'pending' },
  { from: ['open', 'pending'], cause: 'succeed', to: 'paid', event: 'payment.succeeded' },
  { from: ['open', 'pending'], cause: 'fail', to: 'failed' },
];

/**
 * True if a payment has neither succeeded nor failed yet. While an overdue invoice has such a payment, its
 * `payment_link` is null (gap overdue.link-null).
 */
export function isInProgress(status: PaymentStatus): boolean {
  return status === 'open' || status === 'pending';
}

/** Applies a transition to a payment. @throws ServiceError transition-not-allowed */
export function applyPaymentTransition(
  payment: Payment,
  cause: PaymentCause,
  profile: GapChoices,
  now: number,
): TransitionResult<Payment, PaymentEventName> {
  const transition = findTransition(paymentLifecycle, payment.status, cause, profile);
  if (!transition) throw transitionNotAllowed('payment', payment.status, causesFrom(paymentLifecycle, payment.status));
  const record = withStatus(payment, cause, transition.to, now);
  return {
    record: transition.to === 'paid' ? { ...record, paid_at: formatInstant(now) } : record,
    event: transition.event,
  };
}

/**
 * Method of a payment for which no method was chosen: the methods that the profile lists, in rotation; `card` if it
 * lists none.
 * @param number number of the payment, from 1
 */
export function defaultMethod(profile: GapChoices, number: number): string {
  const methods = profile['payment.methods'];
  const nextMethod = methods === 'common' ? undefined : methods.only[(number - 1) % methods.only.length];
  return nextMethod ?? 'card';
}

/** Available payment methods (gap payment.methods). */
export function paymentMethods(profile: GapChoices): readonly string[] {
  const methods = profile['payment.methods'];
  return methods === 'common' ? ['card', 'sepa_debit', 'bank_transfer', 'ideal', 'paypal'] : methods.only;
}
