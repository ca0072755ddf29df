import { DriverError } from '../../drivers/driver.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { eventually } from '../../engine/eventually.js';
import type { Exchange } from '../../engine/exchange.js';
import { isSuccess } from '../../engine/expect.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { type Deposit, type ObservedStatus, readStatus, waitForStatus } from './setups.js';

type GuestMethod = 'authorizeDeposit' | 'declineDeposit';

/**
 * Authorizes or declines a deposit through the driver, as its guest would.
 * @throws Skip if the driver fails because the deposit is expired: the specification leaves open how long an
 * authorization link stays valid; DriverError if it fails for another reason
 */
async function driveAsGuest(context: ClauseContext, method: GuestMethod, deposit: Deposit): Promise<void> {
  try {
    await context.drive(method, deposit.record);
  } catch (error) {
    if (error instanceof DriverError) await readStatusUnlessExpired(context, method, deposit);
    throw error;
  }
}

/**
 * Like `driveAsGuest`, and reads the deposit afterwards.
 * @returns its status, which the target may still change; undefined if it could not be read
 * @throws Skip if the deposit is expired; DriverError
 */
export async function actAsGuest(
  context: ClauseContext,
  method: GuestMethod,
  deposit: Deposit,
): Promise<ObservedStatus | undefined> {
  await driveAsGuest(context, method, deposit);
  // The page of an expired link may tell only the guest that the link has expired: the driver may notice no error.
  return readStatusUnlessExpired(context, method, deposit);
}

/** Authorizes a deposit through the driver, for a request that `sendAfterAuthorization` sends. See `driveAsGuest`. */
export function authorizeForRequest(context: ClauseContext, deposit: Deposit): Promise<void> {
  return driveAsGuest(context, 'authorizeDeposit', deposit);
}

/**
 * Sends a request that needs an authorized deposit until it succeeds, or the timeout has passed: the target may need a
 * moment to complete the authorization. The deposit is only read if the first attempt fails.
 * @throws Skip if the deposit is expired
 */
export async function sendAfterAuthorization(
  context: ClauseContext,
  deposit: Deposit,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  const exchange = await send();
  if (isSuccess(exchange)) return exchange;
  await readStatusUnlessExpired(context, 'authorizeDeposit', deposit);
  return eventually(context, send, isSuccess);
}

/**
 * Authorizes a deposit through the driver, and waits until it is `authorized`.
 * @throws Blocked if it is not; see also `actAsGuest`
 */
export async function authorizeAsGuest(context: ClauseContext, deposit: Deposit): Promise<Deposit> {
  const isAuthorized = (status: unknown): boolean => status === 'authorized';
  const observed = await actAsGuest(context, 'authorizeDeposit', deposit);
  const { status, exchange } =
    observed && isAuthorized(observed.status) ? observed : await waitForStatus(context, deposit, isAuthorized);
  if (!isAuthorized(status))
    throw new Blocked('the deposit that the driver has authorized is not `authorized`', exchange);
  return deposit;
}

/** @throws Skip if the deposit is expired */
async function readStatusUnlessExpired(
  context: ClauseContext,
  method: GuestMethod,
  deposit: Deposit,
): Promise<ObservedStatus | undefined> {
  const observed = await ifPossible(readStatus(context, deposit));
  if (observed?.status === 'expired')
    throw new Skip({
      missing: 'a longer-lived authorization link',
      reason: `the deposit had expired after the driver's ${method}()`,
    });
  return observed;
}
