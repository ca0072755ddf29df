// Bundles the program and the library, so that a start loads a dozen files instead of four hundred.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Writes the licences of the bundled packages, which ask for being passed on, into one file. */
const thirdPartyLicenses = {
  name: 'third-party-licenses',
  generateBundle() {
    const folders = [...this.getModuleIds()].map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
    const notices = [...new Set(folders)].filter(Boolean).sort().map(noticeOf);
    this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source: notices.join('\n\n') });
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

export default defineConfig({
  input: { cli: 'src/cli.ts', index: 'src/index.ts', 'contract/index': 'src/contract/index.ts' },
  platform: 'node',
  logLevel: 'warn',
  plugins: [thirdPartyLicenses],
  // What is installed with the package is loaded from there; the development dependencies are bundled.
  external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
  output: {
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name].js',
    sourcemap: true,
    // The package does not contain its sources; names and lines in stack traces are all that is needed.
    sourcemapExcludeSources: true,
  },
});
