import { DriverError } from '../../drivers/driver.js';
import { ifPossible } from '../../engine/if-possible.js';
import type { ClauseContext } from '../../engine/session.js';
import { Skip } from '../../engine/verdict.js';
import { type Deposit, readStatus } from './setups.js';

/**
 * Authorizes or declines a deposit through the driver, as its guest would.
 * @throws Skip if the deposit had expired by then: the specification leaves open how long an authorization link lives;
 * DriverError if the driver failed for another reason
 */
export async function actAsGuest(
  context: ClauseContext,
  method: 'authorizeDeposit' | 'declineDeposit',
  deposit: Deposit,
): Promise<void> {
  try {
    await context.drive(method, deposit.record);
  } catch (error) {
    if (!(error instanceof DriverError)) throw error;
    const observed = await ifPossible(readStatus(context, deposit));
    if (observed?.status !== 'expired') throw error;
    throw new Skip({
      missing: 'a longer-lived authorization link',
      reason: `the deposit expired before ${method} of the driver was done`,
    });
  }
}
