import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type Setup, setup } from '../../engine/session.js';
import { authorizeAsGuest } from '../deposits/guest.js';
import {
  createDeposit,
  heldAmount,
  type ObservedStatus,
  postAction,
  readStatus,
  waitForStatus,
} from '../deposits/setups.js';
import {
  amountsAfter,
  captureInvalidAmount,
  firstCaptureAmount,
  type InvalidActionOutcome,
  statusAfter,
} from './setups.js';

/** End of the booking reference of `refusedCapturesDeposit`, by which a mutant recognizes it. */
export const refusedCapturesReference = 'for refused captures';

/** A deposit that the suite tries to capture before its guest has authorized it, and later with invalid amounts. */
const refusedCapturesDeposit = setup('a deposit for captures that must be refused', (context) =>
  createDeposit(context, refusedCapturesReference),
);

/** Tries to capture a deposit that its guest has not authorized. */
export const captureWhilePending = setup('a capture before the authorization', async (context) =>
  postAction(context, await context.use(refusedCapturesDeposit), 'capture', {}),
);

/** The deposit after its guest has authorized it. */
const depositAfterAuthorization = setup(
  'the authorization of a deposit after a capture that came too early',
  async (context) => {
    context.requireDriverMethod('authorizeDeposit');
    const deposit = await context.use(refusedCapturesDeposit);
    const early = await ifPossible(context.use(captureWhilePending));
    if (early && isSuccess(early)) throw new Blocked('the target accepted a capture before the authorization', early);
    return authorizeAsGuest(context, deposit);
  },
);

/**
 * Captures with invalid amounts. The excessive amount comes last, because a target that accepts it may capture the
 * whole deposit.
 */
export const invalidCaptures = setup('captures with invalid amounts', async (context) => {
  const deposit = await context.use(depositAfterAuthorization);
  return {
    deposit,
    notDecimal: await captureInvalidAmount(context, deposit, 'half'),
    negative: await captureInvalidAmount(context, deposit, -5),
    zero: await captureInvalidAmount(context, deposit, 0),
    excessive: await captureInvalidAmount(context, deposit, 2 * heldAmount, amountsAfter.capturedInFull),
  };
});

/**
 * The deposit after captures with invalid amounts.
 * @throws Skip unless the target has refused all of them with a 4xx status
 */
export const depositAfterInvalidCaptures = setup('a deposit after refused captures', async (context) => {
  const { deposit, notDecimal, negative, zero, excessive } = await context.use(invalidCaptures);
  if (![notDecimal, negative, zero, excessive].every(({ exchange }) => isClientError(exchange)))
    throw new Skip({
      missing: 'a refused capture',
      reason: 'not every invalid capture was refused with a 4xx status, so one of them may have changed the deposit',
    });
  return readStatus(context, deposit);
});

/** Creates a setup that tries an action on a deposit, after another setup has read its status. */
function actionAfter(statusSetup: Setup<ObservedStatus>, action: 'capture' | 'release'): Setup<Exchange> {
  return setup(`a ${action} after ${statusSetup.name}`, async (context) => {
    const { deposit } = await context.use(statusSetup);
    return postAction(context, deposit, action, action === 'capture' ? {} : undefined);
  });
}

/** Creates a setup for a deposit in a status. @throws Blocked if the deposit has another status */
const depositInStatus = (status: string, statusSetup: Setup<ObservedStatus>): Setup<ObservedStatus> =>
  setup(`a deposit that is \`${status}\``, async (context) => {
    const observed = await context.use(statusSetup);
    if (observed.status !== status) throw new Blocked(`the deposit is not \`${status}\``, observed.exchange);
    return observed;
  });

export const captureWhenDeclined = actionAfter(depositInStatus('failed', statusAfter.declined), 'capture');

const expiredDeposit = depositInStatus('expired', statusAfter.expired);
export const captureWhenExpired = actionAfter(expiredDeposit, 'capture');
export const releaseWhenExpired = actionAfter(expiredDeposit, 'release');

/** The expired deposit after attempts to capture and to release it. */
export const statusAfterActionsWhenExpired = setup(
  'an expired deposit after a capture and a release',
  async (context) => {
    const { deposit } = await context.use(expiredDeposit);
    for (const attempt of [captureWhenExpired, releaseWhenExpired]) await context.runIfPossible(attempt);
    return readStatus(context, deposit);
  },
);

const depositCapturedInFull = depositInStatus('captured', statusAfter.capturedInFull);

/** Creates a setup that tries an action on a deposit that was captured in full. */
const actionWhenCaptured = (action: 'capture' | 'release', body?: JsonObject): Setup<InvalidActionOutcome> =>
  setup(`${action} of a captured deposit${body ? `: ${JSON.stringify(body)}` : ''}`, async (context) => {
    const { deposit } = await context.use(depositCapturedInFull);
    const exchange = await postAction(context, deposit, action, body);
    return { exchange, observed: isSuccess(exchange) ? await readStatus(context, deposit) : undefined };
  });

export const captureAllWhenCaptured = actionWhenCaptured('capture', {});
export const capturePartWhenCaptured = actionWhenCaptured('capture', { amount: firstCaptureAmount });
export const releaseWhenCaptured = actionWhenCaptured('release');

/** End of the booking reference of the deposit of `concurrentCaptures`, by which a mutant recognizes it. */
export const concurrentCapturesReference = 'for concurrent captures';

/** An authorized deposit after two concurrent captures without an amount. @throws Blocked if both were refused */
export const concurrentCaptures = setup('two concurrent captures', async (context) => {
  context.requireDriverMethod('authorizeDeposit');
  const deposit = await authorizeAsGuest(context, await createDeposit(context, concurrentCapturesReference));
  const capture = () => postAction(context, deposit, 'capture', {});
  const exchanges = await Promise.all([capture(), capture()]);
  if (!exchanges.some(isSuccess)) throw new Blocked('both captures were refused', exchanges[0]);
  return waitForStatus(context, deposit, (status) => status === 'captured');
});
