// Runs the examples and samples of test frameworks, or versions of them, that are not installed in this repository. For
// each one, it creates a project and installs billing-sim as npm would publish it. It also installs the examples that have
// a package.json as their READMEs say. Playwright uses the Chromium at CHROMIUM_PATH or in /usr/bin, or its own. See
// --help.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  emptyProject,
  exampleIn,
  install,
  root,
  run,
  runCases,
  skipUnlessVitestRuns,
  succeed,
} from '../support/user-project.mjs';

const vitestSamples = 'test/library/test-frameworks/samples';
const playwrightSamples = 'test/frameworks/samples';
const jestSamples = 'test/frameworks/jest-samples';

const vitest = (args) => ['node_modules/vitest/vitest.mjs', 'run', ...args];
const playwright = (args) => ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list', ...args];

/** Matches the log of an account that a failed test prints. */
const accountLog =
  /billing-sim: account account-\d+, clock .+\n *1 request:\n *404 GET \/api\/v1\/deposits\/9: Deposit not found\n/;

const jest = (file) => ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', file];
const jestRuns = [
  { args: jest('deposit'), code: 0, output: /\b1 passed/ },
  {
    args: jest('failing'),
    code: 1,
    output: accountLog,
    logCount: 1,
    trace: /^traces\/failing-test-js-fails-[0-9a-f]{8}\.html$/,
  },
  {
    args: jest('hook'),
    code: 1,
    output: accountLog,
    logCount: 1,
    trace: /^traces\/hook-test-js-[0-9a-f]{8}\.html$/,
  },
];
const jestConfig = { testEnvironment: 'billing-sim/jest', testEnvironmentOptions: { traceFolder: 'traces' } };

/** Stands for all TypeScript files of the project in the arguments of a run. */
const allFiles = 'ALL-FILES';

/**
 * Each project has `folders` of the repository that are copied into it, `packages` besides billing-sim, and `runs` of
 * Node. It may have further `files`, as texts by name, and `settings` of its package.json. `edit` changes the text of the
 * copied files; `skipIfUnsupported` skips the project if this Node cannot run it.
 * A run has its expected exit `code`, and may have a pattern of its `output`, the number of account logs that it prints
 * (`logCount`), and a pattern for the path of the only trace that it adds (`trace`).
 */
const projects = {
  'vitest-3': vitestProject('3.2'),
  'vitest-4.0': vitestProject('4.0'),
  'vitest-5': vitestProject('5'),
  playwright: {
    folders: ['examples/playwright', playwrightSamples],
    packages: ['@playwright/test@1', '@types/node@20', 'typescript@7'],
    runs: [
      { args: playwright(['deposit', 'passing', 'simulator-options']), code: 0, output: /\b5 passed/ },
      {
        args: playwright(['failing']),
        code: 1,
        output: accountLog,
        logCount: 1,
        trace: /^test-results\/.*billing-sim-trace\.html$/,
      },
      { args: typeCheck(['--module', 'preserve', '--moduleResolution', 'bundler']), code: 0 },
    ],
  },
  jest: {
    folders: ['examples/jest', jestSamples],
    settings: { jest: { ...jestConfig, transform: {} } },
    packages: ['jest@30'],
    runs: jestRuns,
  },
  'jest-29': {
    folders: ['examples/jest', jestSamples],
    settings: { jest: { ...jestConfig, transform: {} } },
    packages: ['jest@29'],
    runs: jestRuns,
  },
  'jest-with-ts-jest': {
    folders: [jestSamples],
    settings: { type: 'commonjs' },
    files: {
      'deposit.test.ts': exampleIn('test-frameworks.md', 'deposit.commonjs.test.ts'),
      'jest.config.json': JSON.stringify({ ...jestConfig, preset: 'ts-jest' }),
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "isolatedModules": true, "types": ["jest"] } }',
    },
    packages: ['jest@30', 'ts-jest@29', 'typescript@5.9', '@types/jest@30'],
    runs: jestRuns,
  },
  'jest-with-babel-jest': {
    folders: [jestSamples],
    settings: { type: 'commonjs', jest: jestConfig },
    files: {
      'deposit.test.ts': exampleIn('test-frameworks.md', 'deposit.commonjs.test.ts'),
      'babel.config.json':
        '{ "presets": [["@babel/preset-env", { "targets": { "node": "current" } }], "@babel/preset-typescript"] }',
    },
    packages: ['jest@30', '@babel/core@7', '@babel/preset-env@7', '@babel/preset-typescript@7'],
    runs: jestRuns,
  },
};

/** Examples that install billing-sim from the clone that they are in, each with the arguments of a run of Node. */
const clonedExamples = {
  // Lists the tests, which needs no browser.
  playwright: playwright(['--list']),
  jest: jest('deposit'),
};

