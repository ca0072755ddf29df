import { errorMessage } from '../../lib/errors.js';
import { isRecord } from '../../lib/json.js';
import { CannotRun } from '../engine/cannot-run.js';
import { callDriver } from './call-driver.js';
import { type DriverFactory, type DriverOptions, driverMethods, type LoadedDriver } from './driver.js';

const methods: readonly string[] = [...driverMethods, 'close'];
const methodNames = methods.join(', ');

/** Creates a driver by calling its factory. @throws CannotRun */
export async function makeDriver(
  factory: DriverFactory,
  options: DriverOptions,
  timeoutMs: number,
): Promise<LoadedDriver> {
  return asDriver('the driver', await callOrThrowCannotRun('the driver factory', timeoutMs, () => factory(options)));
}

/**
 * Runs an action that loads a driver's module or calls its factory, either of which may hang.
 * @param name names the action in messages
 * @throws CannotRun if the action fails or times out
 */
export async function callOrThrowCannotRun(name: string, timeoutMs: number, action: () => unknown): Promise<unknown> {
  try {
    return await callDriver(name, timeoutMs, action);
  } catch (error) {
    throw new CannotRun(errorMessage(error));
  }
}

/** Checks that a value is a driver, and returns it. @param name names the driver in messages @throws CannotRun */
export function asDriver(name: string, driver: unknown): LoadedDriver {
  const errorFor = (reason: string): CannotRun => new CannotRun(`${name} ${reason}`);
  if (!isRecord(driver)) throw errorFor(`must be an object with any of these methods: ${methodNames}`);
  const unknownMethod = Object.keys(driver).find((key) => typeof driver[key] === 'function' && !methods.includes(key));
  if (unknownMethod !== undefined)
    throw errorFor(`has an unknown method \`${unknownMethod}\`; the known methods are ${methodNames}`);
  if (!isLoadedDriver(driver)) {
    const nonFunctions = methods.filter((method) => !isFunctionOrAbsent(driver, method));
    throw errorFor(
      `has \`${nonFunctions.join('`, `')}\`, which must be ${nonFunctions.length === 1 ? 'a function' : 'functions'}`,
    );
  }
  return driver;
}

/** True if each method is a function or absent; inherited methods count, too. */
function isLoadedDriver(value: Readonly<Record<string, unknown>>): value is LoadedDriver {
  return methods.every((method) => isFunctionOrAbsent(value, method));
}

function isFunctionOrAbsent(value: Readonly<Record<string, unknown>>, method: string): boolean {
  return ['function', 'undefined'].includes(typeof value[method]);
}
