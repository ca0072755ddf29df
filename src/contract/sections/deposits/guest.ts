import { DriverError } from '../../drivers/driver.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { Skip } from '../../engine/verdict.js';
import { type Deposit, readStatus } from './setups.js';

type GuestMethod = 'authorizeDeposit' | 'declineDeposit';

/**
 * Authorizes or declines a deposit through the driver, as its guest would.
 * @throws Skip if the deposit is expired afterwards: the specification leaves open how long an authorization link
 * stays valid; DriverError if the driver failed for another reason
 */
export async function actAsGuest(context: ClauseContext, method: GuestMethod, deposit: Deposit): Promise<void> {
  try {
    await context.drive(method, deposit.record);
  } catch (error) {
    if (error instanceof DriverError) await skipIfExpired(context, method, deposit);
    throw error;
  }
  // The page of an expired link may tell the guest that the link has expired, without an error that the driver would notice.
  await skipIfExpired(context, method, deposit);
}

async function skipIfExpired(context: ClauseContext, method: GuestMethod, deposit: Deposit): Promise<void> {
  const observed = await ifPossible(readStatus(context, deposit));
  if (observed?.status === 'expired')
    throw new Skip({
      missing: 'a longer-lived authorization link',
      reason: `the deposit had expired after the driver's ${method}()`,
    });
}
