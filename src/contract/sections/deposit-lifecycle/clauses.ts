import { Blocked, Violation } from '../../engine/check-errors.js';
import type { Clause } from '../../engine/clause.js';
import { expectClientError, expectSuccess, isClientError, requireSuccess } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import type { DepositStatus, ObservedStatus } from '../deposits/setups.js';
import { captureQuotes } from '../field-quotes.js';
import { amountClauses } from './amount-clauses.js';
import { refusalClauses } from './refusal-clauses.js';
import { requestedDepositClauses } from './requested-deposit-clauses.js';
import { type RequestStep, skipIfPartialCaptureIsFinal, statusAfter, steps } from './setups.js';
import { shownStatusClauses } from './shown-status-clauses.js';
import { type LifecycleClause, withSource } from './sources.js';
import {
  nonAsciiDepositCapturedInPart,
  secondDepositAfterRelease,
  statusAfterTwoCaptures,
  statusAfterUsdCapture,
} from './two-deposits.js';

/**
 * Requests that must succeed, or must be refused. The specification states no conditions for captures and releases, so
 * it is only certain that an authorized deposit can be captured, and that it can be released. Clauses about
 * deposits in another status are `inferred`.
 */
const requestClauses: readonly (Omit<LifecycleClause, 'check'> & {
  /** Setup that sends the request. */
  readonly step: Setup<RequestStep>;
  readonly expectResponse: typeof expectSuccess;
  /** True if the request may be refused because a partial capture is final. */
  readonly needsRemainder?: boolean;
})[] = [
  {
    id: 'DEP-CAPTURE-01',
    level: 'documented',
    title: 'An authorized deposit can be captured in part.',
    step: steps.capturedInPartWithoutDescription,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-02',
    level: 'documented',
    quote: captureQuotes.description,
    title: 'A capture can have a description.',
    step: steps.capturedInPart,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-05',
    level: 'documented',
    title: 'The capture of an authorized deposit can omit the amount.',
    step: steps.capturedInFull,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-08',
    level: 'inferred',
    title: 'After a partial capture, a capture can omit the amount.',
    step: steps.capturedRemainder,
    expectResponse: expectSuccess,
    needsRemainder: true,
  },
  {
    id: 'DEP-CAPTURE-18',
    level: 'inferred',
    title: 'A capture may request exactly the amount that remains.',
    step: steps.capturedExactRemainder,
    expectResponse: expectSuccess,
    needsRemainder: true,
  },
  {
    id: 'DEP-CAPTURE-17',
    level: 'documented',
    title: 'An authorized deposit with non-ASCII text can be captured in part.',
    step: nonAsciiDepositCapturedInPart,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-RELEASE-01',
    level: 'documented',
    title: 'An authorized deposit can be released.',
    step: steps.released,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-RELEASE-04',
    level: 'inferred',
    title: 'The remaining amount can be released after a partial capture.',
    step: steps.releasedRemainder,
    expectResponse: expectSuccess,
    needsRemainder: true,
  },
  {
    id: 'DEP-RELEASE-06',
    level: 'inferred',
    title: 'A released deposit cannot be captured.',
    step: steps.capturedAfterRelease,
    expectResponse: expectClientError,
  },
];

/** A clause about the status of a deposit after a step of its lifecycle. */
interface StatusClause extends Omit<LifecycleClause, 'check'> {
  readonly observed: Setup<ObservedStatus>;
  /** The deposit must have one of these statuses. */
  readonly expected?: readonly DepositStatus[];
  /** The deposit must have none of these statuses. */
  readonly excluded?: readonly DepositStatus[];
}

/** Id of the clause about the status after a partial capture. */
const partialCaptureStatusId = 'DEP-CAPTURE-03';

/**
 * The specification does not say which status follows which; the names only suggest it, so most levels are `inferred`.
 * It does document the actions, so a status that shows that an action had no effect violates a `documented` clause.
 */
