import type { DriverMethod } from '../../drivers/driver.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, requireSuccess } from '../../engine/expect.js';
import { type Setup, setup } from '../../engine/session.js';
import {
  createDeposit,
  type Deposit,
  type DepositStatus,
  type ObservedStatus,
  waitForStatus,
} from '../deposits/setups.js';
import type { Row } from '../invoice-creation/setups.js';

/** Amount of the first of two captures. */
export const firstCaptureAmount = 50.25;

/** A step in the lifecycle of a deposit. */
export interface DepositStep {
  readonly deposit: Deposit;
  /** Request to the API; undefined if the driver acted. */
  readonly exchange?: Exchange;
  /** Time of the step, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Creates a deposit for its own series of steps.
 * @param name describes the deposit after the last of them
 * @param firstMethod driver method of the first step
 * @throws Blocked, Skip
 */
function startDeposit(name: string, firstMethod: DriverMethod): Setup<DepositStep> {
  return setup(`a deposit ${name}`, async (context) => {
    // Reports a missing driver method before anything is created.
    if (!context.session.driver[firstMethod]) await context.drive(firstMethod, {});
    const deposit = await createDeposit(context, name);
    return { deposit, startedAt: deposit.sentAt };
  });
}

/**
 * A step that the driver takes.
 * @param previousStep step before it, which must have succeeded
 * @param readFirst setup that must run before the deposit changes
 */
function driverStep(
  previousStep: Setup<DepositStep>,
  method: DriverMethod,
  readFirst?: Setup<unknown>,
): Setup<DepositStep> {
  return setup(`${previousStep.name}, ${method}`, async (context) => {
    const { deposit, exchange: previous } = await context.use(previousStep);
    if (previous) requireSuccess(previous);
    if (readFirst) await context.waitFor(readFirst);
    const startedAt = Date.now();
    await context.drive(method, deposit.record);
    return { deposit, startedAt };
  });
}

/** A step by a request to the API; parameters as of `driverStep`. @throws Blocked if the previous step failed */
function requestStep(
  previousStep: Setup<DepositStep>,
  action: 'capture' | 'release',
  body?: Row,
  readFirst?: Setup<unknown>,
): Setup<DepositStep> {
  return setup(`${previousStep.name}, ${action}`, async (context) => {
    const { deposit, exchange: previous } = await context.use(previousStep);
    if (previous) requireSuccess(previous);
    if (readFirst) await context.waitFor(readFirst);
    const startedAt = Date.now();
    const send = () => context.post(`/deposits/${encodeURIComponent(String(deposit.id))}/${action}`, body);
    // Effects of the driver may take a moment to reach the target.
    const exchange = previous ? await send() : await eventually(context, send, isSuccess);
    return { deposit, exchange, startedAt };
  });
}

/** Status after a step, once it is one of the expected ones or the timeout has passed. @throws Blocked if the step failed */
function statusAfterStep(step: Setup<DepositStep>, ...expected: readonly DepositStatus[]): Setup<ObservedStatus> {
  return setup(`the status after ${step.name}`, async (context) => {
    const { deposit, exchange } = await context.use(step);
    if (exchange) requireSuccess(exchange);
    return waitForStatus(context, deposit, (status) => expected.some((other) => other === status));
  });
}

/** A deposit that the guest has authorized. */
function authorizedDeposit(name: string): Setup<DepositStep> {
  return driverStep(startDeposit(name, 'authorizeDeposit'), 'authorizeDeposit');
}

const authorizedToExpire = authorizedDeposit('expired');
const authorizedToRelease = authorizedDeposit('released');
const statusAuthorized = statusAfterStep(authorizedToExpire, 'authorized');

const capturedInFull = requestStep(authorizedDeposit('captured in full'), 'capture', {});
const capturedInPart = requestStep(authorizedDeposit('captured in parts'), 'capture', {
  amount: firstCaptureAmount,
  description: 'Minibar',
});
const statusCapturedInPart = statusAfterStep(capturedInPart, 'partially_captured');
const capturedRemainder = requestStep(capturedInPart, 'capture', {}, statusCapturedInPart);
const capturedWithoutDescription = requestStep(authorizedDeposit('captured in part and released'), 'capture', {
  amount: firstCaptureAmount,
});

const capturedToExpire = requestStep(authorizedDeposit('captured in part and expired'), 'capture', {
  amount: firstCaptureAmount,
});
const capturedThenExpired = driverStep(
  capturedToExpire,
  'expireDeposit',
  statusAfterStep(capturedToExpire, 'partially_captured'),
);

const released = requestStep(authorizedToRelease, 'release');
const statusReleased = statusAfterStep(released, 'released');
const capturedAfterRelease = requestStep(released, 'capture', { amount: 10 }, statusReleased);
const releasedRemainder = requestStep(capturedWithoutDescription, 'release');

const declined = driverStep(startDeposit('declined', 'declineDeposit'), 'declineDeposit');
const expired = driverStep(authorizedToExpire, 'expireDeposit', statusAuthorized);

/** Steps of several deposits. */
export const steps = {
  authorized: authorizedToRelease,
  capturedInFull,
  /** With a description. */
  capturedInPart,
  /** Without a description. */
  capturedWithoutDescription,
  capturedRemainder,
  released,
  capturedAfterRelease,
  releasedRemainder,
  declined,
  expired,
} as const;

/** Observed status of the deposit after each step. */
export const statusAfter = {
  authorized: statusAuthorized,
  capturedInFull: statusAfterStep(capturedInFull, 'captured'),
  capturedInPart: statusCapturedInPart,
  capturedRemainder: statusAfterStep(capturedRemainder, 'captured'),
  released: statusReleased,
  releasedRemainder: statusAfterStep(releasedRemainder, 'released', 'captured'),
  declined: statusAfterStep(declined, 'failed', 'pending'),
  expired: statusAfterStep(expired, 'expired'),
  capturedThenExpired: statusAfterStep(capturedThenExpired, 'expired', 'captured'),
} as const;
