import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotRun } from '../cannot-run.js';
import { drive } from '../drive.js';
import { type Driver, driverMethods } from '../driver.js';
import { isRecord } from '../expect.js';

/** What a driver is made with. */
export interface DriverOptions {
  readonly baseUrl: string;
  readonly token: string;
}

const methods: readonly string[] = [...driverMethods, 'close'];
const names = methods.join(', ');

/**
 * The driver that the default export of a module makes.
 * @param patience milliseconds for the module, and for its making the driver
 * @throws CannotRun
 */
export async function loadDriver(file: string, options: DriverOptions, patience: number): Promise<Driver> {
  const inTime = <Value>(what: string, act: () => Promise<Value>): Promise<Value> =>
    drive(`the driver ${file}: ${what}`, patience, act).catch((error: unknown) => {
      throw new CannotRun(error instanceof Error ? error.message : String(error));
    });
  const refuse = (reason: string): CannotRun => new CannotRun(`the driver ${file} ${reason}`);

  const module = await inTime('its import', (): Promise<unknown> => import(pathToFileURL(resolve(file)).href));
  const make: unknown = Reflect.get(Object(module), 'default');
  if (typeof make !== 'function') throw refuse('has no function as its default export: (options) => driver');
  const driver: unknown = await inTime('its default export', async () => make(options));
  if (!isRecord(driver)) throw refuse(`has made no driver: an object with some of ${names}`);
  const strange = Object.keys(driver).find((name) => typeof driver[name] === 'function' && !methods.includes(name));
  if (strange !== undefined) throw refuse(`has a \`${strange}\`, which no driver has; there are ${names}`);
  if (!isDriver(driver)) throw refuse(`has what is no method; there are ${names}, each a function`);
  return driver;
}

/** Whether an error comes from a driver: what one leaves unhandled, nobody but itself could have handled. */
export function isFrom(file: string | undefined, stack: string | undefined): boolean {
  return file !== undefined && stack?.includes(pathToFileURL(resolve(file)).href) === true;
}

/** Whether a value has methods of drivers, and nothing else under their names; an instance of a class has them, too. */
function isDriver(value: object): value is Driver {
  return methods.every((name) => ['function', 'undefined'].includes(typeof Reflect.get(value, name)));
}