const statusClauses: readonly StatusClause[] = [
  {
    id: 'DEP-STATE-01',
    level: 'inferred',
    title: 'A deposit that the guest has authorized is `authorized`.',
    observed: statusAfter.authorized,
    expected: ['authorized'],
  },
  {
    id: 'DEP-STATE-02',
    level: 'documented',
    quote: 'Card authorizations expire; the `expired` status and the `deposit.expired` event correspond to that.',
    title: 'A deposit whose authorization has expired is `expired`.',
    observed: statusAfter.expired,
    expected: ['expired'],
  },
  {
    id: 'DEP-STATE-03',
    level: 'inferred',
    title: 'A deposit whose card was declined is `failed` or still `pending`.',
    observed: statusAfter.declined,
    expected: ['failed', 'pending'],
  },
  {
    id: partialCaptureStatusId,
    level: 'inferred',
    title: 'A partially captured deposit is `partially_captured`.',
    observed: statusAfter.capturedInPart,
    expected: ['partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-06',
    level: 'documented',
    title: 'A capture without an amount leaves nothing to capture.',
    observed: statusAfter.capturedInFull,
    excluded: ['authorized', 'partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-07',
    level: 'inferred',
    title: 'A deposit that was captured without an amount is `captured`.',
    observed: statusAfter.capturedInFull,
    expected: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-09',
    level: 'inferred',
    title: 'A deposit is `captured` after a partial capture and a capture without an amount.',
    observed: statusAfter.capturedRemainder,
    expected: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-37',
    // A partial capture may be final: then the deposit can keep its status, since nothing remains to be captured.
    level: 'inferred',
    title: 'After a partial capture, a capture without an amount leaves nothing to capture.',
    observed: statusAfter.capturedRemainder,
    excluded: ['authorized', 'partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-38',
    level: 'documented',
    title: 'A capture without an amount leaves nothing to capture of a deposit in a currency other than EUR.',
    observed: statusAfterUsdCapture,
    excluded: ['authorized', 'partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-19',
    level: 'inferred',
    title: 'A deposit is `captured` after a capture of exactly the amount that remained.',
    observed: statusAfter.capturedExactRemainder,
    expected: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-22',
    level: 'inferred',
    title: 'A deposit is still `partially_captured` after two captures, if part of it remains.',
    observed: statusAfterTwoCaptures,
    expected: ['partially_captured'],
  },
  {
    id: 'DEP-RELEASE-02',
    level: 'documented',
    title: 'A released deposit is no longer `authorized`.',
    observed: statusAfter.released,
    excluded: ['authorized'],
  },
  {
    id: 'DEP-RELEASE-03',
    level: 'inferred',
    title: 'A released deposit is `released`.',
    observed: statusAfter.released,
    expected: ['released'],
  },
  {
    id: 'DEP-RELEASE-05',
    level: 'inferred',
    title: 'A deposit is `released` or `captured` after its remaining amount has been released.',
    observed: statusAfter.releasedRemainder,
    expected: ['released', 'captured'],
  },
];

/** Clauses which state that an action on one deposit does not change another deposit of the same booking. */
const isolationClauses: readonly {
  readonly id: string;
  readonly title: string;
  /** Statuses that would show that the action has changed the other deposit, too. */
  readonly wrongStatuses: readonly DepositStatus[];
  /** True if the setup must have released a deposit. It requires a capture, but not a release. */
  readonly needsRelease: boolean;
}[] = [
  {
    id: 'DEP-CAPTURE-13',
    title: 'A capture does not affect another deposit of the same booking.',
    wrongStatuses: ['partially_captured', 'captured'],
    needsRelease: false,
  },
  {
    id: 'DEP-RELEASE-09',
    title: 'A release does not affect another deposit of the same booking.',
    wrongStatuses: ['released'],
    needsRelease: true,
  },
];

/** Deposits: captures, releases, guest actions, and expiry. */
export const depositLifecycleClauses: readonly Clause[] = [
  ...requestClauses.map(
    ({ step, expectResponse, needsRemainder = false, ...clause }): LifecycleClause => ({
      ...clause,
      check: async (context) => {
        const { exchange } = await context.use(step);
        if (needsRemainder && isClientError(exchange)) await skipIfPartialCaptureIsFinal(context);
        expectResponse(exchange);
      },
    }),
  ),
  ...statusClauses.map(
    ({ observed, expected, excluded, ...clause }): LifecycleClause => ({
      ...clause,
      check: async (context) => {
        const { status, exchange } = await context.use(observed);
        if (clause.id === partialCaptureStatusId && status === 'captured') await skipIfPartialCaptureIsFinal(context);
        const isAmong = (statuses: readonly DepositStatus[]): boolean => statuses.some((other) => other === status);
        if (expected && !isAmong(expected)) {
          throw new Violation(`the status ${expected.join(' or ')}`, status, exchange);
        }
        if (excluded && isAmong(excluded)) {
          throw new Violation(`the status not to be ${excluded.join(' or ')}`, status, exchange);
        }
      },
    }),
  ),
  ...amountClauses,
  ...refusalClauses,
  ...requestedDepositClauses,
  ...shownStatusClauses,
  ...isolationClauses.map(
    ({ wrongStatuses, needsRelease, ...clause }): LifecycleClause => ({
      ...clause,
      level: 'documented',
      check: async (context) => {
        const { status, exchange, release } = await context.use(secondDepositAfterRelease);
        if (needsRelease) requireSuccess(release);
        if (wrongStatuses.some((wrong) => wrong === status)) {
          throw new Violation('the other deposit of the booking to be unchanged', status, exchange);
        }
        if (status !== 'authorized')
          throw new Blocked('the other deposit of the booking is not `authorized`', exchange);
      },
    }),
  ),
].map(withSource);
