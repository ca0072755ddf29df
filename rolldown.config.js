// Bundles the program and the library, so that a start loads a dozen files instead of four hundred.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const { peerDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/**
 * Writes the licenses of the bundled packages, which have to be distributed with them, into one file.
 * @param others licenses that come first, and are not repeated
 */
export function licensesInto(file, others = '') {
  const bundledPackages = new Set();
  return {
    name: 'third-party-licenses',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
        if (folder !== undefined) bundledPackages.add(folder);
      }
    },
    writeBundle() {
      const notices = [...bundledPackages].sort().map(noticeOf);
      const added = notices.filter((notice) => !others.includes(notice));
      writeFileSync(file, [...(others ? [others] : []), ...added].join('\n\n'));
    },
  };
}

/** Shared by the bundles of the package. */
const thirdPartyLicenses = licensesInto(new URL('dist/third-party-licenses.txt', import.meta.url));

function noticeOf(folder) {
  const { name, version, ...stated } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // Older packages have a list.
  const license = stated.license ?? stated.licenses?.map(({ type }) => type).join(' or ');
  const files = readdirSync(folder);
  const file =
    files.find((each) => /^(?:licen[cs]e|copying)/i.test(each)) ?? files.find((each) => /^readme/i.test(each));
  if (!license || !file) throw new Error(`${name} is bundled, but its license is not known`);
  const text = readFileSync(join(folder, file), 'utf8');
  // Some packages have the license only at the end of their readme.
  const from = Math.max(0, /^readme/i.test(file) ? text.search(/^#+ licen[cs]e/im) : 0);
  return `${name} ${version} (${license})\n\n${text.slice(from).trim()}\n`;
}

/**
 * Packages that a start imports without calling their functions, in groups. Each group is bundled into a separate file,
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
const { resolve: resolvePackage } = createRequire(import.meta.url);
const { resolve } = createRequire(createRequire(import.meta.url).resolve('express'));
const deferredFile = (group) => join(root, 'dist', 'deferred', `${group}.cjs`);

/** Replaces the functions of deferred packages with functions that load the package. */
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
    const { default: exported } = await import(pathToFileURL(resolve(name)));
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

/**
 * prism-http as the proxy and stateless responses use it, in one file instead of 2,900. Left out is what only runs for
 * Postman collections, for documents in YAML files, for the keyword `faker`, which our documents do not have, and when prism
 * itself sends requests.
 */
const prism = createRequire(resolvePackage('@stoplight/prism-http'));
const unusedByPrism = [
  '@faker-js/faker',
  '@stoplight/http-spec/postman/operation',
  'http-proxy-agent',
  'https-proxy-agent',
  'js-yaml',
  'node-fetch',
];

/**
 * The module `url` as prism-http uses it. Node 24 and newer print a warning about `url.parse()` and `url.resolve()` if the
 * caller is not in node_modules, as in a clone or a container.
 */
const legacyUrl = `
const url = require('node:url');
const parse = (text, parseQueryString, slashesDenoteHost) => {
  const parsed = new url.Url();
  parsed.parse(text, parseQueryString, slashesDenoteHost);
  return parsed;
};
const resolve = (from, to) => parse(from, false, true).resolveObject(parse(to, false, true)).format();
module.exports = { ...url, parse, resolve };`;

const prismBundle = {
  name: 'prism-bundle',
  resolveId(source, importer) {
    if (source === 'prism') return '\0prism';
    if (!importer?.includes('/node_modules/')) return null;
    if (source === 'url') return '\0url';
    // The other build of the package calls `require` in a way that no bundler follows.
    if (source === 'jsonc-parser') return prism.resolve(source).replace('/umd/', '/esm/');
    // The same as `lodash`, which is there already.
    if (source === './lodash.min') return createRequire(importer).resolve('./lodash');
    return unusedByPrism.includes(source) ? '\0unused' : null;
  },
  load(id) {
    if (id === '\0prism')
      return `const { createInstance, getHttpOperationsFromSpec } = require(${JSON.stringify(resolvePackage('@stoplight/prism-http'))});
module.exports = { createInstance, getHttpOperationsFromSpec };`;
    if (id === '\0url') return legacyUrl;
    if (id === '\0unused')
      return `module.exports = () => { throw new Error('not part of this build of prism-http'); };`;
    // The module expects `this` to be `module.exports`.
    if (id.includes('/uri-template-lite/'))
      return `(function () {${readFileSync(id, 'utf8')}\n}).call(module.exports);`;
    return null;
  },
};

/** Loads prism-http from its own bundle, and not by import(), which would parse it once more for the names of its exports. */
const bundledPrism = {
  name: 'bundled-prism',
  resolveId: (source) => (source === '@stoplight/prism-http' ? '\0bundled-prism' : null),
  load(id) {
    if (id !== '\0bundled-prism') return null;
    return `
import { createRequire } from 'node:module';
import { packageFile } from ${JSON.stringify(join(root, 'src/lib/package-file.ts'))};
export const { createInstance, getHttpOperationsFromSpec } =
  createRequire(import.meta.url)(packageFile('dist/deferred/prism.cjs'));`;
  },
};

const common = {
  platform: 'node',
  logLevel: 'warn',
  // Test frameworks, which users have anyway. Everything else is bundled.
  external: Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
};

/** The modules that users import: files of src/, and of dist/. */
const entries = [
  'index',
  'contract/index',
  ...['vitest', 'playwright', 'node-test', 'jest'].map((name) => `library/test-frameworks/${name}`),
];
const entriesIn = (folder, extension) =>
  Object.fromEntries(entries.map((name) => [name, `${folder}/${name}.${extension}`]));

/** Makes the command executable. npm does so only when it links the command first, and not after a later build. */
const executableCommand = {
  name: 'executable-command',
  writeBundle: () => chmodSync('dist/cli.js', 0o755),
};

const output = {
  // The licenses are in a separate file.
  comments: false,
  // Bundles do not name their maps, and the package does not contain them: test runners would use them to show frames in
  // files of src/, which the package does not contain either. In a clone, `sourceStack` finds the maps.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
};

export default defineConfig([
  ...Object.entries(deferredPackages).map(([group, names]) => ({
    ...common,
    input: 'group',
    plugins: [deferredGroup(names), thirdPartyLicenses],
    // npm installs several copies of the same version.
    resolve: { alias: { 'mime-types': resolve('mime-types') } },
    output: { ...output, file: deferredFile(group), format: 'cjs', minify: true },
  })),
  {
    ...common,
    input: { prism: 'prism' },
    external: [],
    plugins: [prismBundle, thirdPartyLicenses],
    output: { ...output, sourcemap: false, minify: true, file: deferredFile('prism'), format: 'cjs' },
  },
  {
    ...common,
    input: { cli: 'src/cli.ts', ...entriesIn('src', 'ts') },
    plugins: [bundledPrism, deferPackages, thirdPartyLicenses, executableCommand],
    output: {
      ...output,
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'chunks/[name].js',
      // A start loads few files. What other commands share is separate, so that they need not load the whole simulator.
      codeSplitting: {
        groups: [
          {
            name: 'common',
            // Few commands listen or send requests, which loads the HTTP and TLS of Node.
            test: /\/src\/(?:lib\/(?!listen|keep-alive)|domain\/|text\/|commands\/support\/)|html-template/,
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
  {
    // The types that the compiler has emitted, without those of inner modules.
    input: entriesIn('node_modules/.cache/types', 'd.ts'),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    external: (id) => !/^[./]/.test(id) && !id.startsWith('node_modules/.cache/types'),
    logLevel: 'warn',
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'types/[name].js',
      // For `Symbol.asyncDispose`. Projects of TypeScript 6 and later do not load @types/node, which declares it, by default.
      banner: '/// <reference lib="esnext.disposable" />',
    },
  },
]);
