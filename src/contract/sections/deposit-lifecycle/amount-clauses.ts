import { Blocked, Skip, Violation } from '../../engine/check-errors.js';
import { decimalOf, isClientError } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import { operationOf } from '../../engine/operations.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { isPresent } from '../../predicates/matchers.js';
import { amountIn, heldAmount, idOf, type ObservedStatus } from '../deposits/setups.js';
import { type ShownDeposit, shownDeposits } from '../deposits/shown-deposits.js';
import { requestedDepositId } from './requested-deposit-clauses.js';
import { amountsAfter, firstCaptureAmount, statusAfter } from './setups.js';
import type { LifecycleClause } from './sources.js';
import { amountsAfterTwoCaptures, statusAfterTwoCaptures } from './two-deposits.js';

/**
 * The clause that a partial capture captures only a part. The status `captured` alone does not violate it: it may mean
 * that no further capture is allowed, since the specification does not say whether the rest can still be captured.
 */
const partialCaptureClause: LifecycleClause = {
  id: 'DEP-CAPTURE-12',
  level: 'documented',
  title: 'A partial capture does not capture the whole deposit.',
  check: async (context) => {
    const { status, record, exchange } = await context.use(statusAfter.capturedInPart);
    const captured = record['captured_amount'];
    if (status === 'captured' && !isPresent(captured)) {
      throw new Skip({
        missing: '`captured_amount`',
        reason: 'the deposit is `captured`, but does not show how much of it is captured',
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
  /** The status of such a deposit after a further step that must leave the amount unchanged. */
  readonly observedLater?: Setup<ObservedStatus>;
  readonly amount: number;
  /** True if every deposit of which nothing was captured must show this amount. */
  readonly isSameBeforeCapture?: true;
}[] = [
  {
    id: 'DEP-CAPTURE-04',
    field: 'captured_amount',
    description: 'the requested part after a partial capture, even when the authorization has expired',
    observed: statusAfter.capturedInPart,
    observedLater: statusAfter.capturedThenExpired,
    amount: amountsAfter.capturedInPart.captured_amount,
  },
  {
    id: 'DEP-CAPTURE-10',
    field: 'captured_amount',
    description: 'the whole amount after a capture without an amount',
    observed: statusAfter.capturedInFull,
    amount: amountsAfter.capturedInFull.captured_amount,
  },
  {
    id: 'DEP-CAPTURE-11',
    field: 'captured_amount',
    description: 'the whole amount after a partial capture and a capture without an amount',
    observed: statusAfter.capturedRemainder,
    amount: amountsAfter.capturedInFull.captured_amount,
  },
  {
    id: 'DEP-CAPTURE-14',
    field: 'captured_amount',
    description: 'the sum of both parts after two captures',
    observed: statusAfterTwoCaptures,
    amount: amountsAfterTwoCaptures.captured_amount,
  },
  {
    id: 'DEP-CAPTURE-15',
    field: 'remaining_amount',
    description: 'the amount that can still be captured after a partial capture',
    observed: statusAfter.capturedInPart,
    amount: amountsAfter.capturedInPart.remaining_amount,
  },
  {
    id: 'DEP-CAPTURE-16',
    field: 'remaining_amount',
    description: '0 after a capture without an amount',
    observed: statusAfter.capturedInFull,
    amount: amountsAfter.capturedInFull.remaining_amount,
  },
  {
    id: 'DEP-CAPTURE-20',
    field: 'remaining_amount',
    description: 'the held amount minus both parts after two captures',
    observed: statusAfterTwoCaptures,
    amount: amountsAfterTwoCaptures.remaining_amount,
  },
  {
    id: 'DEP-CAPTURE-21',
    field: 'captured_amount',
    description: 'the whole amount after a capture of exactly the amount that remained',
    observed: statusAfter.capturedExactRemainder,
    amount: amountsAfter.capturedInFull.captured_amount,
  },
  {
    id: 'DEP-RELEASE-07',
    field: 'captured_amount',
    description: 'the amount that was captured before the release',
    observed: statusAfter.releasedRemainder,
    amount: amountsAfter.releasedRemainder.captured_amount,
  },
  {
    id: 'DEP-RELEASE-08',
    field: 'captured_amount',
    description: '0 as long as nothing was captured, also after a release',
    observed: statusAfter.released,
    amount: amountsAfter.released.captured_amount,
    isSameBeforeCapture: true,
  },
];

/** Finds the suite's deposits in the responses so far, except those of which some response may have captured an amount. */
function uncapturedDeposits(context: ClauseContext): ShownDeposit[] {
  // A capture without a response may have had an effect, too.
  const captures = context.session.sentRequests.filter(
    ({ call, exchange }) => operationOf(call)?.id === 'captureDeposit' && !(exchange && isClientError(exchange)),
  );
  const capturedIds = new Set(captures.map(requestedDepositId));
  return shownDeposits(context).filter(({ record }) => !capturedIds.has(String(idOf(record))));
}

/** Deposits: captured and remaining amounts. */
export const amountClauses: readonly LifecycleClause[] = [
  partialCaptureClause,
  ...expectedAmounts.map(
    ({ id, field, description, observed, observedLater, amount, isSameBeforeCapture }): LifecycleClause => ({
      id,
      level: 'inferred',
      title: `Where a deposit shows a \`${field}\`, it is ${description}.`,
      // To expire a deposit, a driver may advance the clock, and then other deposits expire, too. So this comes late, as
      // clauses that read earlier responses do.
      readsEarlierResponses: observedLater !== undefined || isSameBeforeCapture === true,
      check: async (context) => {
        const first = await context.use(observed);
        const later = observedLater && (await ifPossible(context.use(observedLater)));
        const observations = [first, ...(later ? [later] : [])].filter(({ record }) => record[field] !== undefined);
        if (observations.length === 0) throw new Blocked(`the deposit shows no \`${field}\``, first.exchange);
        const others = isSameBeforeCapture ? uncapturedDeposits(context) : [];
        for (const { record, exchange } of [...observations, ...others]) {
          if (record[field] !== undefined && amountIn(record, field) !== amount)
            throw new Violation(`\`${field}\` to be ${amount}`, record[field], exchange);
        }
      },
    }),
  ),
];
