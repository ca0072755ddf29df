import type { DriverMethod } from '../../drivers/driver.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, succeeded } from '../../engine/expect.js';
import { type Setup, setup } from '../../engine/session.js';
import { type Deposit, type DepositStatus, makeDeposit, type Shown, statusOf } from '../deposits/setups.js';
import type { Row } from '../invoice-creation/setups.js';

/** Amount of the first of two captures. */
export const firstPart = 50.25;

/** A step in the lifecycle of a deposit. */
export interface Step {
  readonly deposit: Deposit;
  /** Request to the API; undefined if the driver acted. */
  readonly exchange?: Exchange;
  /** Time of the step, in milliseconds since 1970. */
  readonly at: number;
}

/** Creates a deposit with a lifecycle of its own; setups are named after its last step. @throws Blocked, Skip */
function startDeposit(name: string, first: DriverMethod): Setup<Step> {
  return setup(`a deposit ${name}`, async (context) => {
    // Reports a missing driver method before anything is created.
    if (!context.session.driver[first]) await context.drive(first, {});
    const deposit = await makeDeposit(context, name);
    return { deposit, at: deposit.at };
  });
}

/** @param after setup that must run before the deposit changes */
function driverStep(before: Setup<Step>, method: DriverMethod, after?: Setup<unknown>): Setup<Step> {
  return setup(`${before.name}, ${method}`, async (context) => {
    const { deposit, exchange: previous } = await context.use(before);
    if (previous) succeeded(previous);
    if (after) await context.after(after);
    const at = Date.now();
    await context.drive(method, deposit.record);
    return { deposit, at };
  });
}

/** @throws Blocked if the previous step failed */
function request(before: Setup<Step>, action: 'capture' | 'release', body?: Row, after?: Setup<unknown>): Setup<Step> {
  return setup(`${before.name}, ${action}`, async (context) => {
    const { deposit, exchange: previous } = await context.use(before);
    if (previous) succeeded(previous);
    if (after) await context.after(after);
    const at = Date.now();
    const ask = () => context.post(`/deposits/${encodeURIComponent(String(deposit.id))}/${action}`, body);
    // Effects of the driver may take a moment to reach the target.
    const exchange = previous ? await ask() : await eventually(context, ask, isSuccess);
    return { deposit, exchange, at };
  });
}

/** Status after a step, once it is one of the expected ones. @throws Blocked if the step failed */
function shownAfter(step: Setup<Step>, ...awaited: readonly DepositStatus[]): Setup<Shown> {
  return setup(`the status after ${step.name}`, async (context) => {
    const { deposit, exchange } = await context.use(step);
    if (exchange) succeeded(exchange);
    return statusOf(context, deposit, (status) => awaited.some((one) => one === status));
  });
}

function authorized(name: string): Setup<Step> {
  return driverStep(startDeposit(name, 'authorizeDeposit'), 'authorizeDeposit');
}

const authorizedToExpire = authorized('expired');
const authorizedToRelease = authorized('released');
const shownAuthorized = shownAfter(authorizedToExpire, 'authorized');

const capturedWhole = request(authorized('captured whole'), 'capture', {});
const capturedInPart = request(authorized('captured in parts'), 'capture', {
  amount: firstPart,
  description: 'Minibar',
});
const shownInPart = shownAfter(capturedInPart, 'partially_captured');
const capturedTheRest = request(capturedInPart, 'capture', {}, shownInPart);
const capturedPlainly = request(authorized('captured in part and released'), 'capture', { amount: firstPart });

const capturedToExpire = request(authorized('captured in part and expired'), 'capture', { amount: firstPart });
const capturedThenExpired = driverStep(
  capturedToExpire,
  'expireDeposit',
  shownAfter(capturedToExpire, 'partially_captured'),
);

const released = request(authorizedToRelease, 'release');
const shownReleased = shownAfter(released, 'released');
const capturedAfterRelease = request(released, 'capture', { amount: 10 }, shownReleased);
const releasedTheRest = request(capturedPlainly, 'release');

const declined = driverStep(startDeposit('declined', 'declineDeposit'), 'declineDeposit');
const expired = driverStep(authorizedToExpire, 'expireDeposit', shownAuthorized);

/** Steps of deposits, each of which has a lifecycle of its own. */
export const steps = {
  authorized: authorizedToRelease,
  capturedWhole,
  /** With a description. */
  capturedInPart,
  /** Without a description. */
  capturedPlainly,
  capturedTheRest,
  released,
  capturedAfterRelease,
  releasedTheRest,
  declined,
  expired,
} as const;

/** Statuses of the deposits after each step. */
export const shown = {
  authorized: shownAuthorized,
  capturedWhole: shownAfter(capturedWhole, 'captured'),
  capturedInPart: shownInPart,
  capturedTheRest: shownAfter(capturedTheRest, 'captured'),
  released: shownReleased,
  releasedTheRest: shownAfter(releasedTheRest, 'released', 'captured'),
  declined: shownAfter(declined, 'failed', 'pending'),
  expired: shownAfter(expired, 'expired'),
  capturedThenExpired: shownAfter(capturedThenExpired, 'expired', 'captured'),
} as const;
