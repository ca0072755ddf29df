import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports a module of the user. @returns what it exports */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(resolve(path)).href);
}
