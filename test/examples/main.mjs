// Runs the examples in PHP, Python, Ruby, Java and Go against a new simulator. See --help.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSimulator } from 'billing-sim';

const folder = fileURLToPath(new URL('../../examples', import.meta.url));
const output = mkdtempSync(join(tmpdir(), 'billing-sim-examples-'));
process.on('exit', () => rmSync(output, { recursive: true, force: true }));
const junit = process.env.JUNIT_CONSOLE ?? '/usr/share/java/junit-platform-console-standalone.jar';

/**
 * The tools that each example needs, and the commands that run its tests. The command `probe` succeeds if the tool is
 * installed; `package` is its Debian package. The commands write nothing into the folders of the examples.
 */
const examples = {
  php: {
    tools: [{ probe: ['phpunit', '--version'], package: 'phpunit' }],
    run: () => [['phpunit', '--colors=never']],
  },
  python: {
    tools: [{ probe: ['python3', '-m', 'pytest', '--version'], package: 'python3-pytest' }],
    run: () => [['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']],
  },
  ruby: {
    tools: [{ probe: ['ruby', '-e', 'require "minitest"'], package: 'ruby-minitest' }],
    run: () => [['ruby', '-w', 'test/booking_test.rb']],
  },
  java: {
    tools: [
      { probe: ['javac', '-version'], package: 'default-jdk-headless' },
      { probe: ['java', '-jar', junit, '--help'], package: 'junit5' },
    ],
    run: () => [
      ['javac', '-Xlint:all', '-Werror', '-d', join(output, 'java'), '-cp', junit, ...javaSources()],
      [
        'java',
        '-jar',
        junit,
        '--disable-banner',
        '--disable-ansi-colors',
        '--fail-if-no-tests',
        '--class-path',
        join(output, 'java'),
        '--scan-class-path',
      ],
    ],
  },
  go: {
    tools: [{ probe: ['go', 'version'], package: 'golang-go' }],
    // -count=1 makes Go run the tests instead of printing the results of an earlier run.
    run: () => [
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...'],
    ],
  },
};

const usage = `npm run test:examples -- [--no-skip] [EXAMPLE…]

  --no-skip  fails if the tools of an example are not installed
  EXAMPLE    ${Object.keys(examples).join(', ')}; default: all

Exit code 1 if an example fails.`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false }, 'no-skip': { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const unknown = positionals.filter((name) => !Object.hasOwn(examples, name));
if (unknown.length > 0) {
  console.error(`There is no example ${unknown.join(', ')}.\n\n${usage}`);
  process.exit(2);
}

const simulator = await startSimulator();
const outcomes = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(examples)) {
  outcomes.push({ name, ...(await runExample(name, examples[name])) });
}
await simulator.close();

console.log('');
for (const { name, outcome, reason } of outcomes) console.log(`${name}: ${outcome}${reason ? ` (${reason})` : ''}`);
const failingOutcomes = values['no-skip'] ? ['failed', 'skipped'] : ['failed'];
process.exitCode = outcomes.some(({ outcome }) => failingOutcomes.includes(outcome)) ? 1 : 0;

async function runExample(name, { tools, run }) {
  const missing = tools.filter(({ probe: [command, ...args] }) => spawnSync(command, args).status !== 0);
  if (missing.length > 0) {
    const commands = missing.map(({ probe }) => `\`${probe.join(' ')}\` fails`).join(' and ');
    return { outcome: 'skipped', reason: `${commands}; install ${missing.map((tool) => tool.package).join(' ')}` };
  }
  console.log(`\n${name}`);
  for (const command of run()) {
    const code = await runCommand(command, join(folder, name));
    const ending = typeof code === 'number' ? `exited with code ${code}` : `was ended by ${code}`;
    if (code !== 0) return { outcome: 'failed', reason: `${command[0]} ${ending}` };
  }
  return { outcome: 'passed' };
}

/** Runs a command, and shows its output. @returns its exit code, or the signal that ended it */
function runCommand([command, ...args], cwd) {
  const env = { ...process.env, BILLING_SIM_URL: simulator.url, PYTHONDONTWRITEBYTECODE: '1' };
  return new Promise((resolve, reject) => {
    spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', reject)
      .once('exit', (code, signal) => resolve(code ?? signal));
  });
}

function javaSources() {
  return readdirSync(join(folder, 'java'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.java'),
  );
}
