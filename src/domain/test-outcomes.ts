import { minuteMs } from '../lib/durations.js';
import type { Payment, PaymentStatus } from './records.js';

/** Outcome of a payment on a checkout page. `authentication`: the bank first asks the guest to approve the payment. */
export type TestOutcome = 'paid' | 'declined' | 'authentication' | 'pays-later' | 'fails-later';

interface OutcomeEntry {
  /** First status of the payment. */
  readonly initialStatus: PaymentStatus;
  /** How the payment ends on its own after a time, unless it has already ended. */
  readonly scheduledEnd?: { readonly afterMs: number; readonly cause: NonNullable<Payment['scheduled_end']>['cause'] };
}

/** Long enough to look at a pending payment, and short enough to wait for its end. */
const laterMs = 10 * minuteMs;

/** Outcomes that testers can choose. */
export const testOutcomes: Readonly<Record<TestOutcome, OutcomeEntry>> = {
  paid: { initialStatus: 'paid' },
  declined: { initialStatus: 'failed' },
  // If the guest leaves the approval page, the payment fails after an hour.
  authentication: {
    initialStatus: 'open',
    scheduledEnd: { afterMs: 60 * minuteMs, cause: 'fail' },
  },
  'pays-later': {
    initialStatus: 'pending',
    scheduledEnd: { afterMs: laterMs, cause: 'succeed' },
  },
  'fails-later': {
    initialStatus: 'pending',
    scheduledEnd: { afterMs: laterMs, cause: 'fail' },
  },
};

/** Outcomes for payment methods other than cards. Only a card payment can require approval by the bank. */
export const outcomesWithoutCard = [
  'paid',
  'declined',
  'pays-later',
  'fails-later',
] as const satisfies readonly TestOutcome[];
