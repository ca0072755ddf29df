import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import type * as inPackage from '../lib/import-file.js';

// In an executable, `import()` finds only the modules of Node. A script with the default loader can import files, too.
const script = new Script('(url) => import(url)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

/** Imports a module of the user. */
export const importFile: typeof inPackage.importFile = (path) =>
  script.runInThisContext()(pathToFileURL(resolve(path)).href);
