// Builds billing-sim as one file that needs no installed Node. See --help, and docs/decisions/014-single-executable.md.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hostPlatform, installNode } from '../test/support/install-node.mjs';
import { bundleExecutable } from './bundle-executable.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Default version of Node in the executable. npm has it for all platforms. */
const defaultNodeVersion = '26.10.0';
const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win-x64'];

const usage = `npm run build:executable [-- --platform PLATFORM]

  --platform PLATFORM  ${platforms.join(', ')} (this machine's: ${hostPlatform})
  --node VERSION       version of Node in the executable, 25.5 or newer (${defaultNodeVersion})

Writes dist-executable/PLATFORM. Downloads Node from npm once, into node_modules/.cache.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    platform: { type: 'string', default: hostPlatform },
    node: { type: 'string', default: defaultNodeVersion },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const { platform, node: nodeVersion } = values;
if (!platforms.includes(platform)) fail(`"${platform}" is not one of ${platforms.join(', ')}`);

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Installs Node for a platform, and returns the path of its binary. */
function nodeBinaryFor(name) {
  return installNode(nodeVersion, name) ?? fail(`npm does not have Node ${nodeVersion} for ${name}; see --node`);
}

const isHost = platform === hostPlatform;
// The Node that builds the executable and the Node that it contains must have the same version.
const [builder, base] = [nodeBinaryFor(hostPlatform), nodeBinaryFor(platform)];
const outputFolder = join(root, 'dist-executable', platform);
const workFolder = join(root, 'node_modules/.cache/executable', platform);
for (const folder of [outputFolder, workFolder]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const output = join(outputFolder, platform.startsWith('win') ? 'billing-sim.exe' : 'billing-sim');
const { config, licenses } = await bundleExecutable(workFolder);
const configFile = join(workFolder, 'sea-config.json');
const platformConfig = {
  ...config,
  executable: base,
  output,
  disableExperimentalSEAWarning: true,
  // A code cache can only be built for this machine's platform. On other platforms, every start compiles the code.
  useCodeCache: isHost,
};
writeFileSync(configFile, JSON.stringify(platformConfig, undefined, 2));
run(builder, ['--build-sea', configFile]);
if (platform.startsWith('darwin')) {
  // macOS starts only signed programs, and the signature of Node is not valid for the changed file.
  if (process.platform === 'darwin') run('codesign', ['--sign', '-', '--force', output]);
  else console.log('Sign it on a Mac before its first start: codesign --sign - --force billing-sim');
}

copyFileSync(join(root, 'LICENSE'), join(outputFolder, 'LICENSE'));
const licenseOf = (binary) => join(dirname(dirname(binary)), 'LICENSE');
// The Windows package of Node has no license file, so the file comes from another platform's package.
const nodeLicense = licenseOf(
  [base, builder].find((binary) => existsSync(licenseOf(binary))) ?? nodeBinaryFor('linux-x64'),
);
writeFileSync(
  join(outputFolder, 'third-party-licenses.txt'),
  `${readFileSync(licenses, 'utf8')}\n\nNode.js ${nodeVersion}\n\n${readFileSync(nodeLicense, 'utf8')}`,
);
console.log(
  `${relative(process.cwd(), output)}: ${Math.round(statSync(output).size / 1e6)} MB, with Node ${nodeVersion}`,
);
