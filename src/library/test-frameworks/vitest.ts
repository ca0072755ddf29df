import { test as base, type TestAPI } from 'vitest';
import {
  type BillingFixtures,
  closeAndSaveTrace,
  defaultTraceFolder,
  provideSimulator,
  type SimulatorFixtures,
  type TraceFixtures,
} from './test-account.js';

export type { BillingFixtures, SimulatorFixtures, TraceFixtures } from './test-account.js';

/**
 * vitest's `test` with a `billing` fixture, which is a new account for each test:
 *
 *     import { test } from 'billing-sim/vitest';
 *     test('a deposit expires', async ({ billing }) => {
 *       await billing.clock.advance('8d');
 *     });
 *
 * A test that fails prints a log of its account, and saves a trace.
 */
export const test: TestAPI<BillingFixtures & TraceFixtures & SimulatorFixtures> = base.extend<
  BillingFixtures & TraceFixtures & SimulatorFixtures
>({
  simulatorOptions: [{}, { scope: 'file' }],
  simulator: [provideSimulator, { scope: 'file' }],
  billingOptions: {},
  traceFolder: defaultTraceFolder,
  billing: async ({ simulator, billingOptions, traceFolder, task }, use) => {
    const account = await simulator.createAccount(billingOptions);
    await use(account);
    // Tests that are expected to fail (`test.fails`) have the state "fail" here, too.
    const hasFailed = task.result?.state === 'fail' && !task.fails;
    // The test is over, and vitest accepts attachments only while it runs, so the log is printed.
    const outcome = { hasFailed, folder: traceFolder, title: titleOf(task) };
    for (const text of await closeAndSaveTrace(account, outcome)) console.error(text);
  },
});

interface NamedTask {
  readonly name: string;
  readonly file: { readonly name: string };
  readonly suite?: { readonly name: string; readonly suite?: NamedTask['suite'] } | undefined;
}

/** Returns a title with the file, the names of the suites and the name of a test. */
function titleOf({ name, file, suite }: NamedTask): string {
  const names = [name];
  for (let parent = suite; parent; parent = parent.suite) names.unshift(parent.name);
  return [file.name, ...names].join(' ');
}
