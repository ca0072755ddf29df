import type { Payment, PaymentStatus } from './records.js';

/** Outcome of a payment that a guest makes on a checkout page. */
export type TestOutcome = 'paid' | 'declined' | 'authentication' | 'paid-later' | 'fails-later';

interface OutcomeEntry {
  /** Label in the list of outcomes that a tester can choose. */
  readonly text: string;
  /** First status of the payment. */
  readonly initialStatus: PaymentStatus;
  /** Transition that ends the payment by itself after this many milliseconds, unless it has ended before. */
  readonly ends?: { readonly after: number; readonly cause: NonNullable<Payment['ends']>['cause'] };
}

const minute = 60_000;

/** Long enough to look at a pending payment, short enough to wait for it. */
const laterMs = 10 * minute;

/** Outcomes that testers can choose. */
export const testOutcomes: Readonly<Record<TestOutcome, OutcomeEntry>> = {
  paid: { text: 'Paid at once', initialStatus: 'paid' },
  declined: { text: 'Declined', initialStatus: 'failed' },
  // A guest who leaves the approval page has not paid.
  authentication: {
    text: 'The bank asks for approval',
    initialStatus: 'open',
    ends: { after: 60 * minute, cause: 'fail' },
  },
  'paid-later': {
    text: 'Pending, then paid',
    initialStatus: 'pending',
    ends: { after: laterMs, cause: 'succeed' },
  },
  'fails-later': {
    text: 'Pending, then failed',
    initialStatus: 'pending',
    ends: { after: laterMs, cause: 'fail' },
  },
};

/** Outcomes for payment methods without bank approval, that is, all but cards. */
export const outcomesWithoutCard = [
  'paid',
  'declined',
  'paid-later',
  'fails-later',
] as const satisfies readonly TestOutcome[];
