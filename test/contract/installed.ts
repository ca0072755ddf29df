import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** The environment without the variables that this run of vitest has set. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|BILLING|NODE_ENV|TEST$)/.test(name)),
);

/** A file of an integrator who runs the suite in a vitest run of their own. */
const ownTest = (baseUrl: string): string => `import { contractSuite } from 'billing-sim/contract';
contractSuite({ baseUrl: '${baseUrl}', token: 'demo_full', only: ['INV-STATS'] });
`;

const ownTypes = `import { type ContractOptions, contractSuite, type Driver } from 'billing-sim/contract';
import { test } from 'vitest';

const driver: Driver = { payLink: async (link) => link['id'], createCustomer: async () => ({ id: 1 }) };
const options: ContractOptions = { baseUrl: 'http://a.example/api/v1', token: 'a', driver, pace: 30 };
contractSuite(options);
// @ts-expect-error what is told between the threads of a run is nobody else's
test('meta', ({ task }) => task.meta.contract);
`;

/** Sees to it that the suite runs from a folder that the package was installed into, against a simulator. */
export async function checkInstalledSuite(folder: string, baseUrl: string): Promise<void> {
  const elsewhere = join(folder, 'some', 'where');
  mkdirSync(elsewhere, { recursive: true });
  const contents = (): string[] => readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const before = contents();

  const bin = join(folder, 'node_modules/.bin');
  const flags = ['contract', '--base-url', baseUrl, '--token', 'demo_full', '--only', 'INV-STATS'];
  const { stdout } = await run(join(bin, 'billing-sim'), flags, { cwd: elsewhere, env });
  expect(stdout).toMatch(/\nverified 23 of 23 documented clauses \(100 %\)/);
  expect(stdout).toMatch(/\nexit code 0: /);
  // The installation may be in a read-only folder.
  expect(contents()).toEqual(before);

  writeFileSync(join(folder, 'contract.test.mjs'), ownTest(baseUrl));
  const own = await run(join(bin, 'vitest'), ['run', '--reporter=json', 'contract.test.mjs'], { cwd: folder, env });
  const { numTotalTests, numPassedTests, testResults } = JSON.parse(own.stdout);
  expect({ numTotalTests, numPassedTests }).toEqual({ numTotalTests: 27, numPassedTests: 27 });
  expect(testResults[0].assertionResults[0].fullName).toMatch(/^\S.+ INV-STATS-\d\d .+\.$/);

  writeFileSync(join(folder, 'contract.types.mts'), ownTypes);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    'contract.types.mts',
  ];
  const types = await run(process.execPath, [compiler, ...options], { cwd: folder, env }).catch((error) => error);
  expect(types.stdout).toBe('');
}
