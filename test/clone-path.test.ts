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

const isGenerated = (path: string): boolean => path === join(root, 'src/generated');

/** Copies the sources into a folder with this name, and generates the others there. @returns the folder */
async function generateIn(folderName: string): Promise<string> {
  const clone = join(tempFolder(), folderName);
  for (const source of sources)
    cpSync(join(root, source), join(clone, source), { recursive: true, filter: (path) => !isGenerated(path) });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  await promisify(execFile)(process.execPath, ['openapi/generate.mjs'], { cwd: clone });
  return clone;
}

test('sources are generated in a folder whose path has spaces and other characters that URLs encode', async () => {
  const clone = await generateIn("José's projects (100%41) [1]");
  const contentsIn = (folder: string): [name: string, text: string][] =>
    readdirSync(join(folder, 'src/generated')).map((name) => [
      name,
      readFileSync(join(folder, 'src/generated', name), 'utf8'),
    ]);
  expect(contentsIn(clone)).toEqual(contentsIn(root));
});

test.each(['C#', 'why?'])(
  'in a folder called %s, from which Vite cannot load modules, the error says so',
  async (name) => {
    await expect(generateIn(name)).rejects.toThrow(
      'Vite cannot load modules from a path with # or ?. Move this folder:',
    );
  },
);
