// Builds billing-sim as one file that needs no installed Node. See --help, and docs/decisions/014-single-executable.md.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hostPlatform, installNode } from '../test/support/install-node.mjs';
import { bundleExecutable } from './bundle-executable.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The Node that goes into the executable: a version that npm has for all platforms. */
const nodeVersion = '26.10.0';
const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win-x64'];

const usage = `npm run build:executable [-- --platform PLATFORM]

  --platform PLATFORM  ${platforms.join(', ')} (this machine's: ${hostPlatform})
  --node VERSION       version of the Node in it, 25.5 or newer (${nodeVersion})

Writes dist-executable/PLATFORM. Node comes from npm, once, into node_modules/.cache.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    platform: { type: 'string', default: hostPlatform },
    node: { type: 'string', default: nodeVersion },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const { platform, node } = values;
if (!platforms.includes(platform)) fail(`"${platform}" is not one of ${platforms.join(', ')}`);

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Returns the binary of Node for a platform. The one that builds and the one that is built upon must have the same version. */
function nodeFor(name) {
  return installNode(node, name) ?? fail(`npm does not have Node ${node} for ${name}; see --node`);
}

const isHost = platform === hostPlatform;
const [builder, base] = [nodeFor(hostPlatform), nodeFor(platform)];
const folder = join(root, 'dist-executable', platform);
const work = join(root, 'node_modules/.cache/executable', platform);
for (const each of [folder, work]) {
  rmSync(each, { recursive: true, force: true });
  mkdirSync(each, { recursive: true });
}

const output = join(folder, platform.startsWith('win') ? 'billing-sim.exe' : 'billing-sim');
const { config, licenses } = await bundleExecutable(work);
const configFile = join(work, 'sea-config.json');
const complete = {
  ...config,
  executable: base,
  output,
  disableExperimentalSEAWarning: true,
  // Compiled code is specific to a platform; on others, each start compiles again.
  useCodeCache: isHost,
};
writeFileSync(configFile, JSON.stringify(complete, undefined, 2));
run(builder, ['--build-sea', configFile]);
if (platform.startsWith('darwin')) {
  // macOS starts only signed programs, and the signature of Node does not hold for a changed file.
  if (process.platform === 'darwin') run('codesign', ['--sign', '-', '--force', output]);
  else console.log('Sign it on a Mac before its first start: codesign --sign - --force billing-sim');
}

copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
const licenseOf = (binary) => join(dirname(dirname(binary)), 'LICENSE');
// The Windows package of Node has no licence file.
const nodeLicense = licenseOf([base, builder].find((each) => existsSync(licenseOf(each))) ?? nodeFor('linux-x64'));
writeFileSync(
  join(folder, 'third-party-licenses.txt'),
  `${readFileSync(licenses, 'utf8')}\n\nNode.js ${node}\n\n${readFileSync(nodeLicense, 'utf8')}`,
);
console.log(`${relative(process.cwd(), output)}: ${Math.round(statSync(output).size / 1e6)} MB, with Node ${node}`);
