import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Json } from '../../support/json.js';
import { sampleUnlessFull } from '../../support/sample.js';
import { tempFolder } from '../../support/temp-folder.js';
import { runNode } from './child-run.js';

const sampleFolder = 'test/library/test-frameworks/samples';

function runVitest(args: readonly string[], environment?: Record<string, string>): ReturnType<typeof runNode> {
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--root', sampleFolder, ...args], environment);
}

// Each case starts vitest, which takes long, so only a full run tests all four.
test.each(sampleUnlessFull(['', '--pool=threads', '--pool=vmThreads', '--no-isolate --maxWorkers=1'], { oneIn: 4 }))(
  'tests in a file share one simulator, which has the options set in that file, and each test has its own account (flags: "%s")',
  async (flags) => {
    const { code, stdout, stderr } = await runVitest([
      '--reporter=json',
      ...flags.split(' ').filter((flag) => flag !== ''),
      'passing',
      'simulator-options',
    ]);
    const report = new Json(JSON.parse(stdout));
    // Six tests in passing.sample.ts, and one in simulator-options.sample.ts.
    expect({ code, stderr, passed: report.number('numPassedTests'), failed: report.number('numFailedTests') }).toEqual({
      code: 0,
      stderr: '',
      passed: 7,
      failed: 0,
    });
  },
);

test('the library works in a context with its own error classes, as in the vm pools', async () => {
  const { stdout } = await runVitest(['--reporter=json', '--pool=vmThreads', 'context']);
  const report = new Json(JSON.parse(stdout));
  expect({ passed: report.number('numPassedTests'), failed: report.number('numFailedTests') }).toEqual({
    passed: 3,
    failed: 0,
  });
});

// Checked in a single test, since starting vitest takes most of the time.
test('a failed test prints the log of its account and saves a trace, and other tests print nothing', async () => {
  const folder = join(tempFolder(), 'traces');
  const { code, stderr } = await runVitest(['--reporter=verbose', 'failing'], { SAMPLE_TRACES: folder });
  expect(code).toBe(1);
  const [file = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(file).toMatch(/^failing-sample-ts-fails-[0-9a-f]{8}\.html$/);
  expect(readFileSync(join(folder, file), 'utf8')).toContain('GET /api/v1/deposits/9 → 404: Deposit not found');
  const [printed] = stderr.split(/⎯{5,} Failed Tests/);
  expect(printed?.replace(/evt_[0-9a-f]{24}/, 'evt_…').trim()).toBe(
    `
stderr | failing.sample.ts > fails
billing-sim: account account-1, clock frozen at 2026-03-01 09:00:00 UTC
4 requests:
  200 GET /api/v1/deposits
  404 GET /api/v1/deposits/9: Deposit not found
  403 POST /api/v1/deposits: Invalid scope(s) provided.
  200 GET /api/v1/invoices (latency)
1 webhook:
  deposit.created evt_…, not sent: no webhook URL was set
1 fault:
  latency: listInvoices, matched 1, fired 1
billing-sim: trace saved to ${join(folder, file)}

stderr | failing.sample.ts > fails after it has removed its account
billing-sim: nothing to show: the account account-2 has been removed
`.trim(),
  );
});
