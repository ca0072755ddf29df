// Installs the packed package with npm into new projects, as users do, and runs it. Run by `npm run test:consumers`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clone,
  emptyProject,
  exampleIn,
  install,
  root,
  run,
  runCases,
  sizeOf,
  skipUnlessVitestRuns,
  startSimulator,
  succeed,
} from '../support/user-project.mjs';

/** Limits for an installation of the simulator alone. */
const maxPackages = 100;
const maxMegabytes = 30;

/** Section of the clauses that the test runners run, and its number of tests. */
const section = 'INV-STATS';
const testsInSection = 36;

/** Test runners, the example of docs/contract.md that each runs, and the pattern of its output if all tests pass. */
const runners = {
  ...Object.fromEntries(
    ['3.2', '4', '5'].map((version) => [
      `vitest ${version}`,
      {
        packages: [`vitest@${version}`],
        file: 'billing.vitest.test.mjs',
        args: ['vitest', 'run', '-t', section],
        passedOutput: new RegExp(`Tests .*\\b${testsInSection} passed`),
        skipIfUnsupported: () => skipUnlessVitestRuns(version),
      },
    ]),
  ),
  'node:test': {
    packages: [],
    file: 'billing.contract.node.mjs',
    args: ['node', '--test', '--test-reporter=tap', `--test-name-pattern=${section}`],
    passedOutput: new RegExp(`^# pass ${testsInSection}$`, 'm'),
  },
  Jest: {
    packages: ['jest@30'],
    file: 'billing.contract.test.mjs',
    args: ['jest', '-t', section],
    env: { NODE_OPTIONS: '--experimental-vm-modules' },
    passedOutput: new RegExp(`Tests: .*\\b${testsInSection} passed`),
  },
  Playwright: {
    packages: ['@playwright/test@1'],
    file: 'billing.contract.spec.mjs',
    args: ['playwright', 'test', '-g', section],
    passedOutput: new RegExp(`\\b${testsInSection} passed`),
  },
};

const cases = {
  'the simulator alone': async (tarball) => {
    const project = emptyProject('alone');
    expectEqual(install(project, tarball), '', 'warnings of npm');
    const { packages, megabytes } = sizeOf(project);
    const size = `${packages} package${packages === 1 ? '' : 's'}, ${megabytes.toFixed(1)} MB`;
    if (packages > maxPackages || megabytes > maxMegabytes) throw new Error(`too large: ${size}`);
    const { stop } = await startSimulator('npx', ['billing-sim', 'start'], project);
    stop();
    return size;
  },
  'a global installation': async (tarball) => {
    const prefix = emptyProject('global');
    succeed('npm', ['install', '--global', '--prefix', prefix, tarball]);
    const { stop } = await startSimulator(join(prefix, 'bin/billing-sim'), ['start'], prefix);
    stop();
  },
  'stateless responses': async (tarball) => {
    const project = emptyProject('prism');
    install(project, tarball);
    const { url, stop } = await startSimulator('npx', ['billing-sim', 'start'], project);
    const headers = { Authorization: 'Bearer demo_full', Prefer: 'code=404' };
    const { status } = await fetch(`${url}/api/v1/invoices/1`, { headers });
    stop();
    expectEqual(status, 404, 'the preferred status');
  },
  'npm ci --omit=dev in a clone': async () => {
    const folder = clone();
    succeed('npm', ['ci', '--omit=dev'], { cwd: folder });
    const { status, stderr } = run('node', ['dist/cli.js', 'start'], { cwd: folder });
    if (status !== 2 || !/^error: billing-sim is not built, .+ run npm ci/.test(stderr)) throw new Error(stderr);
  },
  ...Object.fromEntries(
    Object.entries(runners).map(([name, runner]) => [
      `the contract in ${name}`,
      async (tarball) => {
        runner.skipIfUnsupported?.();
        const project = emptyProject(name.replace(/\W/g, '-'));
        install(project, tarball, ...runner.packages);
        await checkRunner(project, runner);
      },
    ]),
  ),
  'the contract in vitest, with a linked clone': async () => {
    const { 'vitest 4': runner } = runners;
    const project = emptyProject('linked');
    install(project, root, ...runner.packages);
    await checkRunner(project, runner);
  },
};

/** Checks that the example passes against a simulator, and that it reports a fault as a violation. */
async function checkRunner(project, { file, args, env, passedOutput }) {
  writeFileSync(join(project, file), exampleIn('contract.md', file));
  const { url, stop } = await startSimulator('npx', ['billing-sim', 'start'], project);
  try {
    const [command, ...commandArgs] = args[0] === 'node' ? [process.execPath, ...args.slice(1)] : ['npx', ...args];
    const suiteEnv = { BILLING_BASE_URL: `${url}/api/v1`, BILLING_TOKEN: 'demo_full', NO_COLOR: '1', CI: '1', ...env };
    const runSuite = () => run(command, [...commandArgs, file], { cwd: project, env: suiteEnv });
    const conforming = runSuite();
    if (conforming.status !== 0 || !passedOutput.test(conforming.stdout + conforming.stderr))
      throw new Error(`ended with ${conforming.status}:\n${conforming.stdout}${conforming.stderr}`);
    const fault = 'patch=[{"op":"replace","path":"/data/total_invoices","value":"9"}]';
    succeed('npx', ['billing-sim', 'fault', 'add', fault, '--operation', 'getInvoiceStats', '--url', url], {
      cwd: project,
    });
    const violating = runSuite();
    if (
      violating.status === 0 ||
      !/expected `data\.total_invoices` to be an integer/.test(violating.stdout + violating.stderr)
    )
      throw new Error(`a violated clause ended with ${violating.status}:\n${violating.stdout}${violating.stderr}`);
  } finally {
    stop();
  }
}

function expectEqual(actual, expected, subject) {
  if (actual !== expected) throw new Error(`${subject}: expected ${expected || 'none'}, got ${actual}`);
}

await runCases('npm run test:consumers', cases);
