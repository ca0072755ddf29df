import type { DriverMethod } from '../drivers/driver.js';
import type { ClauseContext } from '../engine/session.js';

/**
 * Requires a driver method. A setup calls this before it creates records that would be useless without the method.
 * @throws Skip if the driver lacks the method
 */
export async function requireDriverMethod(context: ClauseContext, method: DriverMethod): Promise<void> {
  // For a missing method, `drive` calls nothing and throws the Skip.
  if (!context.session.driver[method]) await context.drive(method);
}
