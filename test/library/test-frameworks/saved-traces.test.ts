import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../../src/index.js';
import { closeAndSaveTrace } from '../../../src/library/test-frameworks/test-account.js';
import { tempFolder } from '../../support/temp-folder.js';

test('a test that is retried saves a trace of each failed attempt', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const folder = join(tempFolder(), 'traces');
  const printed: (string | undefined)[] = [];
  for (const id of ['first', 'second']) {
    const account = await simulator.createAccount({ id });
    const texts = await closeAndSaveTrace(account, { hasFailed: true, folder, title: 'flaky.test.ts flaky' });
    printed.push(texts[1]);
  }
  const [first = '', second = ''] = readdirSync(folder).sort().reverse();
  expect([first, second]).toEqual([
    expect.stringMatching(/^flaky-test-ts-flaky-[0-9a-f]{8}\.html$/),
    expect.stringMatching(/^flaky-test-ts-flaky-[0-9a-f]{8}-2\.html$/),
  ]);
  expect(printed).toEqual([first, second].map((file) => `billing-sim: trace saved to ${join(folder, file)}`));
  expect(readFileSync(join(folder, first), 'utf8')).toContain('account first');
  expect(readFileSync(join(folder, second), 'utf8')).toContain('account second');
});
