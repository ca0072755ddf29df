import type { DriverMethod } from '../../drivers/driver.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import type { Exchange } from '../../engine/exchange.js';
import { isClientError, isSuccess, requireSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { JsonObject } from '../../engine/json.js';
import { type ClauseContext, type Setup, setup } from '../../engine/session.js';
import { actAsGuest, authorizeForRequest, sendAfterAuthorization } from '../deposits/guest.js';
import {
  createDeposit,
  type Deposit,
  type DepositAmounts,
  type DepositStatus,
  heldAmount,
  type ObservedStatus,
  postAction,
  waitForStatus,
} from '../deposits/setups.js';

/**
 * Amount of a capture that leaves `remainderAmount` of the deposit to be captured or released later. It has one decimal
 * place: a target that reads the digits after the point as cents captures 25.05.
 */
export const firstCaptureAmount = 25.5;

/**
 * Amount that remains of `heldAmount` after `firstCaptureAmount`. In floating point, the difference of the two is less,
 * and the sum of `firstCaptureAmount` and this amount is more than `heldAmount`. So a target that truncates the
 * difference is off by a cent, and one that compares the sum refuses this amount.
 */
export const remainderAmount = 999.84;

/** Like `firstCaptureAmount`, but without decimal places. */
const integerCaptureAmount = 30;

/** Amounts of a deposit after steps of its lifecycle, where it shows them. */
export const amountsAfter = {
  capturedInPart: { captured_amount: firstCaptureAmount, remaining_amount: remainderAmount },
  capturedInFull: { captured_amount: heldAmount, remaining_amount: 0 },
  released: { captured_amount: 0 },
  releasedRemainder: { captured_amount: integerCaptureAmount },
} as const satisfies Readonly<Record<string, DepositAmounts>>;

/** A step in the lifecycle of a deposit. */
export interface DepositStep {
  readonly deposit: Deposit;
  /**
   * Exchange of a capture or release. Undefined for a step that the driver took, and for the creation, whose exchange
   * is in `deposit`.
   */
  readonly exchange?: Exchange;
  /** Time before the step, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Status right after a step that the driver took as the guest. */
  readonly observed?: ObservedStatus | undefined;
}

/** A capture or a release, whether it succeeded or not. */
export interface RequestStep extends DepositStep {
  readonly exchange: Exchange;
}

/** Suffixes of the booking references of deposits with a partial capture, by which mutants recognize them. */
export const partialCaptureReferences = {
  /** The second capture takes the remainder. */
  capturedTwice: 'captured twice',
  released: 'captured in part and released',
  expired: 'captured in part and expired',
} as const;

/**
 * Creates a setup for the first step of a deposit, its creation. The setup throws Skip if the driver lacks the method
 * of the second step, and Blocked if the deposit is not created.
 * @param name describes the deposit after the last step that is planned for it, such as `captured twice`; the booking
 *   reference of the deposit ends with this name
 * @param nextMethod driver method of the second step
 */
function startDeposit(name: string, nextMethod: DriverMethod): Setup<DepositStep> {
  return setup(`a deposit to be ${name}`, async (context) => {
    context.requireDriverMethod(nextMethod);
    const deposit = await createDeposit(context, name);
    return { deposit, startedAt: deposit.sentAt };
  });
}

/** Takes a step. @throws Blocked if the step is a request that did not succeed */
export async function requireStep(context: ClauseContext, step: Setup<DepositStep>): Promise<DepositStep> {
  const result = await context.use(step);
  if (result.exchange) requireSuccess(result.exchange);
  return result;
}

/**
 * Creates a setup for a step that the driver takes, because the API has no operation for it.
 * @param previousStep the step before, which must have succeeded
 * @param readFirst setup that reads the deposit after the previous step, and so must run before this step changes it
 */
function driverStep(
  previousStep: Setup<DepositStep>,
  method: 'authorizeDeposit' | 'declineDeposit' | 'expireDeposit',
  readFirst?: Setup<unknown>,
): Setup<DepositStep> {
  return setup(`${previousStep.name}, ${method}`, async (context) => {
    const { deposit } = await requireStep(context, previousStep);
    if (readFirst) await context.runIfPossible(readFirst);
    const startedAt = Date.now();
    if (method !== 'expireDeposit') return { deposit, startedAt, observed: await actAsGuest(context, method, deposit) };
    await context.drive(method, deposit.record);
    return { deposit, startedAt };
  });
}

/**
 * Creates a setup for a step that is a request to the API.
 * @param previousStep the step before, which must have succeeded
 * @param body body of the request; without an amount, a capture takes everything that remains
 * @param readFirst see `driverStep`
 */
function requestStep(
  previousStep: Setup<DepositStep>,
  action: 'capture' | 'release',
  { body, readFirst }: { readonly body?: JsonObject; readonly readFirst?: Setup<unknown> } = {},
): Setup<RequestStep> {
  return setup(`${previousStep.name}, ${action}`, async (context) => {
    const { deposit, exchange: previous } = await requireStep(context, previousStep);
    if (readFirst) await context.runIfPossible(readFirst);
    const startedAt = Date.now();
    const send = () => postAction(context, deposit, action, body);
    const exchange = previous ? await send() : await sendAfterAuthorization(context, deposit, send);
    return { deposit, exchange, startedAt };
  });
}

/**
 * Creates a setup that reads the status after a step, until it is an expected one or the timeout has passed. The setup
 * throws Blocked if the step failed.
 * @param expected first the usual status, then others that the specification allows
 * @param amounts see `waitForStatus`
 */
function statusAfterStep(
  step: Setup<DepositStep>,
  expected: readonly DepositStatus[],
  amounts: DepositAmounts = {},
): Setup<ObservedStatus> {
  return setup(`the status after ${step.name}`, async (context) => {
    const { deposit, observed } = await requireStep(context, step);
    // Any other status is read again, because the target may not have completed the step yet.
    if (observed && observed.status === expected[0]) return observed;
    return waitForStatus(context, deposit, (status) => expected.some((other) => other === status), amounts);
  });
}

/**
 * Creates a setup that creates a deposit and authorizes it as the guest. The next step must be a capture: only its
 * response shows whether the deposit is authorized. (A release may succeed without an authorization.)
 * @param name see `startDeposit`
 */
function authorizationStep(name: string): Setup<DepositStep> {
  const start = startDeposit(name, 'authorizeDeposit');
  return setup(`${start.name}, authorizeDeposit`, async (context) => {
    const { deposit } = await context.use(start);
    const startedAt = Date.now();
    await authorizeForRequest(context, deposit);
    return { deposit, startedAt };
  });
}

/**
 * The outcome of an action that a deposit does not allow: a capture with an amount that is not a number, not positive, or
 * more than remains, or an action after everything was captured.
 */
export interface InvalidActionOutcome {
  readonly exchange: Exchange;
  /** The deposit afterwards; undefined unless the action was accepted. */
  readonly observed: ObservedStatus | undefined;
}

/**
 * Tries to capture an invalid amount of a deposit.
 * @param amounts amounts to wait for if the target accepts the capture; see `waitForStatus`
 */
export async function captureInvalidAmount(
  context: ClauseContext,
  deposit: Deposit,
  amount: number | string,
  amounts: DepositAmounts = {},
): Promise<InvalidActionOutcome> {
  const exchange = await postAction(context, deposit, 'capture', { amount }, { isInvalid: true });
  // A target that treats an invalid amount as all that is held may change the status with a delay.
  const observed = isSuccess(exchange)
    ? await waitForStatus(context, deposit, (status) => status === 'captured', amounts)
    : undefined;
  return { exchange, observed };
}

// Names that end in `ToExpire` or `ToRelease` say what a later step does with the deposit.
const authorizedToExpire = driverStep(startDeposit('expired', 'authorizeDeposit'), 'authorizeDeposit');
const authorizedToRelease = driverStep(startDeposit('released', 'authorizeDeposit'), 'authorizeDeposit');
const statusAuthorized = statusAfterStep(authorizedToExpire, ['authorized']);

const capturedInFull = requestStep(authorizationStep('captured in full'), 'capture', {
  body: { description: 'Damage' },
});
const capturedInPart = requestStep(authorizationStep(partialCaptureReferences.capturedTwice), 'capture', {
  body: { amount: firstCaptureAmount, description: 'Minibar' },
});
const statusCapturedInPart = statusAfterStep(capturedInPart, ['partially_captured'], amountsAfter.capturedInPart);
const capturedRemainder = requestStep(capturedInPart, 'capture', { body: {}, readFirst: statusCapturedInPart });
const capturedInPartToExceed = requestStep(authorizationStep('captured by amount'), 'capture', {
  body: { amount: firstCaptureAmount },
});
/** Tries to capture more than remains after a partial capture, but not more than is held. */
export const captureAboveRemainder = setup('a capture of more than remains', async (context) => {
  const { deposit } = await requireStep(context, capturedInPartToExceed);
  return captureInvalidAmount(context, deposit, heldAmount, amountsAfter.capturedInFull);
});
const newCapturedInPart = requestStep(authorizationStep('captured by remaining amount'), 'capture', {
  body: { amount: firstCaptureAmount },
});
/** A deposit captured in part: that of `captureAboveRemainder` if the target has refused this capture, else a new one. */
const capturedBeforeExactRemainder = setup('a deposit to be captured by amount', async (context) => {
  const attempt = await ifPossible(context.use(captureAboveRemainder));
  return context.use(attempt && isClientError(attempt.exchange) ? capturedInPartToExceed : newCapturedInPart);
});
const capturedExactRemainder = requestStep(capturedBeforeExactRemainder, 'capture', {
  body: { amount: remainderAmount },
});
const capturedInPartWithoutDescription = requestStep(authorizationStep(partialCaptureReferences.released), 'capture', {
  body: { amount: integerCaptureAmount },
});

const capturedInPartToExpire = requestStep(authorizationStep(partialCaptureReferences.expired), 'capture', {
  body: { amount: firstCaptureAmount },
});
const statusCapturedInPartToExpire = statusAfterStep(capturedInPartToExpire, ['partially_captured']);
const capturedThenExpired = setup(
  `${capturedInPartToExpire.name}, expireDeposit`,
  async (context): Promise<DepositStep> => {
    const { deposit } = await context.use(capturedInPartToExpire);
    const { status, exchange } = await context.use(statusCapturedInPartToExpire);
    // A deposit captured in full cannot expire, so the driver would fail. Another clause is about its status.
    if (status === 'captured') throw new Blocked('the deposit was captured in full', exchange);
    const startedAt = Date.now();
    await context.drive('expireDeposit', deposit.record);
    return { deposit, startedAt };
  },
);

const released = requestStep(authorizedToRelease, 'release');
const statusReleased = statusAfterStep(released, ['released'], amountsAfter.released);
const capturedAfterRelease = requestStep(released, 'capture', { body: { amount: 10 }, readFirst: statusReleased });
const releasedRemainder = requestStep(capturedInPartWithoutDescription, 'release');

const declined = driverStep(startDeposit('declined', 'declineDeposit'), 'declineDeposit');
const expired = driverStep(authorizedToExpire, 'expireDeposit', statusAuthorized);

/** Steps of several deposits, keyed by what they lead to. */
export const steps = {
  authorized: authorizedToRelease,
  capturedInFull,
  /** With a description. */
  capturedInPart,
  /** Without a description. */
  capturedInPartWithoutDescription,
  capturedRemainder,
  /** Captured with the remaining amount in the request. */
  capturedExactRemainder,
  capturedThenExpired,
  released,
  capturedAfterRelease,
  releasedRemainder,
  declined,
  expired,
} as const;

/**
 * Setups that read the status of a deposit after a step, keyed by what the step leads to. `authorized` reads the
 * deposit of `steps.expired`, which expires only after this read. It does not read the deposit of `steps.authorized`,
 * which may already be released.
 */
export const statusAfter = {
  authorized: statusAuthorized,
  capturedInFull: statusAfterStep(capturedInFull, ['captured'], amountsAfter.capturedInFull),
  capturedInPart: statusCapturedInPart,
  capturedRemainder: statusAfterStep(capturedRemainder, ['captured'], amountsAfter.capturedInFull),
  capturedExactRemainder: statusAfterStep(capturedExactRemainder, ['captured'], amountsAfter.capturedInFull),
  released: statusReleased,
  releasedRemainder: statusAfterStep(releasedRemainder, ['released', 'captured'], amountsAfter.releasedRemainder),
  declined: statusAfterStep(declined, ['failed', 'pending']),
  expired: statusAfterStep(expired, ['expired']),
  capturedThenExpired: statusAfterStep(capturedThenExpired, ['expired', 'captured']),
} as const;

/**
 * True if a partial capture completes a deposit: it is `captured` afterwards, and its remainder cannot be captured. The
 * specification does not say whether a deposit can be captured more than once.
 */
const isPartialCaptureFinal = setup('whether a partial capture is final', async (context) => {
  const { status } = await context.use(statusAfter.capturedInPart);
  if (status !== 'captured') return false;
  const { exchange } = await context.use(capturedRemainder);
  return isClientError(exchange);
});

/** @throws Skip if a partial capture completes a deposit, so that nothing remains to be captured or released */
export async function skipIfPartialCaptureIsFinal(context: ClauseContext): Promise<void> {
  if (await context.use(isPartialCaptureFinal))
    throw new Skip({
      missing: 'a deposit with a remaining amount',
      reason:
        'a partial capture completes the deposit, and the specification does not say how many captures are allowed',
    });
}
