import { expect, test } from 'vitest';
import { estimateRequests } from '../../src/contract/engine/estimate.js';
import { clauses } from '../../src/contract/sections/clauses.js';
import { spawnCli, spawnSimulator } from '../support/cli.js';
import { isFullRun } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';
import { spawnContractCli } from './run-cli.js';

test('a run against an account with 100,000 invoices needs no more requests than estimated', async ({ skip }) => {
  skip(!isFullRun, 'takes half a minute: `npm run test:full` runs it');
  const data = tempFolder();
  expect((await spawnCli('seed', '--data', data, '--invoices', '100000')).code).toBe(0);
  const { ready } = await spawnSimulator('--data', data);
  const { code, stdout } = await spawnContractCli({}, '--base-url', ready.baseUrl, '--token', 'demo_full');
  expect(code).toBe(0);
  expect(Number(/, in (\d+) requests and /.exec(stdout)?.[1])).toBeLessThanOrEqual(
    estimateRequests(clauses, { mayWrite: true, hasDriver: true, includeRateLimit: false }),
  );
});
