import type { Clause, Level } from '../clause.js';
import { decimalOf, expectRefusal, expectSuccess } from '../expect.js';
import { firstPart, type Step, shown, steps } from '../facts/deposit-lives.js';
import { type DepositStatus, heldAmount, recordIn, type Shown } from '../facts/deposits.js';
import type { Fact } from '../session.js';
import { Blocked, Violation } from '../verdict.js';

const spec = {
  captureDeposit: 'POST /deposits/{id}/capture',
  releaseDeposit: 'POST /deposits/{id}/release',
  getDeposit: 'States and transitions',
} as const;

type Operation = keyof typeof spec;

/** What is asked of the API, and whether that has to be accepted. Conditions are not shown, but for an authorized one. */
const requests: readonly (readonly [id: string, Level, Operation, title: string, Fact<Step>, typeof expectSuccess])[] =
  [
    [
      'DEP-CAPTURE-01',
      'documented',
      'captureDeposit',
      'A part of an authorized deposit can be captured.',
      steps.capturedPlainly,
      expectSuccess,
    ],
    [
      'DEP-CAPTURE-02',
      'documented',
      'captureDeposit',
      'A reason can be given for a capture.',
      steps.capturedInPart,
      expectSuccess,
    ],
    [
      'DEP-CAPTURE-05',
      'documented',
      'captureDeposit',
      'An authorized deposit can be captured without an amount.',
      steps.capturedWhole,
      expectSuccess,
    ],
    [
      'DEP-CAPTURE-08',
      'inferred',
      'captureDeposit',
      'What remains after a capture of a part can be captured.',
      steps.capturedTheRest,
      expectSuccess,
    ],
    [
      'DEP-RELEASE-01',
      'documented',
      'releaseDeposit',
      'An authorized deposit can be released.',
      steps.released,
      expectSuccess,
    ],
    [
      'DEP-RELEASE-04',
      'inferred',
      'releaseDeposit',
      'What remains after a capture of a part can be released.',
      steps.releasedTheRest,
      expectSuccess,
    ],
    [
      'DEP-RELEASE-06',
      'inferred',
      'releaseDeposit',
      'What was released cannot be captured.',
      steps.capturedAfterRelease,
      expectRefusal,
    ],
  ];

/** What is said of the status that a deposit has then: that it is one of these, or that it is none of them. */
interface Outcome {
  readonly id: string;
  readonly level: Level;
  readonly operation: Operation;
  readonly title: string;
  readonly shown: Fact<Shown>;
  readonly is?: readonly DepositStatus[];
  readonly not?: readonly DepositStatus[];
}

/** Transitions are not shown, and names of statuses only suggest them; but that nothing was done can be told. */
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
    title: 'A deposit whose authorization has expired is `expired`.',
    shown: shown.expired,
    is: ['expired'],
  },
  {
    id: 'DEP-STATE-03',
    level: 'inferred',
    operation: 'getDeposit',
    title: 'A deposit whose card was declined is `failed`, or `pending` still.',
    shown: shown.declined,
    is: ['failed', 'pending'],
  },
  {
    id: 'DEP-CAPTURE-03',
    level: 'inferred',
    operation: 'captureDeposit',
    title: 'A deposit of which a part was captured is `partially_captured`.',
    shown: shown.capturedInPart,
    is: ['partially_captured'],
  },
  {
    id: 'DEP-CAPTURE-12',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A capture of a part does not capture all of the deposit.',
    shown: shown.capturedInPart,
    not: ['captured'],
  },
  {
    id: 'DEP-CAPTURE-06',
    level: 'documented',
    operation: 'captureDeposit',
    title: 'A capture without an amount leaves nothing to be captured.',
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
    title: 'A deposit whose rest was captured is `captured`.',
    shown: shown.capturedTheRest,
    is: ['captured'],
  },
  {
    id: 'DEP-RELEASE-02',
    level: 'documented',
    operation: 'releaseDeposit',
    title: 'A deposit that was released is not `authorized` any more.',
    shown: shown.released,
    not: ['authorized'],
  },
  {
    id: 'DEP-RELEASE-03',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A deposit that was released is `released`.',
    shown: shown.released,
    is: ['released'],
  },
  {
    id: 'DEP-RELEASE-05',
    level: 'inferred',
    operation: 'releaseDeposit',
    title: 'A deposit whose rest was released is `released`, or `captured`.',
    shown: shown.releasedTheRest,
    is: ['released', 'captured'],
  },
];

/** How much was captured, where a deposit shows it: fields of deposits are not shown. */
const amounts: readonly (readonly [id: string, title: string, shown: Fact<Shown>, amount: number])[] = [
  ['DEP-CAPTURE-04', 'the part that was asked for', shown.capturedInPart, firstPart],
  ['DEP-CAPTURE-10', 'all of it after a capture without an amount', shown.capturedWhole, heldAmount],
  ['DEP-CAPTURE-11', 'all of it after a capture of the rest', shown.capturedTheRest, heldAmount],
];

/** Deposits: what captures, releases, guests and time make of them. */
export const depositStateClauses: readonly Clause[] = [
  ...requests.map(
    ([id, level, operation, title, step, expectation]): Clause => ({
      id,
      level,
      operation,
      spec: spec[operation],
      title,
      check: async (scene) => {
        const { exchange } = await scene.at(step);
        if (exchange) expectation(exchange);
      },
    }),
  ),
  ...outcomes.map(
    ({ id, level, operation, title, shown: fact, is, not }): Clause => ({
      id,
      level,
      operation,
      spec: spec[operation],
      title,
      check: async (scene) => {
        const { status, page } = await scene.at(fact);
        const isOne = (statuses: readonly DepositStatus[]): boolean => statuses.some((one) => one === status);
        if (is && !isOne(is)) throw new Violation(`the status ${is.join(' or ')}`, status, page);
        if (not && isOne(not)) throw new Violation(`the status not to be ${not.join(' or ')}`, status, page);
      },
    }),
  ),
  ...amounts.map(
    ([id, what, fact, amount]): Clause => ({
      id,
      level: 'inferred',
      operation: 'captureDeposit',
      spec: spec.captureDeposit,
      title: `Where a deposit shows a \`captured_amount\`, it is ${what}.`,
      check: async (scene) => {
        const { page } = await scene.at(fact);
        const captured = recordIn(page)?.['captured_amount'];
        if (captured === undefined) throw new Blocked('no deposit shows a `captured_amount`', page);
        if (decimalOf(captured) !== amount) throw new Violation(`\`captured_amount\` to be ${amount}`, captured, page);
      },
    }),
  ),
];
