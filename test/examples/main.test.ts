import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const script = fileURLToPath(new URL('main.mjs', import.meta.url));

/**
 * Runs main.mjs with a PATH that has only the given programs, and with an empty folder for temporary files.
 * @param programs shell scripts by name
 */
function runExamples(
  programs: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ code: number | null; lines: string[]; remainingFiles: string[] }> {
  const folder = tempFolder();
  const temporaryFiles = tempFolder();
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return new Promise((resolve) => {
    const env = { PATH: folder, TMPDIR: temporaryFiles };
    const child = execFile(process.execPath, [script, ...args], { env }, (_error, stdout) =>
      resolve({
        code: child.exitCode,
        lines: stdout.trim().split('\n'),
        remainingFiles: readdirSync(temporaryFiles),
      }),
    );
  });
}

test('examples whose tools are not installed are skipped, with the packages to install', async () => {
  // With javac, the Java example lacks only one of its two tools.
  const { code, lines } = await runExamples({ javac: 'exit 0' });
  expect(lines).toEqual([
    'php: skipped (`phpunit --version` fails; install phpunit)',
    'python: skipped (`python3 -m pytest --version` fails; install python3-pytest)',
    'ruby: skipped (`ruby -e require "minitest"` fails; install ruby-minitest)',
    expect.stringMatching(/^java: skipped \(`java -jar .+ --help` fails; install junit5\)$/),
    'go: skipped (`go version` fails; install golang-go)',
  ]);
  expect(code).toBe(0);
});

test('with --no-skip, an example whose tools are not installed makes the run fail', async () => {
  const { code } = await runExamples({}, ['--no-skip', 'go']);
  expect(code).toBe(1);
});

test('an example gets the URL of a simulator, and a failed example is reported and makes the run fail', async () => {
  const { code, lines } = await runExamples(
    {
      go: '[ "$1" = test ] && echo "$BILLING_SIM_URL" && exit 3; exit 0',
      phpunit: 'exit 0',
    },
    ['go', 'php'],
  );
  expect(lines).toContainEqual(expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/));
  expect(lines.slice(-2)).toEqual(['go: failed (go exited with code 3)', 'php: passed']);
  expect(code).toBe(1);
});

test('an unknown example is a usage error', async () => {
  expect((await runExamples({}, ['cobol'])).code).toBe(2);
});

test.each([['--help'], ['cobol'], ['go']])('%s leaves no temporary files behind', async (argument) => {
  expect((await runExamples({ go: 'exit 0' }, [argument])).remainingFiles).toEqual([]);
});
