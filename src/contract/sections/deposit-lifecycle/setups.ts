import type { DriverMethod } from '../../drivers/driver.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess, succeeded } from '../../engine/expect.js';
import { type Fact, fact } from '../../engine/session.js';
import { type Deposit, type DepositStatus, makeDeposit, type Shown, statusOf } from '../deposits/setups.js';
import type { Row } from '../invoice-creation/setups.js';

/** What part of a deposit is captured first, where it is captured in parts. */
export const firstPart = 50.25;

/** A step in the life of a deposit. */
export interface Step {
  readonly deposit: Deposit;
  /** What the API was asked for; undefined where the driver has acted. */
  readonly exchange?: Exchange;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** A deposit that is led through its life by itself: what was done to it last is the fact. @throws Blocked, Skip */
function begun(name: string, first: DriverMethod): Fact<Step> {
  return fact(`a deposit ${name}`, async (scene) => {
    // A driver that cannot take it further is told by its name before anything is made.
    if (!scene.session.driver[first]) await scene.drive(first, {});
    const deposit = await makeDeposit(scene, name);
    return { deposit, at: deposit.at };
  });
}

/** @param after what has to be looked at before the deposit goes on */
function driven(before: Fact<Step>, method: DriverMethod, after?: Fact<unknown>): Fact<Step> {
  return fact(`${before.name}, ${method}`, async (scene) => {
    const { deposit, exchange: previous } = await scene.at(before);
    if (previous) succeeded(previous);
    if (after) await scene.after(after);
    const at = Date.now();
    await scene.drive(method, deposit.record);
    return { deposit, at };
  });
}

/** @throws Blocked if what comes before it was not carried out */
function asked(before: Fact<Step>, action: 'capture' | 'release', body?: Row, after?: Fact<unknown>): Fact<Step> {
  return fact(`${before.name}, ${action}`, async (scene) => {
    const { deposit, exchange: previous } = await scene.at(before);
    if (previous) succeeded(previous);
    if (after) await scene.after(after);
    const at = Date.now();
    const ask = () => scene.post(`/deposits/${encodeURIComponent(String(deposit.id))}/${action}`, body);
    // What the driver has done may take a moment to get through to the target.
    const exchange = previous ? await ask() : await eventually(scene, ask, isSuccess);
    return { deposit, exchange, at };
  });
}

/** The status after a step, once it is one of those by name. @throws Blocked if the step was not carried out */
function shownAfter(step: Fact<Step>, ...awaited: readonly DepositStatus[]): Fact<Shown> {
  return fact(`the status after ${step.name}`, async (scene) => {
    const { deposit, exchange } = await scene.at(step);
    if (exchange) succeeded(exchange);
    return statusOf(scene, deposit, (status) => awaited.some((one) => one === status));
  });
}

function authorized(name: string): Fact<Step> {
  return driven(begun(name, 'authorizeDeposit'), 'authorizeDeposit');
}

const authorizedToExpire = authorized('expired');
const authorizedToRelease = authorized('released');
const shownAuthorized = shownAfter(authorizedToExpire, 'authorized');

const capturedWhole = asked(authorized('captured whole'), 'capture', {});
const capturedInPart = asked(authorized('captured in parts'), 'capture', {
  amount: firstPart,
  description: 'Minibar',
});
const shownInPart = shownAfter(capturedInPart, 'partially_captured');
const capturedTheRest = asked(capturedInPart, 'capture', {}, shownInPart);
const capturedPlainly = asked(authorized('captured in part and released'), 'capture', { amount: firstPart });

const capturedToExpire = asked(authorized('captured in part and expired'), 'capture', { amount: firstPart });
const capturedThenExpired = driven(
  capturedToExpire,
  'expireDeposit',
  shownAfter(capturedToExpire, 'partially_captured'),
);

const released = asked(authorizedToRelease, 'release');
const shownReleased = shownAfter(released, 'released');
const capturedAfterRelease = asked(released, 'capture', { amount: 10 }, shownReleased);
const releasedTheRest = asked(capturedPlainly, 'release');

const declined = driven(begun('declined', 'declineDeposit'), 'declineDeposit');
const expired = driven(authorizedToExpire, 'expireDeposit', shownAuthorized);

/** What is done to deposits: each is led through a life of its own. */
export const steps = {
  authorized: authorizedToRelease,
  capturedWhole,
  /** With a reason. */
  capturedInPart,
  /** Without one. */
  capturedPlainly,
  capturedTheRest,
  released,
  capturedAfterRelease,
  releasedTheRest,
  declined,
  expired,
} as const;

/** What becomes of them. */
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
