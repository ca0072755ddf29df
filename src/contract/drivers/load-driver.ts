import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importFile } from '../../lib/import-file.js';
import { memberOf } from '../../lib/json.js';
import { CannotRun } from '../engine/cannot-run.js';
import type { DriverOptions, LoadedDriver } from './driver.js';
import { asDriver, callOrThrowCannotRun } from './make-driver.js';

/**
 * Imports a module, and creates a driver by calling its default export.
 * @param timeoutMs limits the import of the module, and separately the creation of the driver
 * @throws CannotRun
 */
export async function loadDriver(file: string, options: DriverOptions, timeoutMs: number): Promise<LoadedDriver> {
  const name = `the driver ${file}`;
  // Checked here, since Node's message for a missing module would name the importing file of this package.
  if (!existsSync(file)) throw new CannotRun(`cannot read ${name}: no such file`);
  const module = await callOrThrowCannotRun(`loading ${name}`, timeoutMs, () => importFile(file));
  const factory = memberOf(module, 'default');
  if (typeof factory !== 'function') {
    throw new CannotRun(`${name} must have a function as its default export: (options) => driver`);
  }
  return asDriver(name, await callOrThrowCannotRun(`the default export of ${name}`, timeoutMs, () => factory(options)));
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
