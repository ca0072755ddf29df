// Bundles the command into one CommonJS file, and writes the configuration from which Node builds a single executable.
// build-executable.mjs uses it. It also runs alone after `npm run build`: `node scripts/bundle-executable.mjs FOLDER`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licensesInto } from '../rolldown.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const prismFile = 'dist/deferred/prism.cjs';

/** Paths in the package of the files that the program reads at run time. */
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

/** Modules of src/executable by the path of the module in src/lib that each one replaces. */
const replacements = new Map(
  readdirSync(join(root, 'src/executable')).map((name) => [
    join(root, 'src/lib', name),
    join(root, 'src/executable', name),
  ]),
);

/** Plugin that replaces modules of src/lib with the modules of the same name in src/executable. */
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

/**
 * Plugin that loads prism-http from an asset when it is first used, so that a start that does not use it need not read
 * and compile it.
 */
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

const readText = (path) => readFileSync(join(root, path), 'utf8').trim();

/**
 * Writes the bundle, its configuration and the licenses of its packages into a folder.
 * @returns the configuration, with absolute paths, and the path of the licenses
 */
export async function bundleExecutable(folder) {
  const main = join(folder, 'billing-sim.cjs');
  const licenses = join(folder, 'third-party-licenses.txt');
  const packageLicenses = readText('dist/third-party-licenses.txt');
  const swaggerLicenses = ['NOTICE', 'LICENSE'].map((name) => readText(`dist/swagger-ui/${name}`));
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
    // Node warns about `importModuleDynamically`, which is needed to import a user's module.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  };
  writeFileSync(join(folder, 'sea-config.json'), JSON.stringify(config, undefined, 2));
  return { config, licenses };
}

const [, script, folder] = process.argv;
if (script === fileURLToPath(import.meta.url)) await bundleExecutable(folder);
