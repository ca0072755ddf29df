import type { Clause, Level } from '../../engine/clause.js';
import { decimalOf, expectClientError, expectSuccess, requireSuccess } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { Blocked, Skip, Violation } from '../../engine/verdict.js';
import { type DepositStatus, depositRecordIn, heldAmount, type ObservedStatus } from '../deposits/setups.js';
import { captureQuotes } from '../field-quotes.js';
import { type DepositStep, firstCaptureAmount, integerCaptureAmount, statusAfter, steps } from './setups.js';
import {
  nonAsciiDepositCapturedInPart,
  secondCaptureAmount,
  statusAfterTwoCaptures,
  untouchedDeposit,
} from './two-deposits.js';

/** The part of the specification that the clauses about an operation quote, unless they say otherwise. */
const sources = {
  captureDeposit: { operation: 'captureDeposit', spec: 'POST /deposits/{id}/capture', quote: captureQuotes.amount },
  releaseDeposit: {
    operation: 'releaseDeposit',
    spec: 'POST /deposits/{id}/release',
    quote: 'No body. Releases the remaining card authorization.',
  },
  getDeposit: {
    operation: 'getDeposit',
    spec: 'States and transitions',
    quote: 'Statuses: `pending`, `authorized`, `partially_captured`, `captured`, `released`, `expired`, `failed`.',
  },
} as const;

type Operation = keyof typeof sources;
type Source = (typeof sources)[Operation];

const descriptionSource = { ...sources.captureDeposit, quote: captureQuotes.description } as const;

/**
 * Requests that must succeed, or must be refused. The specification states no conditions for captures and releases, so
 * it is only certain that an authorized deposit can be captured, and that it can be released.
 */
const requests: readonly {
  readonly id: string;
  readonly level: Level;
  readonly source: typeof descriptionSource | Source;
  readonly title: string;
  /** Setup that sends the request. */
  readonly step: Setup<DepositStep>;
  readonly expectResponse: typeof expectSuccess;
}[] = [
  {
    id: 'DEP-CAPTURE-01',
    level: 'documented',
    source: sources.captureDeposit,
    title: 'An authorized deposit can be captured in part.',
    step: steps.capturedInPartWithoutDescription,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-02',
    level: 'documented',
    source: descriptionSource,
    title: 'A capture can have a description.',
    step: steps.capturedInPart,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-05',
    level: 'documented',
    source: sources.captureDeposit,
    title: 'An authorized deposit can be captured without an amount.',
    step: steps.capturedInFull,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-08',
    level: 'inferred',
    source: sources.captureDeposit,
    title: 'The remaining amount can be captured after a partial capture.',
    step: steps.capturedRemainder,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-CAPTURE-17',
    level: 'documented',
    source: sources.captureDeposit,
    title: 'An authorized deposit with non-ASCII text can be captured in part.',
    step: nonAsciiDepositCapturedInPart,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-RELEASE-01',
    level: 'documented',
    source: sources.releaseDeposit,
    title: 'An authorized deposit can be released.',
    step: steps.released,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-RELEASE-04',
    level: 'inferred',
    source: sources.releaseDeposit,
    title: 'The remaining amount can be released after a partial capture.',
    step: steps.releasedRemainder,
    expectResponse: expectSuccess,
  },
  {
    id: 'DEP-RELEASE-06',
    level: 'inferred',
    source: sources.releaseDeposit,
    title: 'A released deposit cannot be captured.',
    step: steps.capturedAfterRelease,
    expectResponse: expectClientError,
  },
];

/** A clause about the status of a deposit after a step of its lifecycle. */
interface StatusClause {
  readonly id: string;
  readonly level: Level;
  readonly operation: Operation;
  /** Default: the quote in `sources`. */
  readonly quote?: string;
  readonly title: string;
  readonly observed: Setup<ObservedStatus>;
  /** Statuses of which the deposit must have one. */
  readonly expected?: readonly DepositStatus[];
  /** Statuses of which the deposit must have none. */
  readonly excluded?: readonly DepositStatus[];
}

