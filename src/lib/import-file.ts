import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports a module that a user wrote. @returns its exports */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(resolve(path)).href);
}
