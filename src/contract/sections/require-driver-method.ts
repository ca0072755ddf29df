import type { DriverMethod } from '../drivers/driver.js';
import type { ClauseContext } from '../engine/session.js';

/** Called before anything is created that is useless without the method. @throws Skip if the driver lacks the method */
export async function requireDriverMethod(context: ClauseContext, method: DriverMethod): Promise<void> {
  // A call of a missing method throws the skip that names the method.
  if (!context.session.driver[method]) await context.drive(method);
}
