import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { clauses as suiteClauses } from '../../src/contract/sections/clauses.js';
import { envWithoutTestVariables } from './run-cli.js';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const typesFolder = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

/** Returns the text of a user's test file, which runs the suite as vitest tests. */
const testFileText = (baseUrl: string): string => `import { contractSuite } from 'billing-sim/contract';
contractSuite({ baseUrl: '${baseUrl}', token: 'demo_full', only: ['INV-STATS'] });
`;

/** A user's TypeScript file, which must compile against the types of the package. */
const typesFileText = `import { test as nodeTest } from 'node:test';
import { type ContractOptions, clauses, contractSuite, type Driver } from 'billing-sim/contract';
import { test } from 'vitest';

const driver: Driver = { payLink: async (link) => link['id'], createCustomer: async () => ({ id: 1 }) };
const options: ContractOptions = { baseUrl: 'http://a.example/api/v1', token: 'a', driver, pace: 30 };
contractSuite(options);
const clausesWithCallback = clauses({
  ...options,
  onResult: ({ status, title }) => {
    if (status === 'warned') console.warn(title);
  },
});
for (const clause of clausesWithCallback) nodeTest(clause.title, clause.check);
for (const clause of clauses(options)) test(clause.title, { timeout: clause.timeout }, clause.check);
`;

/**
 * Checks a package that was installed into a folder: its contract suite runs against a simulator, from the command line
 * and as vitest tests, and its types compile.
 */
export async function checkInstalledSuite(folder: string, baseUrl: string): Promise<void> {
  const env = envWithoutTestVariables();
  // Not the folder of the installation, in which the command could find its files by relative paths.
  const workingFolder = join(folder, 'some', 'where');
  mkdirSync(workingFolder, { recursive: true });
  const installedFiles = (): string[] =>
    readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const filesBeforeRun = installedFiles();

  const bin = join(folder, 'node_modules/.bin');
  const flags = ['contract', '--base-url', baseUrl, '--token', 'demo_full', '--only', 'INV-STATS'];
  const { stdout } = await run(join(bin, 'billing-sim'), flags, { cwd: workingFolder, env });
  expect(stdout).toMatch(/\nverified (\d+) of \1 documented clauses \(100%\)/);
  expect(stdout).toMatch(/\nexit code 0: /);
  // The run must not write into the installation, which may be read-only.
  expect(installedFiles()).toEqual(filesBeforeRun);

  writeFileSync(join(folder, 'contract.test.mjs'), testFileText(baseUrl));
  const vitestRun = await run(join(bin, 'vitest'), ['run', '--reporter=json', 'contract.test.mjs'], {
    cwd: folder,
    env,
  });
  const { numTotalTests, numPassedTests, testResults } = JSON.parse(vitestRun.stdout);
  const count = suiteClauses.filter(({ id }) => id.startsWith('INV-STATS')).length;
  expect({ numTotalTests, numPassedTests }).toEqual({ numTotalTests: count, numPassedTests: count });
  expect(testResults[0].assertionResults[0].fullName).toMatch(/^\S.+ INV-STATS-\d\d .+\.$/);

  writeFileSync(join(folder, 'contract.types.mts'), typesFileText);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--typeRoots',
    typesFolder,
    'contract.types.mts',
  ];
  // The compiler prints errors to stdout, and then exits with a code other than 0.
  const compilation = await run(process.execPath, [compiler, ...options], { cwd: folder, env }).catch((error) => error);
  expect(compilation.stdout).toBe('');
}
