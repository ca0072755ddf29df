import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from './support/temp-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders and files that `npm run generate`, the first step of the build, reads. */
const sources = ['openapi', 'fixtures', 'src', 'test/support', 'package.json', 'tsconfig.json'];

/** Those of them that are read before the path is checked. */
const scripts = ['openapi', 'test/support', 'package.json'];

const isGenerated = (path: string): boolean => path === join(root, 'src/generated');

const generate = ['openapi/generate.mjs'];

/** The module with which scripts of the repository load its sources. */
const loadSource = ['--input-type=module', '--eval', "await import('./test/support/load-source.mjs')"];

/** Copies files into a folder with this name, and runs Node there. @returns the folder */
async function runIn(folderName: string, files: readonly string[], args: readonly string[]): Promise<string> {
  const clone = join(tempFolder(), folderName);
  for (const file of files)
    cpSync(join(root, file), join(clone, file), { recursive: true, filter: (path) => !isGenerated(path) });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  await promisify(execFile)(process.execPath, args, { cwd: clone });
  return clone;
}

test('sources are generated in a folder whose path has spaces and other characters that URLs encode', async () => {
  const clone = await runIn("José's projects (100%41) [1]", sources, generate);
  const contentsIn = (folder: string): [name: string, text: string][] =>
    readdirSync(join(folder, 'src/generated')).map((name) => [
      name,
      readFileSync(join(folder, 'src/generated', name), 'utf8'),
    ]);
  expect(contentsIn(clone)).toEqual(contentsIn(root));
});

test.each([
  ['C#', generate],
  ['why?', loadSource],
])('in a folder called %s, from which Vite cannot load modules, the error says so', async (name, args) => {
  await expect(runIn(name, scripts, args)).rejects.toThrow(
    'Vite cannot load modules from a path with # or ?. Move this folder:',
  );
});
