import { errorMessage } from '../../lib/error-message.js';
import { Skip } from '../engine/verdict.js';
import { DriverError } from './driver.js';

/** Default timeout of a driver method. It is long because some drivers control a browser. */
export const defaultDriverTimeoutMs = 30_000;

/**
 * Calls a driver method.
 * @param step name of the call in messages: `payLink of the driver`
 * @throws DriverError if the method fails or times out; Skip if the driver throws it, because it cannot act now
 */
export async function callDriver<Value>(
  step: string,
  timeoutMs: number,
  action: () => Value | PromiseLike<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const timeoutError = new DriverError(`${step} did not finish within ${timeoutMs / 1_000} s`, true);
    timer = setTimeout(() => reject(timeoutError), timeoutMs);
  });
  try {
    return await Promise.race([new Promise<Value>((resolve) => resolve(action())), deadline]);
  } catch (error) {
    if (error instanceof DriverError || error instanceof Skip) throw error;
    throw new DriverError(`${step} failed: ${errorMessage(error)}`);
  } finally {
    clearTimeout(timer);
  }
}
