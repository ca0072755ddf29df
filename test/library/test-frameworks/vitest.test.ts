import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Json } from '../../support/json.js';
import { isFullRun } from '../../support/sample.js';
import { tempFolder } from '../../support/temp-folder.js';
import { runNode } from './child-run.js';

const sampleFolder = 'test/library/test-frameworks/samples';

function runVitest(args: readonly string[], environment?: Record<string, string>): ReturnType<typeof runNode> {
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--root', sampleFolder, ...args], environment);
}

// Six tests in passing.sample.ts, and one in simulator-options.sample.ts.
const passingFiles = { names: ['passing', 'simulator-options'], testCount: 7 };

// All in one run of vitest, since starting it takes most of the time.
test('tests in a file share one simulator, which has the options set in that file, and each test has its own account; only a failed test prints the log of its account and saves a trace', async () => {
  const folder = tempFolder();
  const traces = join(folder, 'traces');
  const reportFile = join(folder, 'report.json');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code, stderr } = await runVitest([...reporters, ...passingFiles.names, 'failing'], { SAMPLE_TRACES: traces });
  const report = new Json(JSON.parse(readFileSync(reportFile, 'utf8')));
  // In failing.sample.ts, two tests pass and two fail.
  expect({ code, passed: report.number('numPassedTests'), failed: report.number('numFailedTests') }).toEqual({
    code: 1,
    passed: passingFiles.testCount + 2,
    failed: 2,
  });
  const [file = '', ...others] = readdirSync(traces);
  expect(others).toEqual([]);
  expect(file).toMatch(/^failing-sample-ts-fails-[0-9a-f]{8}\.html$/);
  expect(readFileSync(join(traces, file), 'utf8')).toContain('GET /api/v1/deposits/9 → 404: Deposit not found');
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
billing-sim: trace saved to ${join(traces, file)}

stderr | failing.sample.ts > fails after it has removed its account
billing-sim: nothing to show: the account account-2 has been removed
`.trim(),
  );
});

// The run above uses the default pool.
test.each(isFullRun ? ['--pool=threads', '--pool=vmThreads', '--no-isolate --maxWorkers=1'] : [])(
  'tests in a file share one simulator, which has the options set in that file, and each test has its own account (flags: "%s")',
  async (flags) => {
    const { code, stdout, stderr } = await runVitest(['--reporter=json', ...flags.split(' '), ...passingFiles.names]);
    const report = new Json(JSON.parse(stdout));
    expect({ code, stderr, passed: report.number('numPassedTests'), failed: report.number('numFailedTests') }).toEqual({
      code: 0,
      stderr: '',
      passed: passingFiles.testCount,
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
