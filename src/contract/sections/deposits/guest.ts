import { DriverError } from '../../drivers/driver.js';
import { Blocked, Skip } from '../../engine/check-errors.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { type Deposit, type ObservedStatus, readStatus, waitForStatus } from './setups.js';

type GuestMethod = 'authorizeDeposit' | 'declineDeposit';

/**
 * Authorizes or declines a deposit through the driver, as its guest would.
 * @returns its status right afterwards, which the target may still change; undefined if it could not be read
 * @throws Skip if the deposit is expired afterwards: the specification leaves open how long an authorization link
 * stays valid; DriverError if the driver failed for another reason
 */
export async function actAsGuest(
  context: ClauseContext,
  method: GuestMethod,
  deposit: Deposit,
): Promise<ObservedStatus | undefined> {
  try {
    await context.drive(method, deposit.record);
  } catch (error) {
    if (error instanceof DriverError) await readStatusUnlessExpired(context, method, deposit);
    throw error;
  }
  // The page of an expired link may tell only the guest that the link has expired: the driver may notice no error.
  return readStatusUnlessExpired(context, method, deposit);
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
