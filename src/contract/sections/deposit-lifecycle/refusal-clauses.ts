import { Skip, Violation } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, isSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext, Setup } from '../../engine/session.js';
import { authorizesByItself } from '../deposit-list/current-statuses.js';
import { depositRecordIn, heldAmount, type ObservedStatus } from '../deposits/setups.js';
import { expectRefused, requireOperationWorks } from '../refusals.js';
import {
  captureAllWhenCaptured,
  capturePartWhenCaptured,
  captureWhenDeclined,
  captureWhenExpired,
  captureWhilePending,
  concurrentCaptures,
  depositAfterInvalidCaptures,
  invalidCaptures,
  releaseWhenCaptured,
  releaseWhenExpired,
  statusAfterActionsWhenExpired,
} from './refused-actions.js';
import { captureAboveRemainder, type InvalidActionOutcome, statusAfter } from './setups.js';
import type { LifecycleClause } from './sources.js';

const validCapture = statusAfter.capturedInFull;
const validRelease = statusAfter.released;

/**
 * Requests that must be refused. The specification does not say in which status a deposit can be captured or released,
 * but without an authorization there is nothing to capture or release.
 */
const refusedRequests: readonly (Omit<LifecycleClause, 'check'> & {
  readonly send: (context: ClauseContext) => Promise<Exchange>;
  readonly validRequest: Setup<unknown>;
})[] = [
  {
    id: 'DEP-CAPTURE-23',
    level: 'documented',
    title: 'A capture whose amount is not a decimal is refused.',
    send: async (context) => (await context.use(invalidCaptures)).notDecimal.exchange,
    validRequest: validCapture,
  },
  {
    id: 'DEP-CAPTURE-24',
    level: 'inferred',
    title: 'A capture of a negative amount is refused.',
    send: async (context) => (await context.use(invalidCaptures)).negative.exchange,
    validRequest: validCapture,
  },
  {
    id: 'DEP-CAPTURE-28',
    level: 'inferred',
    title: 'A deposit that the guest has not authorized cannot be captured.',
    send: async (context) => {
      const exchange = await context.use(captureWhilePending);
      if (isSuccess(exchange) && (await ifPossible(context.use(authorizesByItself))))
        throw new Skip({
          missing: 'a deposit that is not authorized',
          reason: 'the target authorizes deposits by itself',
        });
      return exchange;
    },
    validRequest: validCapture,
  },
  {
    id: 'DEP-CAPTURE-29',
    level: 'inferred',
    title: 'A deposit whose card was declined cannot be captured.',
    send: (context) => context.use(captureWhenDeclined),
    validRequest: validCapture,
  },
  {
    id: 'DEP-CAPTURE-30',
    level: 'inferred',
    title: 'A deposit whose authorization has expired cannot be captured.',
    send: (context) => context.use(captureWhenExpired),
    validRequest: validCapture,
  },
  {
    id: 'DEP-RELEASE-10',
    level: 'inferred',
    title: 'A deposit whose authorization has expired cannot be released.',
    send: (context) => context.use(releaseWhenExpired),
    validRequest: validRelease,
  },
];

/** Returns the amount that a deposit shows as captured; undefined if it shows none. */
const capturedAmountOf = ({ exchange }: ObservedStatus): number | undefined =>
  decimalOf(depositRecordIn(exchange)['captured_amount']);

/** @throws Violation if a deposit shows that another amount is captured than before */
function expectNothingCaptured(observed: ObservedStatus, capturedBefore = 0): void {
  const captured = capturedAmountOf(observed);
  if (captured === undefined || captured === capturedBefore) return;
  const expected = capturedBefore === 0 ? 'nothing of the deposit to be captured' : `still ${capturedBefore} captured`;
  throw new Violation(expected, captured, observed.exchange);
}

/**
 * @throws Violation if more than the amount of a deposit is captured; Skip if the deposit does not show how much of it
 *   is captured
 */
function expectAtMostHeldCaptured(observed: ObservedStatus): void {
  const captured = capturedAmountOf(observed);
  if (captured === undefined)
    throw new Skip({ missing: '`captured_amount`', reason: 'the deposit does not show how much of it is captured' });
  if (captured > heldAmount) throw new Violation(`at most ${heldAmount} to be captured`, captured, observed.exchange);
}