/**
 * The specification does not say which status follows which; the names only suggest it, so most levels are `inferred`.
 * It does document the actions, so a status which shows that an action had no effect, or did more than was requested,
 * violates a `documented` clause.
 */
const statusClauses: readonly StatusClause[] = [
  {
    id: 'DEP-STATE-01',
    level: 'inferred',
    operation: 'getDeposit',
    title: 'A deposit that the guest has authorized is `authorized`.',
    observed: statusAfter.authorized,
    expected: ['authorized'],
  },
  {
    id: 'DEP-STATE-02',
    level: 'documented',
    operation: 'getDeposit',
    quote: 'Card authorizations expire; the `expired` status and the `deposit.expired` event correspond to that.',
    title: 'A deposit whose authorization has expired is `expired`.',
    observed: statusAfter.expired,
    expected: ['expired'],
  },
  {
    id: 'DEP-STATE-03',
    level: 'inferred',
    operation: 'getDeposit',
    title: 'A deposit whose card was declined is `failed` or still `pending`.',
    observed: statusAfter.declined,
    expected: ['failed', 'pending'],
  },
  {
    id: 'DEP-CAPTURE-03',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A partially captured deposit is `partially_captured`.',
    observed: statusAfter.capturedInPart,
    expected: ['partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-06',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A capture without an amount leaves nothing to capture.',
    observed: statusAfter.capturedInFull,
    excluded: ['authorized', 'partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-07',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A deposit that was captured without an amount is `captured`.',
    observed: statusAfter.capturedInFull,
    expected: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-09',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A deposit is `captured` after its remaining amount was captured.',
    observed: statusAfter.capturedRemainder,
    expected: ['captured'],
  },
  {
    id: 'DEP-RELEASE-02',
    level: 'documented',
    operation: 'releaseDeposit',
    title: 'A released deposit is no longer `authorized`.',
    observed: statusAfter.released,
    excluded: ['authorized'],
  },
  {
    id: 'DEP-RELEASE-03',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A released deposit is `released`.',
    observed: statusAfter.released,
    expected: ['released'],
  },
  {
    id: 'DEP-RELEASE-05',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A deposit is `released` or `captured` after its remaining amount was released.',
    observed: statusAfter.releasedRemainder,
    expected: ['released', 'captured'],
  },
];

/**
 * A clause about what a partial capture captures. The status `captured` is not in itself a violation: the
 * specification does not say whether the rest can still be captured.
 */
const partialCaptureClause: Clause = {
  id: 'DEP-CAPTURE-12',
  level: 'documented',
  ...sources.captureDeposit,
  title: 'A partial capture does not capture the whole deposit.',
  check: async (context) => {
    const { status, exchange } = await context.use(statusAfter.capturedInPart);
    const captured = depositRecordIn(exchange)?.['captured_amount'];
    if (status === 'captured' && captured === undefined) {
      throw new Skip({
        missing: '`captured_amount`',
        reason: 'the deposit is `captured`, but does not show how much of it',
      });
    }
    if (status === 'captured' && decimalOf(captured) === heldAmount) {
      throw new Violation(`only ${firstCaptureAmount} of the deposit to be captured`, captured, exchange);
    }
  },
};

/**
 * Clauses about captured and remaining amounts. They only apply where deposits show these fields, which the
 * specification does not name.
 */
const expectedAmounts: readonly {
  readonly id: string;
  readonly field: 'captured_amount' | 'remaining_amount';
  /** Describes the amount in the title of the clause. */
  readonly description: string;
  readonly observed: Setup<ObservedStatus>;
  readonly amount: number;
}[] = [
  {
    id: 'DEP-CAPTURE-04',
    field: 'captured_amount',
    description: 'the requested part after a partial capture',
    observed: statusAfter.capturedInPart,
    amount: firstCaptureAmount,
  },
  {
    id: 'DEP-CAPTURE-10',
    field: 'captured_amount',
    description: 'the whole amount after a capture without an amount',
    observed: statusAfter.capturedInFull,
    amount: heldAmount,
  },
  {
    id: 'DEP-CAPTURE-11',
    field: 'captured_amount',
    description: 'the whole amount after a capture of the remaining amount',
    observed: statusAfter.capturedRemainder,
    amount: heldAmount,
  },
  {
    id: 'DEP-CAPTURE-14',
    field: 'captured_amount',
    description: 'the sum of both parts after two captures',
    observed: statusAfterTwoCaptures,
    amount: firstCaptureAmount + secondCaptureAmount,
  },
  {
    id: 'DEP-CAPTURE-15',
    field: 'remaining_amount',
    description: 'the amount that can still be captured after a partial capture',
    observed: statusAfter.capturedInPart,
    amount: heldAmount - firstCaptureAmount,
  },
  {
    id: 'DEP-CAPTURE-16',
    field: 'remaining_amount',
    description: '0 after a capture without an amount',
    observed: statusAfter.capturedInFull,
    amount: 0,
  },
  {
    id: 'DEP-RELEASE-07',
    field: 'captured_amount',
    description: 'the amount that was captured before the release',
    observed: statusAfter.releasedRemainder,
    amount: integerCaptureAmount,
  },
  {
    id: 'DEP-RELEASE-08',
    field: 'captured_amount',
    description: '0 after a release without a capture',
    observed: statusAfter.released,
    amount: 0,
  },
];

/** An action on one deposit must not change any other, including those of the same booking. */
const isolatedActions: readonly {
  readonly id: string;
  readonly operation: Operation;
  readonly title: string;
  /** Statuses of the other deposit that would show an effect. */
  readonly wrongStatuses: readonly DepositStatus[];
}[] = [
  {
    id: 'DEP-CAPTURE-13',
    operation: 'captureDeposit',
    title: 'A capture does not affect another deposit of the same booking.',
    wrongStatuses: ['partially_captured', 'captured'],
  },
  {
    id: 'DEP-RELEASE-09',
    operation: 'releaseDeposit',
    title: 'A release does not affect another deposit of the same booking.',
    wrongStatuses: ['released'],
  },
];

/** Deposits: captures, releases, actions of guests, and expiry. */
export const depositLifecycleClauses: readonly Clause[] = [
  ...requests.map(
    ({ id, level, source, title, step, expectResponse }): Clause => ({
      id,
      level,
      ...source,
      title,
      check: async (context) => {
        const { exchange } = await context.use(step);
        // All steps of this table are requests, which have an exchange.
        if (exchange) expectResponse(exchange);
      },
    }),
  ),
  ...statusClauses.map(
    ({ id, level, operation, quote = sources[operation].quote, title, observed, expected, excluded }): Clause => ({
      id,
      level,
      ...sources[operation],
      quote,
      title,
      check: async (context) => {
        const { status, exchange } = await context.use(observed);
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
  partialCaptureClause,
  ...expectedAmounts.map(
    ({ id, field, description, observed, amount }): Clause => ({
      id,
      level: 'inferred',
      ...(id.startsWith('DEP-RELEASE') ? sources.releaseDeposit : sources.captureDeposit),
      title: `Where a deposit shows a \`${field}\`, it is ${description}.`,
      check: async (context) => {
        const { exchange } = await context.use(observed);
        const shown = depositRecordIn(exchange)?.[field];
        if (shown === undefined) throw new Blocked(`the deposit shows no \`${field}\``, exchange);
        if (decimalOf(shown) !== amount) throw new Violation(`\`${field}\` to be ${amount}`, shown, exchange);
      },
    }),
  ),
  ...isolatedActions.map(
    ({ id, operation, title, wrongStatuses }): Clause => ({
      id,
      level: 'documented',
      ...sources[operation],
      title,
      check: async (context) => {
        const { status, exchange, release } = await context.use(untouchedDeposit);
        // The setup has made sure that the first capture succeeded, but not that the release did.
        if (operation === 'releaseDeposit') requireSuccess(release);
        if (wrongStatuses.some((wrong) => wrong === status)) {
          throw new Violation('the other deposit of the booking to be unchanged', status, exchange);
        }
      },
    }),
  ),
];
