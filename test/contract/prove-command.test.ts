import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

test('`prove` checks each selected mutant with all clauses, and records which of them detected it', async () => {
  const file = join(tempFolder(), 'matrix.json');
  const { code, stdout, stderr } = await runCli('prove', '--only', 'INV-REMIND', '--shard', '3/6', '--json', file);
  expect({ code, stderr }).toEqual({
    code: 0,
    // After the last mutant, the result is printed instead of the progress.
    stderr: 'all clauses pass against the unmodified simulator; testing 2 mutants\n1 of 2 mutants tested\n',
  });
  expect(stdout).toMatch(
    /^✓ {2}INV-REMIND-08 {2}killed {2}detected by no other clause {2}A reminder for an invoice that has been overdue for a long time is refused\.\n/,
  );
  expect(stdout).toContain(
    '\n2 of 2 clauses detected their mutants, shard 3/6; 0 survivors, 0 without effect, 0 without a mutant, ',
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    depth: 'whole suite',
    shard: '3/6',
    exitCode: 0,
    clauses: [
      { id: 'INV-REMIND-08', verdict: 'killed', otherDetectingClauses: [] },
      { id: 'INV-REMIND-06', verdict: 'killed', otherDetectingClauses: [] },
    ],
    survivors: [],
  });
});

/** A path inside a file, which cannot be written to. */
const unwritable = fileURLToPath(new URL('../../package.json/matrix.json', import.meta.url));

test.each([
  [['--shard', '0/3'], 'expected a shard, for example 3/20'],
  [['--shard', '4/3'], 'expected a shard, for example 3/20'],
  [['--only', 'INV-NONE'], 'unknown clause INV-NONE'],
  // A clause that no run can check.
  [['--only', 'RATE-LIMIT-02'], 'nothing to test'],
  [['--json', unwritable], `cannot write --json ${unwritable}`],
])('`prove` refuses the flags %j', async (flags, expectedMessage) => {
  const { code, stdout, stderr } = await runCli('prove', ...flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(expectedMessage);
});
