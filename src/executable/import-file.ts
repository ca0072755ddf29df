import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import type * as packageModule from '../lib/import-file.js';

// In an executable, `import()` finds only the modules of Node. A script with the default loader can import files, too.
const script = new Script('(url) => import(url)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

/** Imports a module of the user. In the executable, this function replaces that of `src/lib/import-file.ts`. */
export const importFile: typeof packageModule.importFile = (path) =>
  script.runInThisContext()(pathToFileURL(resolve(path)).href);
