import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.js';
import { runNode } from './child-run.js';

const samples = 'test/library/test-frameworks/samples';

test('tests share a simulator but not an account, and the process exits', async () => {
  const { code, stdout } = await runNode(['--test', '--test-reporter=tap', `${samples}/passing.node-sample.mjs`]);
  // All eight tests of the sample.
  expect(stdout).toMatch(/^# pass 8\n# fail 0$/m);
  expect(code).toBe(0);
});

test('a failed test has the log of its account in its diagnostics, and saves a trace; other tests do neither', async () => {
  const folder = join(tempFolder(), 'traces');
  const args = ['--test', '--test-reporter=tap', `${samples}/failing.node-sample.mjs`];
  const { code, stdout } = await runNode(args, { SAMPLE_TRACES: folder });
  expect(code).toBe(1);
  const [file = '', ...otherFiles] = readdirSync(folder);
  expect(otherFiles).toEqual([]);
  expect(file).toMatch(/^test-library-test-frameworks-samples-failing-node-sample-mjs-fails-[0-9a-f]{8}\.html$/);
  expect(stdout.replace(/evt_[0-9a-f]{24}/, 'evt_…')).toContain(`
# billing-sim: account account-1, clock frozen at 2026-03-01 09:00:00 UTC
# 1 request:
#   404 GET /api/v1/deposits/9: Deposit not found
# 1 webhook:
#   deposit.created evt_…, not sent: no webhook URL was set
# billing-sim: trace saved to ${join(folder, file)}
# Subtest: passes
ok 2 - passes
`);
  expect(stdout.match(/billing-sim: account/g)).toHaveLength(1);
});

test('the example for node:test passes', async () => {
  const { code, stdout } = await runNode(['--test', '--test-reporter=tap', 'examples/node-test/deposit.test.mjs']);
  expect(stdout).toMatch(/^# pass 1\n# fail 0$/m);
  expect(code).toBe(0);
});
