import { writeFile } from 'node:fs/promises';
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import { makeFolder } from '../../lib/make-folder.js';
import { type BillingFixtures, closeTestAccount, provideSimulator, type SimulatorFixtures } from './test-account.js';

export type { BillingFixtures, SimulatorFixtures } from './test-account.js';

/** Option for the traces of failed tests. Unlike Playwright's own, they show what happened in the account. */
export interface TraceOption {
  /** Attaches a trace to each failed test; default: true. */
  billingTrace: boolean;
}

/**
 * Playwright's `test` with a `billing` fixture, which is a new account for each test:
 *
 *     import { test } from 'billing-sim/playwright';
 *     test('a guest authorizes a deposit', async ({ billing, page }) => {
 *       const { id } = await billing.trigger('deposit.created');
 *       const { authorization_url } = await billing.deposits.get(id);
 *       await page.goto(String(authorization_url));
 *     });
 *
 * A test that fails gets a log and a trace of its account as attachments.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & BillingFixtures & TraceOption,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SimulatorFixtures
> = base.extend<BillingFixtures & TraceOption, SimulatorFixtures>({
  simulatorOptions: [{}, { scope: 'worker', option: true }],
  simulator: [provideSimulator, { scope: 'worker' }],
  billingOptions: [{}, { option: true }],
  billingTrace: [true, { option: true }],
  billing: async ({ simulator, billingOptions, billingTrace }, use, testInfo) => {
    const account = await simulator.createAccount(billingOptions);
    await use(account);
    const hasFailed = testInfo.status !== testInfo.expectedStatus;
    const [log, trace] = await closeTestAccount(account, { hasFailed, wantsTrace: billingTrace });
    if (log) await testInfo.attach(log.name, { body: log.body, contentType: log.contentType });
    if (trace) {
      // Attached as a file, so that all reporters print its path.
      const path = testInfo.outputPath('billing-sim-trace.html');
      await makeFolder(testInfo.outputDir);
      await writeFile(path, trace.body);
      testInfo.attachments.push({ name: trace.name, contentType: trace.contentType, path });
    }
  },
});
