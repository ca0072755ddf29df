import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from './temp-folder.js';

/** Module that appends the URL of each imported module to the file named by the environment variable LOADED. */
const hook = `import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  appendFileSync(process.env.LOADED, resolved.url + '\\n');
  return resolved;
}`;
const dataUrlOf = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
/**
 * Module that registers the hook above, and also appends the URL of each file loaded by `require()`, which the hook
 * misses.
 */
const preload = dataUrlOf(`import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
import { pathToFileURL } from 'node:url';
register(${JSON.stringify(dataUrlOf(hook))});
const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
  appendFileSync(process.env.LOADED, pathToFileURL(file).href + '\\n');
  load(module, file);
};`);

/**
 * Runs Node with arguments, and returns the URLs of the modules that it loads, in order. A program may append other
 * lines, such as markers, to the file named by the environment variable LOADED; they are returned too.
 */
export async function loadedModules(...args: string[]): Promise<string[]> {
  const file = join(tempFolder(), 'loaded');
  await promisify(execFile)(process.execPath, ['--import', preload, ...args], {
    env: { ...process.env, LOADED: file },
  });
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
