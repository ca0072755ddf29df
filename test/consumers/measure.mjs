// Measures how large an installation is and how long the first steps take, on this machine: `npm run measure:install`.
// npm takes packages from its cache where it can, so a second run is faster than a first one.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clone,
  emptyProject,
  exampleIn,
  install,
  isNpmReachable,
  pack,
  root,
  run,
  sizeOf,
  startSimulator,
  succeed,
} from '../support/user-project.mjs';

if (!isNpmReachable()) {
  console.log('skipped: npm cannot fetch packages, which is what this measures');
  process.exit();
}

const tarball = pack();
const now = () => performance.now() / 1_000;

/** Runs a step, and returns the seconds that it takes. */
async function secondsOf(step) {
  const startedAt = now();
  await step();
  return now() - startedAt;
}

const print = (subject, figure) => console.log(`${subject.padEnd(54)} ${figure}`);

for (const [name, ...packages] of [
  ['the simulator'],
  ['with the contract suite', 'supertest@7'],
  ['with the contract suite in vitest', 'supertest@7', 'vitest@4'],
  ['with stateless responses and the proxy', '@stoplight/prism-http@5.12.0'],
]) {
  const project = emptyProject(`size-${packages.length}-${name.length}`);
  install(project, tarball, ...packages);
  const { packages: count, megabytes } = sizeOf(project);
  print(`installed: ${name}`, `${count} package${count === 1 ? '' : 's'}, ${megabytes.toFixed(0)} MB`);
}

const started = emptyProject('started');
install(started, tarball);
const start = async () => (await startSimulator('npx', ['billing-sim', 'start'], started)).stop();
await start();
print('npx billing-sim start, to the first answer', `${(await secondsOf(start)).toFixed(1)} s`);

let cloned = '';
const fromClone = await secondsOf(async () => {
  cloned = clone();
  succeed('npm', ['ci', '--prefer-offline'], { cwd: cloned });
  (await startSimulator('node', ['dist/cli.js', 'start'], cloned)).stop();
});
print('git clone, npm ci and npm start, to the first answer', `${fromClone.toFixed(0)} s`);

const tested = emptyProject('tested');
copyFileSync(join(root, 'examples/node-test/deposit.test.mjs'), join(tested, 'deposit.test.mjs'));
const firstTest = await secondsOf(() => {
  install(tested, tarball);
  const { status, stdout, stderr } = run(process.execPath, ['--test', 'deposit.test.mjs'], { cwd: tested });
  if (status !== 0) throw new Error(stdout + stderr);
});
print('npm install, to the first green test (node:test)', `${firstTest.toFixed(1)} s`);

const contract = emptyProject('contract');
writeFileSync(join(contract, 'billing.vitest.test.mjs'), exampleIn('contract.md', 'billing.vitest.test.mjs'));
const { url, stop } = await startSimulator('npx', ['billing-sim', 'start'], started);
const suite = await secondsOf(() => {
  install(contract, tarball, 'supertest@7', 'vitest@4');
  succeed('npx', ['vitest', 'run', '-t', 'INV-STATS', 'billing.vitest.test.mjs'], {
    cwd: contract,
    env: { BILLING_BASE_URL: `${url}/api/v1`, BILLING_TOKEN: 'demo_full' },
  });
});
stop();
print('npm install, to a green contract section in vitest', `${suite.toFixed(1)} s`);
process.exit();
