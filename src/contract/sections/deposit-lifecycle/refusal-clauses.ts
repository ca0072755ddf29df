import type { Clause, Level } from '../../engine/clause.js';
import type { Exchange } from '../../engine/exchange.js';
import { decimalOf, expectClientError } from '../../engine/expect.js';
import type { ClauseContext } from '../../engine/session.js';
import { Skip, Violation } from '../../engine/verdict.js';
import { depositRecordIn, heldAmount, type ObservedStatus } from '../deposits/setups.js';
import {
  captureWhenDeclined,
  captureWhenExpired,
  captureWhilePending,
  depositAfterInvalidCaptures,
  invalidCaptures,
  releaseWhenExpired,
  statusAfterExpiredActions,
} from './refused-actions.js';
import { sources } from './sources.js';

/**
 * Requests that must be refused. The specification does not say in which status a deposit can be captured or released,
 * but without an authorization there is nothing to capture or release.
 */
const refusedRequests: readonly {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly send: (context: ClauseContext) => Promise<Exchange>;
}[] = [
  {
    id: 'DEP-CAPTURE-23',
    level: 'documented',
    title: 'A capture whose amount is not a decimal is refused.',
    send: async (context) => (await context.use(invalidCaptures)).notDecimal.exchange,
  },
  {
    id: 'DEP-CAPTURE-24',
    level: 'inferred',
    title: 'A capture of a negative amount is refused.',
    send: async (context) => (await context.use(invalidCaptures)).negative.exchange,
  },
  {
    id: 'DEP-CAPTURE-28',
    level: 'inferred',
    title: 'A deposit that the guest has not authorized cannot be captured.',
    send: (context) => context.use(captureWhilePending),
  },
  {
    id: 'DEP-CAPTURE-29',
    level: 'inferred',
    title: 'A deposit whose card was declined cannot be captured.',
    send: (context) => context.use(captureWhenDeclined),
  },
  {
    id: 'DEP-CAPTURE-30',
    level: 'inferred',
    title: 'A deposit whose authorization has expired cannot be captured.',
    send: (context) => context.use(captureWhenExpired),
  },
  {
    id: 'DEP-RELEASE-10',
    level: 'inferred',
    title: 'A deposit whose authorization has expired cannot be released.',
    send: (context) => context.use(releaseWhenExpired),
  },
];

/** Returns the amount that a deposit shows as captured; undefined if it shows none. */
const capturedAmountOf = ({ exchange }: ObservedStatus): number | undefined =>
  decimalOf(depositRecordIn(exchange)['captured_amount']);

/** @throws Violation if a deposit shows that a part of it is captured */
function expectNothingCaptured(observed: ObservedStatus): void {
  const captured = capturedAmountOf(observed);
  if (captured !== undefined && captured !== 0)
    throw new Violation('nothing of the deposit to be captured', captured, observed.exchange);
}

/** Deposits: captures and releases that are refused, and have no effect. */
export const refusalClauses: readonly Clause[] = [
  ...refusedRequests.map(
    ({ id, level, title, send }): Clause => ({
      ...(id.startsWith('DEP-RELEASE') ? sources.releaseDeposit : sources.captureDeposit),
      id,
      level,
      title,
      check: async (context) => expectClientError(await send(context)),
    }),
  ),
  {
    ...sources.captureDeposit,
    id: 'DEP-CAPTURE-25',
    level: 'documented',
    title: 'A capture of 0 is refused, or captures nothing.',
    check: async (context) => {
      const { exchange, observed } = (await context.use(invalidCaptures)).zero;
      if (!observed) return expectClientError(exchange);
      if (capturedAmountOf(observed) === undefined && observed.status === 'captured')
        throw new Skip({
          missing: '`captured_amount`',
          reason: 'the deposit is `captured`, but does not show how much of it is captured',
        });
      expectNothingCaptured(observed);
    },
  },
  {
    ...sources.captureDeposit,
    id: 'DEP-CAPTURE-26',
    level: 'inferred',
    title: 'A capture of more than is held is refused, or captures no more than that.',
    check: async (context) => {
      const { exchange, observed } = (await context.use(invalidCaptures)).excessive;
      if (!observed) return expectClientError(exchange);
      const captured = capturedAmountOf(observed);
      if (captured !== undefined && captured > heldAmount)
        throw new Violation(`at most ${heldAmount} to be captured`, captured, observed.exchange);
    },
  },
  {
    ...sources.captureDeposit,
    id: 'DEP-CAPTURE-27',
    level: 'documented',
    title: 'A capture that is refused captures nothing.',
    check: async (context) => {
      const observed = await context.use(depositAfterInvalidCaptures);
      if (observed.status !== 'authorized')
        throw new Violation('the deposit to still be `authorized`', observed.status, observed.exchange);
      expectNothingCaptured(observed);
    },
  },
  {
    ...sources.getDeposit,
    id: 'DEP-STATE-04',
    level: 'inferred',
    title: 'An expired deposit stays `expired` after attempts to capture and to release it.',
    check: async (context) => {
      const { status, exchange } = await context.use(statusAfterExpiredActions);
      if (status !== 'expired') throw new Violation('the status expired', status, exchange);
    },
  },
];
