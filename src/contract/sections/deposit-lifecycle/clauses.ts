import type { Clause, Level } from '../../engine/clause.js';
import { decimalOf, expectClientError, expectSuccess, succeeded } from '../../engine/expect.js';
import type { Setup } from '../../engine/session.js';
import { Blocked, Violation } from '../../engine/verdict.js';
import { type DepositStatus, heldAmount, recordIn, type Shown } from '../deposits/setups.js';
import { captureRows } from '../field-rows.js';
import { firstPart, type Step, shown, steps } from './setups.js';
import { neighbour, secondPart, shownTwice } from './two-deposits.js';

const about = {
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

type Operation = keyof typeof about;
type About = (typeof about)[Operation];

const withReason = { ...about.captureDeposit, quote: captureRows.description } as const;

/**
 * Requests and whether they must succeed. The specification states no conditions, so only authorized deposits are
 * certain.
 */
const requests: readonly (readonly [
  id: string,
  Level,
  typeof withReason | About,
  title: string,
  Setup<Step>,
  typeof expectSuccess,
])[] = [
  [
    'DEP-CAPTURE-01',
    'documented',
    about.captureDeposit,
    'An authorized deposit can be captured in part.',
    steps.capturedPlainly,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-02',
    'documented',
    withReason,
    'A capture can have a description.',
    steps.capturedInPart,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-05',
    'documented',
    about.captureDeposit,
    'An authorized deposit can be captured without an amount.',
    steps.capturedWhole,
    expectSuccess,
  ],
  [
    'DEP-CAPTURE-08',
    'inferred',
    about.captureDeposit,
    'The rest can be captured after a partial capture.',
    steps.capturedTheRest,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-01',
    'documented',
    about.releaseDeposit,
    'An authorized deposit can be released.',
    steps.released,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-04',
    'inferred',
    about.releaseDeposit,
    'The rest can be released after a partial capture.',
    steps.releasedTheRest,
    expectSuccess,
  ],
  [
    'DEP-RELEASE-06',
    'inferred',
    about.releaseDeposit,
    'A released deposit cannot be captured.',
    steps.capturedAfterRelease,
    expectClientError,
  ],
];

/** Expected statuses of a deposit, or statuses that it must not have. */
interface Outcome {
  readonly id: string;
  readonly level: Level;
  readonly operation: Operation;
  /** Replaces the quote that the clauses of the operation share. */
  readonly quote?: string;
  readonly title: string;
  readonly shown: Setup<Shown>;
  readonly is?: readonly DepositStatus[];
  readonly not?: readonly DepositStatus[];
}

/**
 * The specification does not show transitions; the names of statuses only suggest them. But it is visible when nothing
 * was done.
 */
const outcomes: readonly Outcome[] = [
  {
    id: 'DEP-STATE-01',
    level: 'inferred',
    operation: 'getDeposit',
    title: 'A deposit that the guest has authorized is `authorized`.',
    shown: shown.authorized,
    is: ['authorized'],
  },
  {
    id: 'DEP-STATE-02',
    level: 'documented',
    operation: 'getDeposit',
    quote: 'Card authorizations expire; the `expired` status and the `deposit.expired` event correspond to that.',
    title: 'A deposit whose authorization has expired is `expired`.',
    shown: shown.expired,
    is: ['expired'],
  },
  {
    id: 'DEP-STATE-03',
    level: 'inferred',
    operation: 'getDeposit',
    title: 'A deposit whose card was declined is `failed` or still `pending`.',
    shown: shown.declined,
    is: ['failed', 'pending'],
  },
  {
    id: 'DEP-CAPTURE-03',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A partially captured deposit is `partially_captured`.',
    shown: shown.capturedInPart,
    is: ['partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-12',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A partial capture does not capture the whole deposit.',
    shown: shown.capturedInPart,
    not: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-06',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A capture without an amount leaves nothing to capture.',
    shown: shown.capturedWhole,
    not: ['authorized', 'partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-07',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A deposit that was captured without an amount is `captured`.',
    shown: shown.capturedWhole,
    is: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-09',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A deposit is `captured` after the rest was captured.',
    shown: shown.capturedTheRest,
    is: ['captured'],
  },
  {
    id: 'DEP-RELEASE-02',
    level: 'documented',
    operation: 'releaseDeposit',
    title: 'A released deposit is no longer `authorized`.',
    shown: shown.released,
    not: ['authorized'],
  },
  {
    id: 'DEP-RELEASE-03',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A released deposit is `released`.',
    shown: shown.released,
    is: ['released'],
  },
  {
    id: 'DEP-RELEASE-05',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A deposit is `released` or `captured` after the rest was released.',
    shown: shown.releasedTheRest,
    is: ['released', 'captured'],
  },
];

/** Captured amounts, if deposits show them: the specification does not list their fields. */
const amounts: readonly (readonly [id: string, field: Amount, title: string, shown: Setup<Shown>, amount: number])[] = [
  ['DEP-CAPTURE-04', 'captured_amount', 'the part that was asked for', shown.capturedInPart, firstPart],
  ['DEP-CAPTURE-10', 'captured_amount', 'all of it after a capture without an amount', shown.capturedWhole, heldAmount],
  ['DEP-CAPTURE-11', 'captured_amount', 'all of it after a capture of the rest', shown.capturedTheRest, heldAmount],
  ['DEP-CAPTURE-14', 'captured_amount', 'the sum of the parts after two captures', shownTwice, firstPart + secondPart],
  [
    'DEP-CAPTURE-15',
    'remaining_amount',
    'the amount that is left after a partial capture',
    shown.capturedInPart,
    heldAmount - firstPart,
  ],
  ['DEP-CAPTURE-16', 'remaining_amount', '0 after a capture without an amount', shown.capturedWhole, 0],
  [
    'DEP-RELEASE-07',
    'captured_amount',
    'the amount that was captured before the release',
    shown.releasedTheRest,
    firstPart,
  ],
  ['DEP-RELEASE-08', 'captured_amount', '0 after a release of all', shown.released, 0],
];

type Amount = 'captured_amount' | 'remaining_amount';

/** An action on one deposit must not change any other, including those of the same booking. */
const neighbours: readonly (readonly [id: string, Operation, title: string, wrong: readonly DepositStatus[]])[] = [
  [
    'DEP-CAPTURE-13',
    'captureDeposit',
    'A capture does not affect another deposit of the same booking.',
    ['partially_captured', 'captured'],
  ],
  ['DEP-RELEASE-09', 'releaseDeposit', 'A release does not affect another deposit of the same booking.', ['released']],
];

/** Deposits: captures, releases, actions of guests, and expiry. */
export const depositStateClauses: readonly Clause[] = [
  ...requests.map(
    ([id, level, source, title, step, expectation]): Clause => ({
      id,
      level,
      ...source,
      title,
      check: async (context) => {
        const { exchange } = await context.use(step);
        if (exchange) expectation(exchange);
      },
    }),
  ),
  ...outcomes.map(
    ({ id, level, operation, quote = about[operation].quote, title, shown: setup, is, not }): Clause => ({
      id,
      level,
      ...about[operation],
      quote,
      title,
      check: async (context) => {
        const { status, page } = await context.use(setup);
        const isOne = (statuses: readonly DepositStatus[]): boolean => statuses.some((one) => one === status);
        if (is && !isOne(is)) throw new Violation(`the status ${is.join(' or ')}`, status, page);
        if (not && isOne(not)) throw new Violation(`the status not to be ${not.join(' or ')}`, status, page);
      },
    }),
  ),
  ...amounts.map(
    ([id, field, what, setup, amount]): Clause => ({
      id,
      level: 'inferred',
      ...(id.startsWith('DEP-RELEASE') ? about.releaseDeposit : about.captureDeposit),
      title: `Where a deposit shows a \`${field}\`, it is ${what}.`,
      check: async (context) => {
        const { page } = await context.use(setup);
        const seen = recordIn(page)?.[field];
        if (seen === undefined) throw new Blocked(`no deposit shows a \`${field}\``, page);
        if (decimalOf(seen) !== amount) throw new Violation(`\`${field}\` to be ${amount}`, seen, page);
      },
    }),
  ),
  ...neighbours.map(
    ([id, operation, title, wrong]): Clause => ({
      id,
      level: 'documented',
      ...about[operation],
      title,
      check: async (context) => {
        const { status, page, released } = await context.use(neighbour);
        if (operation === 'releaseDeposit') succeeded(released);
        if (wrong.some((one) => one === status)) {
          throw new Violation('a deposit without further actions to be still `authorized`', status, page);
        }
      },
    }),
  ),
];
