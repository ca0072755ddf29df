import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importFile } from '../../lib/import-file.js';
import { memberOf } from '../../lib/json.js';
import { CannotRun } from '../engine/cannot-run.js';
import { checkFileExists } from '../engine/check-file-exists.js';
import type { DriverOptions, LoadedDriver } from './driver.js';
import { asDriver, callOrThrowCannotRun } from './make.js';

/**
 * Imports a module, and creates a driver by calling its default export.
 * @param timeoutMs limits the import of the module, and separately the creation of the driver
 * @throws CannotRun
 */
export async function loadDriver(file: string, options: DriverOptions, timeoutMs: number): Promise<LoadedDriver> {
  const name = `the driver ${file}`;
  // Checked here, since Node's message for a missing module would name the importing file of this package.
  checkFileExists(file, name);
  const module = await callOrThrowCannotRun(`loading ${name}`, timeoutMs, () => importFile(file));
  const factory = memberOf(module, 'default');
  if (typeof factory !== 'function') {
    throw new CannotRun(`${name} must have a function as its default export: (options) => driver`);
  }
  return asDriver(name, await callOrThrowCannotRun(`the default export of ${name}`, timeoutMs, () => factory(options)));
}

/** True if the stack of an error contains the driver's file, which means that the driver probably caused the error. */
export function isThrownByDriver(file: string | undefined, stack: string | undefined): boolean {
  return file !== undefined && stack?.includes(pathToFileURL(resolve(file)).href) === true;
}
