import type { DriverMethod } from '../drivers/driver.js';
import type { ClauseContext } from '../engine/session.js';

/**
 * Requires that the driver, which performs actions that the API does not offer, has a method. A setup calls this before
 * it creates records that would be useless without the method.
 * @throws Skip if the driver lacks the method
 */
export async function requireDriverMethod(context: ClauseContext, method: DriverMethod): Promise<void> {
  // If the method is missing, `drive` throws the Skip, with the name of the driver, and calls nothing.
  if (!context.session.driver[method]) await context.drive(method);
}
