import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyPaymentTransition,
  isInProgress,
  type PaymentCause,
  paymentMethods,
} from '../../src/domain/payment-lifecycle.js';
import type { EventName, Payment, PaymentStatus } from '../../src/domain/records.js';
import { resolveProfile } from '../../src/openapi/profile.js';
import { samplePayment, serviceErrorOf } from './samples.js';

const defaultProfile = resolveProfile({});
/** Time of the tested transitions, which is also `now`: a day and a half after the samples were created. */
const transitionTime = '2026-04-02T20:00:00.000Z';
const now = Date.parse(transitionTime);

interface AllowedTransition {
  readonly to: PaymentStatus;
  readonly event: EventName | undefined;
  readonly sets?: Partial<Payment>;
}

const paid: AllowedTransition = { to: 'paid', event: 'payment.succeeded', sets: { paid_at: transitionTime } };
const failed: AllowedTransition = { to: 'failed', event: undefined };
const notAllowed = 'transition-not-allowed';

/** Outcome of every cause in every status. */
const table: Readonly<Record<PaymentCause, Readonly<Record<PaymentStatus, AllowedTransition | typeof notAllowed>>>> = {
  start: { open: { to: 'pending', event: undefined }, pending: notAllowed, paid: notAllowed, failed: notAllowed },
  succeed: { open: paid, pending: paid, paid: notAllowed, failed: notAllowed },
  fail: { open: failed, pending: failed, paid: notAllowed, failed: notAllowed },
};

/** Hints of refused transitions. An open payment refuses none. */
const hints: Readonly<Partial<Record<PaymentStatus, string>>> = {
  pending: "the payment's status is pending, which allows only succeed, fail",
  paid: "the payment's status is paid, which is final",
  failed: "the payment's status is failed, which is final",
};

const causes = ['start', 'succeed', 'fail'] as const;
const statuses = ['open', 'pending', 'paid', 'failed'] as const;

describe.each(causes)('the cause %s', (cause) => {
  const titles = statuses.map((status) => {
    const outcome = table[cause][status];
    return [status, typeof outcome === 'string' ? `refused with ${outcome}` : `to ${outcome.to}`] as const;
  });

  it.each(titles)('from %s: %s', (from) => {
    const payment = samplePayment(from);
    const outcome = table[cause][from];
    if (typeof outcome === 'string') {
      expect(serviceErrorOf(() => applyPaymentTransition(payment, cause, defaultProfile, now))).toEqual({
        code: outcome,
        hint: hints[from],
      });
    } else {
      const history = [...payment.history, { at: transitionTime, cause, from, to: outcome.to }];
      expect(applyPaymentTransition(payment, cause, defaultProfile, now)).toEqual({
        record: { ...payment, ...outcome.sets, status: outcome.to, history },
        event: outcome.event,
      });
    }
    expect(payment).toEqual(samplePayment(from));
  });
});

describe('a payment', () => {
  it.each([
    ['open', true],
    ['pending', true],
    ['paid', false],
    ['failed', false],
  ] as const)('that is %s counts as in progress: %s', (status, expected) => {
    expect(isInProgress(status)).toBe(expected);
  });

  it('ends at most once after any sequence of causes, emits an event if it is paid, and has a complete history', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...causes), { maxLength: 10 }), (sequence) => {
        let current = samplePayment('open');
        const events: (EventName | undefined)[] = [];
        sequence.forEach((cause, index) => {
          const before = current;
          serviceErrorOf(() => {
            const { record, event } = applyPaymentTransition(before, cause, defaultProfile, now + index);
            current = record;
            events.push(event);
          });
          if (!isInProgress(before.status)) expect(current).toBe(before);
          expect(current.amount).toBe(before.amount);
        });
        const isPaid = current.status === 'paid';
        expect(events.filter((event) => event === 'payment.succeeded')).toHaveLength(isPaid ? 1 : 0);
        expect(current.paid_at).toBe(isPaid ? current.history.at(-1)?.at : null);
        expect(current.history.at(-1)?.to ?? 'open').toBe(current.status);
        current.history.forEach(({ from }, index) => {
          expect(from).toBe(current.history[index - 1]?.to ?? 'open');
        });
      }),
    );
  });
});

describe('the payment methods', () => {
  it('are five common ones by default, or the ones that payment.methods lists', () => {
    expect(paymentMethods(defaultProfile)).toEqual(['card', 'sepa_debit', 'bank_transfer', 'ideal', 'paypal']);
    expect(paymentMethods(resolveProfile({ 'payment.methods': { only: ['cash'] } }))).toEqual(['cash']);
  });
});
