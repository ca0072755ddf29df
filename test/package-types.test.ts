import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, test } from 'vitest';
import { tempFolder } from './support/temp-folder.js';

/** Checks the packed tarball, with the tools that publishers of packages use. */

const root = fileURLToPath(new URL('..', import.meta.url));

let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** Packs once, for all tests. */
function pack(): Promise<Uint8Array<ArrayBuffer>> {
  packed ??= packInto(tempFolder());
  return packed;
}

async function packInto(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  // Without scripts, since a new build would replace the one that other tests are using.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root });
  const [{ filename }] = JSON.parse(stdout);
  return new Uint8Array(readFileSync(join(folder, filename)));
}

test('publint finds no problems', async () => {
  const { messages } = await publint({ pack: { tarball: (await pack()).buffer }, strict: true });
  expect(messages).toEqual([]);
});

test('the types of every entry point resolve for ES modules and bundlers', async () => {
  const result = await checkPackage(createPackageFromTarballData(await pack()));
  // False means that the package has no types.
  expect(result.types).not.toBe(false);
  // The package has only ES modules, which Node 20.19 and newer load with `require()`, too. The checker still reports
  // them as problems for CommonJS, because its TypeScript 5.6 does not know that.
  const problems = 'problems' in result ? result.problems : [];
  const problemsOfEsModules = problems.filter(
    (problem) => !('resolutionKind' in problem) || !/^node(?:10|16-cjs)$/.test(problem.resolutionKind),
  );
  expect(problemsOfEsModules).toEqual([]);
});
