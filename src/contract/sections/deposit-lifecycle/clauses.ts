import type { Clause, Level } from '../../engine/clause.js';
import { decimalOf, expectClientError, expectSuccess, requireSuccess } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { type DepositStatus, depositRecordIn, heldAmount, type ObservedStatus } from '../deposits/setups.js';
import { captureRows } from '../field-rows.js';
import { type DepositStep, firstCaptureAmount, statusAfter, steps } from './setups.js';
import { secondCaptureAmount, statusAfterTwoCaptures, untouchedDeposit } from './two-deposits.js';

/** Fields that the clauses about an operation have in common. */
const sources = {
  captureDeposit: { operation: 'captureDeposit', spec: 'POST /deposits/{id}/capture', quote: captureRows.amount },
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

const descriptionSource = { ...sources.captureDeposit, quote: captureRows.description } as const;

/**
 * Requests that must succeed, or must be refused. The specification states no conditions for captures and releases, so
 * it is only certain that an authorized deposit can be captured, and that it can be released.
 */
const requests: readonly (readonly [
  id: string,
  level: Level,
  source: typeof descriptionSource | Source,
  title: string,
  step: Setup<DepositStep>,
  expectation: typeof expectSuccess,
])[] = [
  [
    'DEP-CAPTURE-01',
    'documented',
    sources.captureDeposit,
    'An authorized deposit can be captured in part.',
    steps.capturedWithoutDescription,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-02',
    'documented',
    descriptionSource,
    'A capture can have a description.',
    steps.capturedInPart,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-05',
    'documented',
    sources.captureDeposit,
    'An authorized deposit can be captured without an amount.',
    steps.capturedInFull,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-08',
    'inferred',
    sources.captureDeposit,
    'The remaining amount can be captured after a partial capture.',
    steps.capturedRemainder,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-01',
    'documented',
    sources.releaseDeposit,
    'An authorized deposit can be released.',
    steps.released,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-04',
    'inferred',
    sources.releaseDeposit,
    'The remaining amount can be released after a partial capture.',
    steps.releasedRemainder,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-06',
    'inferred',
    sources.releaseDeposit,
    'A released deposit cannot be captured.',
    steps.capturedAfterRelease,
    expectClientError,
  ],
];

/** Statuses that a deposit must have, or must not have, after a step. */
interface Outcome {
  readonly id: string;
  readonly level: Level;
  readonly operation: Operation;
  /** Replaces the quote that the clauses of the operation share. */
  readonly quote?: string;
  readonly title: string;
  readonly observed: Setup<ObservedStatus>;
  readonly expected?: readonly DepositStatus[];
  readonly excluded?: readonly DepositStatus[];
}

/**
 * The specification does not show the transitions between statuses; their names only suggest them. But it documents the
 * actions: a status which shows that an action had no effect, or did more than was requested, violates a documented
 * clause.
 */
const outcomes: readonly Outcome[] = [
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
    id: 'DEP-CAPTURE-12',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A partial capture does not capture the whole deposit.',
    observed: statusAfter.capturedInPart,
    excluded: ['captured'],
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
 * Expected captured and remaining amounts, where deposits show them: the specification does not list a deposit's
 * fields.
 */
const expectedAmounts: readonly (readonly [
  id: string,
  field: AmountField,
  description: string,
  observed: Setup<ObservedStatus>,
  amount: number,
])[] = [
  ['DEP-CAPTURE-04', 'captured_amount', 'the requested part', statusAfter.capturedInPart, firstCaptureAmount],
  [
    'DEP-CAPTURE-10',
    'captured_amount',
    'the whole amount after a capture without an amount',
    statusAfter.capturedInFull,
    heldAmount,
  ],
  [
    'DEP-CAPTURE-11',
    'captured_amount',
    'the whole amount after a capture of the remaining amount',
    statusAfter.capturedRemainder,
    heldAmount,
  ],
  [
    'DEP-CAPTURE-14',
    'captured_amount',
    'the sum of both parts after two captures',
    statusAfterTwoCaptures,
    firstCaptureAmount + secondCaptureAmount,
  ],
  [
    'DEP-CAPTURE-15',
    'remaining_amount',
    'the amount that can still be captured after a partial capture',
    statusAfter.capturedInPart,
    heldAmount - firstCaptureAmount,
  ],
  ['DEP-CAPTURE-16', 'remaining_amount', '0 after a capture without an amount', statusAfter.capturedInFull, 0],
  [
    'DEP-RELEASE-07',
    'captured_amount',
    'the amount that was captured before the release',
    statusAfter.releasedRemainder,
    firstCaptureAmount,
  ],
  ['DEP-RELEASE-08', 'captured_amount', '0 after a release without a capture', statusAfter.released, 0],
];

type AmountField = 'captured_amount' | 'remaining_amount';

/** An action on one deposit must not change any other, including those of the same booking. */
const isolatedActions: readonly (readonly [
  id: string,
  operation: Operation,
  title: string,
  wrongStatuses: readonly DepositStatus[],
])[] = [
  [
    'DEP-CAPTURE-13',
    'captureDeposit',
    'A capture does not affect another deposit of the same booking.',
    ['partially_captured', 'captured'],
  ],
  ['DEP-RELEASE-09', 'releaseDeposit', 'A release does not affect another deposit of the same booking.', ['released']],
];

/** Deposits: captures, releases, actions of guests, and expiry. */
export const depositLifecycleClauses: readonly Clause[] = [
  ...requests.map(
    ([id, level, source, title, step, expectation]): Clause => ({
      id,
      level,
      ...source,
      title,
      check: async (context) => {
        const { exchange } = await context.use(step);
        // All steps of this table are requests, which have an exchange.
        if (exchange) expectation(exchange);
      },
    }),
  ),
  ...outcomes.map(
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
  ...expectedAmounts.map(
    ([id, field, description, observed, amount]): Clause => ({
      id,
      level: 'inferred',
      ...(id.startsWith('DEP-RELEASE') ? sources.releaseDeposit : sources.captureDeposit),
      title: `Where a deposit shows a \`${field}\`, it is ${description}.`,
      check: async (context) => {
        const { exchange } = await context.use(observed);
        const shown = depositRecordIn(exchange)?.[field];
        if (shown === undefined) throw new Blocked(`no deposit shows a \`${field}\``, exchange);
        if (decimalOf(shown) !== amount) throw new Violation(`\`${field}\` to be ${amount}`, shown, exchange);
      },
    }),
  ),
  ...isolatedActions.map(
    ([id, operation, title, wrongStatuses]): Clause => ({
      id,
      level: 'documented',
      ...sources[operation],
      title,
      check: async (context) => {
        const { status, exchange, release } = await context.use(untouchedDeposit);
        // The setup requires that the first capture succeeds, but not the release.
        if (operation === 'releaseDeposit') requireSuccess(release);
        if (wrongStatuses.some((wrong) => wrong === status)) {
          throw new Violation('the other deposit of the booking to be unchanged', status, exchange);
        }
      },
    }),
  ),
];
