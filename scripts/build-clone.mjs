// Builds the package after `npm ci` in a clone. Without the development dependencies (`npm ci --omit=dev`) it cannot
// build: if there is no earlier build, it writes a command that only says what is missing, so that the installation
// succeeds. The npm script is named `postprepare`, because npm prints a warning about a script named `prepare` when a
// packed package is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = new URL('../dist/cli.js', import.meta.url);
const explanation =
  'billing-sim is not built, because its development dependencies are not installed; run npm ci, which builds it';

if (existsSync(new URL('../node_modules/rolldown', import.meta.url))) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
} else if (!existsSync(command)) {
  mkdirSync(new URL('.', command), { recursive: true });
  writeFileSync(
    command,
    `#!/usr/bin/env node\nconsole.error(${JSON.stringify(`error: ${explanation}`)});\nprocess.exitCode = 2;\n`,
  );
  console.log(explanation);
}
