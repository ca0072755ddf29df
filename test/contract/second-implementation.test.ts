import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { estimateRequests } from '../../src/contract/engine/estimate.js';
import { clauses as contractClauses } from '../../src/contract/sections/clauses.js';
import { openBackOffice } from '../second-implementation/back-office.js';
import { killAfterTest } from '../support/kill-after-test.js';
import { tempFolder } from '../support/temp-folder.js';
import { runContractCli, spawnContractCli } from './run-cli.js';
import { serveSecondImplementation } from './targets.js';

/**
 * Runs `billing-sim contract` against the second implementation, with the kind of driver that the owner of a service
 * would write.
 */

/** Limit on the size of each report of a whole run. */
const maxReportBytes = 770_000;

const inRepo = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test('with a driver, documented clauses are skipped only if they must exceed the rate limit or cannot be observed from outside; reports and requests keep within their limits', async () => {
  const service = await serveSecondImplementation();
  const backOffice = await openBackOffice(service);
  onTestFinished(() => backOffice.close());
  const { baseUrl, tokens } = service;
  const env = {
    BACK_OFFICE: backOffice.url,
    BILLING_BASE_URL: baseUrl,
    BILLING_TOKEN: tokens.full,
    BILLING_READ_TOKEN: tokens.read,
    BILLING_WRITE_TOKEN: tokens.write,
    BILLING_SCOPELESS_TOKEN: tokens.scopeless,
    BILLING_OTHER_ACCOUNT_TOKEN: tokens.otherAccount,
  };
  const driver = inRepo('test/second-implementation/back-office-driver.mjs');
  // The folder of the reports does not exist yet.
  const folder = join(tempFolder(), 'new', 'reports');
  const [html, junit] = [join(folder, 'report.html'), join(folder, 'report.xml')];
  const flags = ['--driver', driver, '--json', '-', '--html', html, '--junit', junit];
  const { code, stdout, stderr } = await runContractCli(env, ...flags);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const sizes = [Buffer.byteLength(stdout), statSync(html).size, statSync(junit).size];
  expect(sizes.filter((size) => size >= maxReportBytes)).toEqual([]);
  const { clauses, requests } = JSON.parse(stdout);
  const skipped: { level: string; missing: string }[] = clauses.filter(
    ({ status, level }: { status: string; level: string }) => status === 'skipped' && level === 'documented',
  );
  expect([...new Set(skipped.map(({ missing }) => missing))].sort()).toEqual([
    '--include rate-limit',
    'a way to observe it from outside',
  ]);
  expect(requests).toBeLessThanOrEqual(
    estimateRequests(contractClauses, { mayWrite: true, hasDriver: true, includeRateLimit: false }),
  );
});

test('an unknown option of the script that starts the second implementation is refused with its usage', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [inRepo('test/second-implementation/serve.mjs'), '--port', '0'],
    {
      encoding: 'utf8',
    },
  );
  expect(status).toBe(2);
  expect(stderr).toContain("Unknown option '--port'");
  expect(stderr).toContain('usage: serve.mjs [VARIANT] [--fault ID] [--limit REQUESTS_PER_MINUTE] [--json]\n');
});

test('the second implementation can be started from the command line, with a chosen fault', async () => {
  const flags = ['strict', '--fault', 'stats-count-string', '--json'];
  const child = spawn(process.execPath, [inRepo('test/second-implementation/serve.mjs'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAfterTest(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { baseUrl, tokens, backOffice, driver } = JSON.parse(line);
    const target = ['--base-url', baseUrl, '--token', tokens.full, '--driver', inRepo(driver)];
    // In another process, since this one has loaded the driver already, with another back office.
    const { code, stdout } = await spawnContractCli({ BACK_OFFICE: backOffice }, ...target, '--only', 'INV-STATS');
    expect(code).toBe(1);
    expect(stdout.match(/^✗ \S+/gm)).toEqual(['✗ INV-STATS-02']);
    return;
  }
  throw new Error('the second implementation did not start');
});
