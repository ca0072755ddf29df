// Runs the tests that depend on the version of Node with several versions: the lowest versions that package.json allows
// in `engines`, and the newest of each major version in use. See --help.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installNode } from '../support/install-node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lowestVersions = engines.node.match(/\d+\.\d+/g).map((version) => `${version}.0`);
/** Version ranges. The newest version of each is used. */
const versions = [...lowestVersions, '20', '22', '24', '26'];

/** Tests of everything that depends on the version of Node: HTTP, files, the module loader and error messages. */
const defaultTests = [
  'test/library',
  'test/commands/start.test.ts',
  'test/http/service.test.ts',
  'test/http/head-and-options.test.ts',
  'test/http/half-closed.test.ts',
  'test/http/keep-alive.test.ts',
  'test/http/unread-bodies.test.ts',
  'test/http/message-classes.test.ts',
  'test/crash/kill-and-damage.test.ts',
  'test/proxy/command.test.ts',
  'test/proxy/forward.test.ts',
  'test/webhooks',
  'test/lib',
  'test/domain/dates.test.ts',
];

const usage = `npm run test:nodes -- [--node VERSION]… [TEST…]

  --node VERSION  one of ${versions.join(', ')}, or another; may be repeated
  TEST            files or folders to run instead of ${defaultTests.join(', ')}

Each version is downloaded from npm once, into node_modules/.cache. A version that npm cannot install is skipped.`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false }, node: { type: 'string', multiple: true, default: versions } },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit();
}

const outcomes = values.node.map((version) => {
  const binary = installNode(version);
  if (binary === undefined) return { version, outcome: 'skipped: npm cannot install it' };
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  console.error(`\nNode ${stdout.trim()}`);
  const { status } = spawnSync(
    binary,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...(positionals.length > 0 ? positionals : defaultTests)],
    { cwd: root, stdio: 'inherit' },
  );
  return { version: stdout.trim(), outcome: status === 0 ? 'passed' : 'failed' };
});
for (const { version, outcome } of outcomes) console.log(`Node ${version}: ${outcome}`);
process.exitCode = outcomes.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
