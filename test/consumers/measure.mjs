// Measures how large an installation is and how long a user's first steps take on this machine. Run by
// `npm run measure:install`. npm uses its cache, so a second run is faster than the first one.
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
  console.log('skipped: this measures installations, and npm cannot fetch packages');
  process.exit();
}

const tarball = pack();
const now = () => performance.now() / 1_000;

/** Runs a step, and returns how many seconds it took. */
async function measureSeconds(step) {
  const startedAt = now();
  await step();
  return now() - startedAt;
}

const print = (subject, figure) => console.log(`${subject.padEnd(54)} ${figure}`);

const installations = [
  { name: 'billing-sim', packages: [] },
  { name: 'with vitest', packages: ['vitest@4'] },
];
for (const [index, { name, packages }] of installations.entries()) {
  const project = emptyProject(`installation-${index}`);
  install(project, tarball, ...packages);
  const { packages: count, megabytes } = sizeOf(project);
  print(`installed: ${name}`, `${count} package${count === 1 ? '' : 's'}, ${megabytes.toFixed(0)} MB`);
}

const startProject = emptyProject('started');
install(startProject, tarball);
const start = async () => (await startSimulator('npx', ['billing-sim', 'start'], startProject)).stop();
// Not measured, since the first start fills the caches.
await start();
print('npx billing-sim start, to the first response', `${(await measureSeconds(start)).toFixed(1)} s`);

let cloneFolder = '';
const cloneSeconds = await measureSeconds(async () => {
  cloneFolder = clone();
  succeed('npm', ['ci', '--prefer-offline'], { cwd: cloneFolder });
  (await startSimulator('node', ['dist/cli.js', 'start'], cloneFolder)).stop();
});
print('git clone, npm ci and npm start, to the first response', `${cloneSeconds.toFixed(0)} s`);

const testProject = emptyProject('tested');
copyFileSync(join(root, 'examples/node-test/deposit.test.mjs'), join(testProject, 'deposit.test.mjs'));
const firstTestSeconds = await measureSeconds(() => {
  install(testProject, tarball);
  const { status, stdout, stderr } = run(process.execPath, ['--test', 'deposit.test.mjs'], { cwd: testProject });
  if (status !== 0) throw new Error(stdout + stderr);
});
print('npm install, to the first green test (node:test)', `${firstTestSeconds.toFixed(1)} s`);

const contractProject = emptyProject('contract');
writeFileSync(join(contractProject, 'billing.vitest.test.mjs'), exampleIn('contract.md', 'billing.vitest.test.mjs'));
const { url, stop } = await startSimulator('npx', ['billing-sim', 'start'], startProject);
const contractSeconds = await measureSeconds(() => {
  install(contractProject, tarball, 'vitest@4');
  succeed('npx', ['vitest', 'run', '-t', 'INV-STATS', 'billing.vitest.test.mjs'], {
    cwd: contractProject,
    env: { BILLING_BASE_URL: `${url}/api/v1`, BILLING_TOKEN: 'demo_full' },
  });
});
stop();
print('npm install, to a green contract section in vitest', `${contractSeconds.toFixed(1)} s`);
process.exit();
