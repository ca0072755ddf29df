import { errorMessage } from '../../lib/errors.js';
import { DriverError } from './driver.js';

/** Default timeout of a driver method. It is long because some drivers control a browser. */
export const defaultDriverTimeoutMs = 30_000;

/**
 * Runs an action that calls a driver method, or that loads or creates the driver.
 * @param name names the action in messages: `the driver's payLink()`
 * @throws DriverError if the action fails or times out
 */
export async function callDriver<Value>(
  name: string,
  timeoutMs: number,
  action: () => Value | PromiseLike<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const timeoutError = new DriverError(`${name} did not finish within ${timeoutMs / 1_000} s`, {
      isTimeout: true,
    });
    timer = setTimeout(() => reject(timeoutError), timeoutMs);
  });
  try {
    // The async function turns an error that `action` throws synchronously into a rejection.
    return await Promise.race([(async () => action())(), deadline]);
  } catch (error) {
    if (error instanceof DriverError) throw error;
    throw new DriverError(`${name} failed: ${errorMessage(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