/** Expects that a capture was refused, or that no more than the amount of the deposit is captured after it. */
async function expectAtMostHeldCapturedBy(
  context: ClauseContext,
  { exchange, observed }: InvalidActionOutcome,
): Promise<void> {
  if (observed) expectAtMostHeldCaptured(observed);
  else await expectRefused(context, exchange, validCapture);
}

/** Deposits: captures and releases that are refused, and have no effect. */
export const refusalClauses: readonly LifecycleClause[] = [
  ...refusedRequests.map(
    ({ send, validRequest, ...clause }): LifecycleClause => ({
      ...clause,
      check: async (context) => expectRefused(context, await send(context), validRequest),
    }),
  ),
  {
    id: 'DEP-CAPTURE-25',
    level: 'documented',
    title: 'A capture of 0 is refused, or captures nothing.',
    check: async (context) => {
      const { notDecimal, negative, zero } = await context.use(invalidCaptures);
      const { exchange, observed } = zero;
      if (!observed) return expectRefused(context, exchange, validCapture);
      // An earlier invalid capture may have been accepted, too. Other clauses are about it.
      const earlier = negative.observed ?? notDecimal.observed;
      if (capturedAmountOf(observed) === undefined && observed.status === 'captured')
        throw new Skip({
          missing: '`captured_amount`',
          reason: 'the deposit is `captured`, but does not show how much of it is captured',
        });
      expectNothingCaptured(observed, earlier && capturedAmountOf(earlier));
    },
  },
  {
    id: 'DEP-CAPTURE-26',
    level: 'inferred',
    title: 'A capture of more than is held is refused, or captures only what is held.',
    check: async (context) => expectAtMostHeldCapturedBy(context, (await context.use(invalidCaptures)).excessive),
  },
  {
    id: 'DEP-CAPTURE-36',
    level: 'inferred',
    title: 'After a partial capture, a capture of more than remains is refused, or captures only what remains.',
    check: async (context) => expectAtMostHeldCapturedBy(context, await context.use(captureAboveRemainder)),
  },
  {
    id: 'DEP-CAPTURE-27',
    level: 'documented',
    title: 'A capture that is refused captures nothing.',
    check: async (context) => {
      const observed = await context.use(depositAfterInvalidCaptures);
      await requireOperationWorks(context, 'captureDeposit', validCapture);
      // Another status, such as `expired`, does not show that anything was captured.
      if (observed.status === 'captured' || observed.status === 'partially_captured')
        throw new Violation('the deposit not to be captured', observed.status, observed.exchange);
      expectNothingCaptured(observed);
    },
  },
  {
    id: 'DEP-CAPTURE-33',
    level: 'documented',
    title: 'After a capture without an amount, another one is refused, or captures nothing.',
    check: async (context) => expectAtMostHeldCapturedBy(context, await context.use(captureAllWhenCaptured)),
  },
  {
    id: 'DEP-CAPTURE-34',
    level: 'inferred',
    title: 'After a capture without an amount, a capture with one is refused, or captures nothing.',
    check: async (context) => expectAtMostHeldCapturedBy(context, await context.use(capturePartWhenCaptured)),
  },
  {
    id: 'DEP-CAPTURE-35',
    level: 'documented',
    title: 'Two concurrent captures without an amount capture a deposit only once.',
    check: async (context) => expectAtMostHeldCaptured(await context.use(concurrentCaptures)),
  },
  {
    id: 'DEP-RELEASE-13',
    level: 'inferred',
    title: 'A deposit that was captured in full stays `captured` after an attempt to release it.',
    check: async (context) => {
      const { exchange, observed } = await context.use(releaseWhenCaptured);
      if (!observed) await expectRefused(context, exchange, validRelease);
      else if (observed.status !== 'captured')
        throw new Violation('the status captured', observed.status, observed.exchange);
    },
  },
  {
    id: 'DEP-STATE-04',
    level: 'inferred',
    title: 'An expired deposit stays `expired` after attempts to capture and to release it.',
    check: async (context) => {
      const { status, exchange } = await context.use(statusAfterActionsWhenExpired);
      if (status !== 'expired') throw new Violation('the status expired', status, exchange);
    },
  },
];
