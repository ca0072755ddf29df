import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempFolder } from './support/temp-folder.js';

const script = fileURLToPath(new URL('../.ci/run', import.meta.url));

/** Runs the script with an `npm` that only logs its arguments, and fails for one of the commands. */
async function runScript(failingCommand: string): Promise<{ code: number; commands: string[] }> {
  const folder = tempFolder();
  const log = join(folder, 'log');
  const npm = `#!/bin/sh\necho "$*" >> '${log}'\n[ "$*" != '${failingCommand}' ]\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  // Otherwise, the script would install it.
  writeFileSync(join(folder, 'chromium-headless-shell'), '#!/bin/sh\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const code = await promisify(execFile)('bash', [script], { env }).then(
    () => 0,
    ({ code: exitCode }: { readonly code: number }) => exitCode,
  );
  return { code, commands: readFileSync(log, 'utf8').trim().split('\n').sort() };
}

test('the script of CI runs the tests, the types and the lint', async () => {
  expect(await runScript('none')).toEqual({ code: 0, commands: ['ci', 'run lint', 'run types', 'test'] });
});

test.each(['ci', 'test', 'run types', 'run lint'])('the script of CI fails if npm %s fails', async (command) => {
  const { code, commands } = await runScript(command);
  expect(commands).toContain(command);
  expect(code).toBe(1);
});
