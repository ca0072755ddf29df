// Bundles the command into one CommonJS file and writes the configuration from which Node makes a single executable:
// `node scripts/bundle-executable.mjs FOLDER`, after `npm run build`. build-executable.mjs goes on from there.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licensesInto } from '../rolldown.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const prismFile = 'dist/deferred/prism.cjs';

/** Files that the program reads while it runs, by their paths in the package. */
const assets = [
  ...filesIn('dist/assets'),
  ...filesIn('dist/swagger-ui'),
  ...filesIn('openapi', '.schema.json'),
  ...filesIn('fixtures/accounts', '.schema.json'),
  ...filesIn('fixtures/scenarios', '.schema.json'),
  prismFile,
];

function filesIn(folder, ending = '') {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(ending));
  return names.map((name) => `${folder}/${name}`);
}

const replacements = new Map(
  readdirSync(join(root, 'src/executable')).map((name) => [
    join(root, 'src/lib', name),
    join(root, 'src/executable', name),
  ]),
);

/** Replaces modules of src/lib by those of the same name in src/executable. The filter spares a call for most other modules. */
const executableModules = {
  name: 'executable-modules',
  load: {
    filter: { id: /[\\/]src[\\/]lib[\\/][^\\/]+$/ },
    handler(id) {
      const replacement = replacements.get(id);
      return replacement === undefined ? null : `export * from ${JSON.stringify(replacement)};`;
    },
  },
};

/** Keeps prism-http out of the main bundle, so that not every start reads it. It is compiled when it is first used. */
const prismFromAsset = {
  name: 'prism-from-asset',
  resolveId: { filter: { id: /^@stoplight\/prism-http$/ }, handler: () => '\0prism' },
  load: { filter: { id: /^\0prism$/ }, handler: () => prismModule },
};

const prismModule = `
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { readPackageFile } from ${JSON.stringify(join(root, 'src/lib/read-package-file.ts'))};
const module = { exports: {} };
const text = String(readPackageFile(${JSON.stringify(prismFile)}));
const define = compileFunction(text, ['module', 'exports', 'require'], { filename: 'prism.cjs' });
define(module, module.exports, createRequire(process.execPath));
export const { createInstance, getHttpOperationsFromSpec } = module.exports;`;

const textOf = (path) => readFileSync(join(root, path), 'utf8').trim();

/** @returns the configuration of the executable, with absolute paths, and the file with the licences of what is in it */
export async function bundleExecutable(folder) {
  const main = join(folder, 'billing-sim.cjs');
  const licenses = join(folder, 'third-party-licenses.txt');
  const packageLicenses = textOf('dist/third-party-licenses.txt');
  const swaggerLicenses = ['NOTICE', 'LICENSE'].map((name) => textOf(`dist/swagger-ui/${name}`));
  const bundle = await rolldown({
    input: join(root, 'src/executable/main.ts'),
    cwd: root,
    platform: 'node',
    logLevel: 'warn',
    plugins: [
      executableModules,
      prismFromAsset,
      licensesInto(licenses, [packageLicenses, ...swaggerLicenses].join('\n\n')),
    ],
  });
  await bundle.write({ file: main, format: 'cjs', codeSplitting: false, comments: false });
  await bundle.close();
  const config = {
    main,
    assets: Object.fromEntries(assets.map((path) => [path, join(root, path)])),
    execArgv: [
      // Node warns about `importModuleDynamically`, which is needed to import a module of the user.
      '--disable-warning=ExperimentalWarning',
      // Node warns about the `url.parse()` of prism-http, since it is bundled and no longer in node_modules.
      '--disable-warning=DEP0169',
    ],
  };
  writeFileSync(join(folder, 'sea-config.json'), JSON.stringify(config, undefined, 2));
  return { config, licenses };
}

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url)) await bundleExecutable(folder);
