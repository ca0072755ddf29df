// Bundles the program and the library, so that a start loads a dozen files instead of four hundred.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const bundledPackages = new Set();

/** Writes the licences of the bundled packages, which ask for being passed on, into one file. */
const thirdPartyLicenses = {
  name: 'third-party-licenses',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
      if (folder !== undefined) bundledPackages.add(folder);
    }
  },
  writeBundle() {
    const notices = [...bundledPackages].sort().map(noticeOf);
    writeFileSync(new URL('dist/third-party-licenses.txt', import.meta.url), notices.join('\n\n'));
  },
};

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder);
  const file =
    files.find((each) => /^(?:licen[cs]e|copying)/i.test(each)) ?? files.find((each) => /^readme/i.test(each));
  if (!license || !file) throw new Error(`${name} is bundled, but its licence is not known`);
  const text = readFileSync(join(folder, file), 'utf8');
  // Some packages have the licence at the end of their readme only.
  const from = Math.max(0, /^readme/i.test(file) ? text.search(/^#+ licen[cs]e/im) : 0);
  return `${name} ${version} (${license})\n\n${text.slice(from).trim()}\n`;
}

/**
 * Packages that a start imports without calling their functions, in groups. Each group is bundled into a file of its own,
 * which the first call of a function loads.
 */
const deferredPackages = {
  ajv: ['ajv/dist/2020.js', 'ajv-formats'],
  'any-ascii': ['any-ascii'],
  express: [
    'accepts',
    'body-parser',
    'content-disposition',
    'cookie',
    'cookie-signature',
    'http-errors',
    'mime-types',
    'qs',
    'send',
    'type-is',
  ],
};

const root = fileURLToPath(new URL('.', import.meta.url));
const { resolve } = createRequire(createRequire(import.meta.url).resolve('express'));
const deferredFile = (group) => join(root, 'dist', 'deferred', `${group}.cjs`);

/** Replaces the functions of deferred packages by ones that load them. */
const deferPackages = {
  name: 'defer-packages',
  resolveId(source) {
    if (source.startsWith(join(root, 'dist'))) return { id: source, external: 'relative' };
    const [group] = Object.entries(deferredPackages).find(([, names]) => names.includes(source)) ?? [];
    return group === undefined ? null : `\0deferred:${group}:${source}`;
  },
  async load(id) {
    const [prefix, group, name] = id.split(':');
    if (prefix !== '\0deferred') return null;
    const { default: exported } = await import(resolve(name));
    const functions = Object.keys(exported).filter((key) => typeof exported[key] === 'function');
    const deferred = (path) =>
      `function (...values) { return new.target ? new (load()${path})(...values) : load()${path}(...values); }`;
    return `
let loaded;
const load = () => (loaded ??= require(${JSON.stringify(deferredFile(group))})[${JSON.stringify(name)}]());
module.exports = ${deferred('')};
${functions.map((key) => `module.exports[${JSON.stringify(key)}] = ${deferred(`[${JSON.stringify(key)}]`)};`).join('\n')}`;
  },
};

/** The entry of a group: its packages by name. Each is evaluated when it is first called. */
const deferredGroup = (names) => ({
  name: 'deferred-group',
  resolveId: (source) => (source === 'group' ? '\0group' : null),
  load(id) {
    if (id !== '\0group') return null;
    const loaders = names.map(
      (name) => `exports[${JSON.stringify(name)}] = () => defaultOf(require(${JSON.stringify(resolve(name))}));`,
    );
    return `const defaultOf = (loaded) => loaded.default ?? loaded;\n${loaders.join('\n')}`;
  },
});

const common = {
  platform: 'node',
  logLevel: 'warn',
  // What is installed with the package is loaded from there; the development dependencies are bundled.
  external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
};
const output = {
  sourcemap: true,
  // The package does not contain its sources; names and lines in stack traces are all that is needed.
  sourcemapExcludeSources: true,
};

export default defineConfig([
  ...Object.entries(deferredPackages).map(([group, names]) => ({
    ...common,
    input: 'group',
    plugins: [deferredGroup(names), thirdPartyLicenses],
    // npm installs several copies of the same version.
    resolve: { alias: { 'mime-types': resolve('mime-types') } },
    output: { ...output, file: deferredFile(group), format: 'cjs' },
  })),
  {
    ...common,
    input: { cli: 'src/cli.ts', index: 'src/index.ts', 'contract/index': 'src/contract/index.ts' },
    plugins: [deferPackages, thirdPartyLicenses],
    output: {
      ...output,
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'chunks/[name].js',
      // A start loads few files. What other commands use is apart, so that they need not load the whole simulator.
      codeSplitting: {
        groups: [
          {
            name: 'common',
            // Few commands listen.
            test: /\/src\/(?:lib\/(?!listen)|domain\/|text\/|commands\/support\/)|html-template/,
            priority: 2,
          },
          { name: 'document', test: /\/src\/(?:generated\/billing-document|openapi\/profile)\.ts$/, priority: 2 },
          { name: 'store', test: /\/src\/(?:store\/|simulation\/state\/references)/, priority: 2 },
          { name: 'webhooks', test: /\/src\/webhooks\//, priority: 2 },
          { name: 'simulator', test: /\/src\/app\/server\.ts$/, priority: 1 },
        ],
      },
    },
  },
]);
