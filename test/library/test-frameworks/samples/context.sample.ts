// ../vitest.test.ts runs these tests in a vm pool; they must pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from 'billing-sim';
import { expect, onTestFinished, test } from 'vitest';

/** Creates a temporary folder that is removed after the test. */
function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'billing-sim-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a simulator keeps its data in a new folder, which no other simulator can use meanwhile', async () => {
  const data = join(tempFolder(), 'data');
  const first = await startSimulator({ data });
  await first.close();
  const second = await startSimulator({ data });
  onTestFinished(() => second.close());
  await expect(startSimulator({ data })).rejects.toThrow(`the data folder ${data} is in use by process`);
});

test('traces are saved in a folder that exists', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const file = join(tempFolder(), 'trace.html');
  await simulator.account.trace.save(file);
  await simulator.account.trace.save(file);
});

test('a failed delivery says why', async () => {
  const { account, close } = await startSimulator({ webhookUrl: 'http://127.0.0.1:9/webhooks' });
  onTestFinished(() => close());
  await account.trigger('deposit.created');
  await expect
    .poll(async () => (await account.webhooks.all()).flatMap(({ attempts }) => attempts.map(({ error }) => error)))
    .toEqual(['connection refused']);
});
