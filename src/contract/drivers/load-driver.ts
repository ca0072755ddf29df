import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, noSuchFile } from '../../lib/errors.js';
import { importFile } from '../../lib/import-file.js';
import { isRecord, memberOf } from '../../lib/json.js';
import { CannotRun } from '../engine/cannot-run.js';
import { callDriver } from './call-driver.js';
import { type DriverFactory, type DriverOptions, driverMethods, type LoadedDriver } from './driver.js';

/**
 * Imports a module, and creates a driver by calling its default export.
 * @param timeoutMs limits the import of the module, and separately the creation of the driver
 * @throws CannotRun
 */
export async function loadDriver(file: string, options: DriverOptions, timeoutMs: number): Promise<LoadedDriver> {
  const name = `the driver ${file}`;
  // Checked here, since Node's message for a missing module would name the importing file of this package.
  if (!existsSync(file)) throw new CannotRun(`cannot read ${name}: ${noSuchFile}`);
  const module = await callOrThrowCannotRun(`loading ${name}`, timeoutMs, () => importFile(file));
  const factory = memberOf(module, 'default');
  if (typeof factory !== 'function') {
    throw new CannotRun(`${name} must have a function as its default export: (options) => driver`);
  }
  return asDriver(name, await callOrThrowCannotRun(`the default export of ${name}`, timeoutMs, () => factory(options)));
}

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
async function callOrThrowCannotRun(name: string, timeoutMs: number, action: () => unknown): Promise<unknown> {
  try {
    return await callDriver(name, timeoutMs, action);
  } catch (error) {
    throw new CannotRun(errorMessage(error));
  }
}

const methods: readonly string[] = [...driverMethods, 'close'];
const methodNames = methods.join(', ');

/** Checks that a value is a driver, and returns it. @param name names the driver in messages @throws CannotRun */
function asDriver(name: string, driver: unknown): LoadedDriver {
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

/** Folder of the suite's code, as stack traces show it; undefined in the executable, where they show no folder. */
const suiteFolder = /(?:at |\()(file:[^\s()]+\/)[^/\s()]+:\d+:\d+/.exec(String(new Error().stack))?.[1];

/**
 * Finds the drivers that have probably thrown an uncaught error: those whose files are in its stack. If the stack shows
 * neither a driver nor the suite, any of the drivers may have thrown it: the stack of a rejected promise may show only
 * Node, and an error in a module that a driver imports may show only that module.
 * @param files of the drivers
 */
export function driversThatThrew(files: readonly string[], stack: string): readonly string[] {
  const inStack = files.filter((file) => stack.includes(pathToFileURL(resolve(file)).href));
  if (inStack.length > 0) return inStack;
  return suiteFolder === undefined || stack.includes(suiteFolder) ? [] : files;
}
