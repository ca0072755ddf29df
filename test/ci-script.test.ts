import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from './support/temp-folder.js';

const script = fileURLToPath(new URL('../.ci/run', import.meta.url));

/** Runs the script with programs that only log how they are called, and fail for one of the commands. */
async function runScript(failingCommand: string): Promise<{ code: number; commands: string[] }> {
  const folder = tempFolder();
  const log = join(folder, 'log');
  for (const program of ['npm', 'node']) {
    const text = `#!/bin/sh\necho "${program} $*" >> '${log}'\n[ "${program} $*" != '${failingCommand}' ]\n`;
    writeFileSync(join(folder, program), text, { mode: 0o755 });
  }
  // Otherwise, the script would install it.
  writeFileSync(join(folder, 'chromium-headless-shell'), '#!/bin/sh\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const code = await promisify(execFile)('bash', [script], { env }).then(
    () => 0,
    ({ code: exitCode }: { readonly code: number }) => exitCode,
  );
  return { code, commands: readFileSync(log, 'utf8').trim().split('\n').sort() };
}

const ciCommands = ['node dist/cli.js prove --quick', 'npm ci', 'npm run lint', 'npm run types', 'npm test'];

test('the script of CI runs the tests, the types, the lint and the mutants', async () => {
  expect(await runScript('none')).toEqual({ code: 0, commands: ciCommands });
});

test.each(ciCommands)('the script of CI fails if %s fails', async (command) => {
  const { code, commands } = await runScript(command);
  expect(commands).toContain(command);
  expect(code).toBe(1);
});
