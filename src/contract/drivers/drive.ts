import { errorMessage } from '../../lib/error-message.js';
import { Skip } from '../engine/verdict.js';
import { DriverError } from './driver.js';

/** Default timeout of a driver method: some drivers click through pages. */
export const defaultDriverTimeoutMs = 30_000;

/**
 * Calls a driver method and reports its failures as the driver's.
 * @param what name in messages: `payLink of the driver`
 * @throws DriverError if it fails or times out; Skip, which a driver may throw for what it cannot do now
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
