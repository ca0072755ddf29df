import type { Payment, PaymentStatus } from './records.js';

/** How a payment goes that a guest makes on a page. */
export type TestOutcome = 'paid' | 'declined' | 'authentication' | 'paid-later' | 'fails-later';

interface OutcomeEntry {
  /** Said to testers, who choose one. */
  readonly text: string;
  /** The first status of the payment. */
  readonly begins: PaymentStatus;
  /** How it ends by itself, so many milliseconds later, unless it was ended before. */
  readonly ends?: { readonly after: number; readonly cause: NonNullable<Payment['ends']>['cause'] };
}

const minute = 60_000;

/** Long enough to look at a payment that is under way, short enough to wait for it. */
const later = 10 * minute;

/** Every course that a payment can take. */
export const testOutcomes: Readonly<Record<TestOutcome, OutcomeEntry>> = {
  paid: { text: 'Paid at once', begins: 'paid' },
  declined: { text: 'Declined', begins: 'failed' },
  // Who walks away from the question has not paid.
  authentication: {
    text: 'The bank asks for approval',
    begins: 'open',
    ends: { after: 60 * minute, cause: 'fail' },
  },
  'paid-later': {
    text: 'Pending, then paid',
    begins: 'pending',
    ends: { after: later, cause: 'succeed' },
  },
  'fails-later': {
    text: 'Pending, then failed',
    begins: 'pending',
    ends: { after: later, cause: 'fail' },
  },
};

/** The courses of payments by other methods than a card: the bank asks nothing there. */
export const outcomesWithoutCard = [
  'paid',
  'declined',
  'paid-later',
  'fails-later',
] as const satisfies readonly TestOutcome[];
