import { expect, test } from 'vitest';
import { spawnCli, startCli } from '../support/cli.js';
import { isFull } from '../support/sample.js';
import { tempFolder } from '../support/temp-folder.js';
import { spawnContractCli } from './run-cli.js';

test('an account with 100,000 invoices can be checked', async ({ skip }) => {
  skip(!isFull, 'takes half a minute: `npm run test:full` runs it');
  const data = tempFolder();
  expect((await spawnCli('seed', '--data', data, '--invoices', '100000')).code).toBe(0);
  const { ready } = await startCli('--data', data);
  const { code, stdout } = await spawnContractCli({}, '--base-url', ready.baseUrl, '--token', 'demo_full');
  expect(code).toBe(0);
  expect(Number(/, in (\d+) requests and /.exec(stdout)?.[1])).toBeLessThanOrEqual(260);
});
