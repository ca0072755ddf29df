import { errorMessage } from '../../lib/error-message.js';
import { Skip } from '../engine/verdict.js';
import { DriverError } from './driver.js';

/** Milliseconds for a method of a driver, unless said otherwise: some click through pages. */
export const defaultDriverTimeoutMs = 30_000;

/**
 * Calls a method of a driver. Its failures are reported as the driver's.
 * @param what names it in messages: `payLink of the driver`
 * @throws DriverError if it fails, or does not finish in time; Skip, which a driver may throw for what it cannot do now
 */
export async function drive<Value>(
  what: string,
  timeoutMs: number,
  act: () => Value | PromiseLike<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const late = new DriverError(`${what} did not finish within ${timeoutMs / 1_000} s`, true);
    timer = setTimeout(() => reject(late), timeoutMs);
  });
  try {
    return await Promise.race([new Promise<Value>((resolve) => resolve(act())), deadline]);
  } catch (error) {
    if (error instanceof DriverError || error instanceof Skip) throw error;
    throw new DriverError(`${what} failed: ${errorMessage(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
