import type { Payment, PaymentStatus } from './records.js';

/** Outcome of a payment that a guest makes on a checkout page. */
export type TestOutcome = 'paid' | 'declined' | 'authentication' | 'paid-later' | 'fails-later';

interface OutcomeEntry {
  /** First status of the payment. */
  readonly initialStatus: PaymentStatus;
  /** Transition that ends the payment by itself after a while, unless it has ended before. */
  readonly ends?: { readonly afterMs: number; readonly cause: NonNullable<Payment['ends']>['cause'] };
}

const minuteMs = 60_000;

/** Long enough to look at a pending payment, short enough to wait for it. */
const laterMs = 10 * minuteMs;

/** Outcomes that testers can choose. */
export const testOutcomes: Readonly<Record<TestOutcome, OutcomeEntry>> = {
  paid: { initialStatus: 'paid' },
  declined: { initialStatus: 'failed' },
  // A guest who leaves the approval page has not paid.
  authentication: {
    initialStatus: 'open',
    ends: { afterMs: 60 * minuteMs, cause: 'fail' },
  },
  'paid-later': {
    initialStatus: 'pending',
    ends: { afterMs: laterMs, cause: 'succeed' },
  },
  'fails-later': {
    initialStatus: 'pending',
    ends: { afterMs: laterMs, cause: 'fail' },
  },
};

/** Outcomes for payment methods without bank approval, that is, all but cards. */
export const outcomesWithoutCard = [
  'paid',
  'declined',
  'paid-later',
  'fails-later',
] as const satisfies readonly TestOutcome[];