function vitestProject(version) {
  const isBefore5 = version !== '5';
  return {
    folders: ['examples/typescript', vitestSamples],
    skipIfUnsupported: () => skipUnlessVitestRuns(version),
    // Before vitest 4.1, `override` is called `scoped`; the versions below 5 that are tested are older.
    edit: (text) => (isBefore5 ? text.replaceAll('.override(', '.scoped(') : text),
    packages: [
      `vitest@${version}`,
      ...(isBefore5 ? ['@types/node@20', 'typescript@5.9'] : ['@types/node@22', 'typescript@7']),
    ],
    runs: [
      {
        args: vitest(['passing', 'simulator-options', 'booking', 'deposit', 'handler']),
        code: 0,
        output: /\b12 passed/,
      },
      {
        args: vitest(['failing']),
        code: 1,
        output: /billing-sim: account account-\d+, clock frozen at/,
        logCount: 1,
        trace: /^traces\/failing-sample-ts-fails-[0-9a-f]{8}\.html$/,
      },
      { args: typeCheck(['--module', 'nodenext']), code: 0 },
    ],
  };
}

/** The compiler's arguments for all files of a project, whose types it takes from the installed packages. */
function typeCheck(options) {
  const strict = '--noEmit --strict --exactOptionalPropertyTypes --target es2023 --types node --skipLibCheck';
  return ['node_modules/typescript/bin/tsc', ...strict.split(' '), ...options, allFiles];
}

const browsers = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const browser = browsers.find((path) => path && existsSync(path));
const env = {
  NO_COLOR: '1',
  SAMPLE_TRACES: 'traces',
  ...(browser ? { CHROMIUM_PATH: browser } : {}),
};

/** Creates a project, installs its packages, and does its runs. @throws Error if the result of a run is unexpected */
function checkProject(
  name,
  { folders, files = {}, settings = {}, edit = (text) => text, packages, runs, skipIfUnsupported },
  tarball,
) {
  skipIfUnsupported?.();
  const [packageJson] = folders.map((folder) => join(root, folder, 'package.json')).filter((file) => existsSync(file));
  const { devDependencies: _devDependencies, ...exampleSettings } = packageJson
    ? JSON.parse(readFileSync(packageJson, 'utf8'))
    : {};
  const project = emptyProject(name, { ...exampleSettings, ...settings });
  for (const folder of folders) cpSync(join(root, folder), project, { recursive: true, filter: isNotPackageJson });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  for (const file of typeScriptFilesIn(project)) {
    writeFileSync(join(project, file), edit(readFileSync(join(project, file), 'utf8')));
  }
  install(project, tarball, ...packages);

  for (const { args, code, output: expectedOutput = /^/, logCount, trace } of runs) {
    const nodeArgs = args.flatMap((arg) => (arg === allFiles ? typeScriptFilesIn(project) : [arg]));
    const earlierTraces = tracesIn(project);
    const { status, stdout, stderr } = run(process.execPath, nodeArgs, { cwd: project, env });
    const output = `${stdout}${stderr}`;
    const actualLogCount = output.match(/billing-sim: account /g)?.length ?? 0;
    const traces = tracesIn(project).filter((path) => !earlierTraces.includes(path));
    const hasExpectedTrace = trace === undefined || (traces.length === 1 && trace.test(traces[0]));
    const hasExpectedLogCount = logCount === undefined || actualLogCount === logCount;
    if (status !== code || !expectedOutput.test(output) || !hasExpectedLogCount || !hasExpectedTrace)
      throw new Error(
        `node ${args.join(' ')}: exit code ${status}, expected ${code}, output like ${expectedOutput} and the trace ${trace}, got the traces ${traces.join(', ')}; account logs: ${actualLogCount}, expected ${logCount}\n${output}`,
      );
  }
}

/** Installs an example in a copy of the clone, as its README says, and runs it. @throws Error if it fails */
function checkClonedExample(name, args, tarball) {
  const clone = emptyProject(`clone-with-${name}`);
  succeed('tar', ['-xzf', tarball, '--strip-components=1', '-C', clone]);
  const example = join(clone, 'examples', name);
  cpSync(join(root, 'examples', name), example, { recursive: true });
  install(example);
  succeed(process.execPath, args, { cwd: example, env });
}

/** Excludes package.json, which `checkProject` merges into the package.json of the new project. */
const isNotPackageJson = (file) => !file.endsWith('package.json');

/** Lists the saved traces, as paths in the project. */
function tracesIn(project) {
  const folders = ['traces', 'test-results'].filter((name) => existsSync(join(project, name)));
  return folders.flatMap((name) =>
    readdirSync(join(project, name), { recursive: true })
      .filter((file) => file.endsWith('.html'))
      .map((file) => `${name}/${file}`),
  );
}

function typeScriptFilesIn(project) {
  return readdirSync(project).filter((file) => file.endsWith('.ts'));
}

await runCases('npm run test:frameworks', {
  ...Object.fromEntries(
    Object.entries(projects).map(([name, project]) => [name, (tarball) => checkProject(name, project, tarball)]),
  ),
  ...Object.fromEntries(
    Object.entries(clonedExamples).map(([name, args]) => [
      `the example for ${name}, as its README installs it`,
      (tarball) => checkClonedExample(name, args, tarball),
    ]),
  ),
});
