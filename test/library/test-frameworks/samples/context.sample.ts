// ../vitest.test.ts runs these tests in the pool `vmThreads`, where each file has its own VM context; they must pass.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  await first.account.invoices.cancel(2);
  await first.close();
  const second = await startSimulator({ data });
  onTestFinished(() => second.close());
  expect(await second.account.invoices.get(2)).toMatchObject({ status: 'cancelled' });
  await expect(startSimulator({ data })).rejects.toThrow(`the data folder ${data} is in use by process`);
});

test('a trace is saved, and replaces an earlier one', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const file = join(tempFolder(), 'trace.html');
  await simulator.account.trace.save(file);
  await simulator.account.trigger('deposit.created');
  await simulator.account.trace.save(file);
  expect(readFileSync(file, 'utf8')).toContain('deposit.created');
});

test('a failed delivery says why', async () => {
  const { account, close } = await startSimulator({ webhookUrl: 'http://127.0.0.1:9/webhooks' });
  onTestFinished(() => close());
  await account.trigger('deposit.created');
  await expect
    .poll(async () => (await account.webhooks.all()).flatMap(({ attempts }) => attempts.map(({ error }) => error)))
    .toEqual(['connection refused']);
});
