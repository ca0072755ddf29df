import { relative } from 'node:path';
import { after } from 'node:test';
import type { SimulatorAccount } from '../account.js';
import type { AccountOptions, Simulator } from '../simulator.js';
import { closeAndSaveTrace, defaultTraceFolder, startSharedSimulator, type TraceFixtures } from './test-account.js';

/** The parts of the context of a test (`t`) that `billing` uses. */
export interface NodeTestContext {
  /** Name of the test. */
  readonly name: string;
  /** Name of the test, after the names of its parent tests; undefined in Node 20 before 20.16 and 22 before 22.3. */
  readonly fullName?: string;
  /** File of the test; undefined in Node 20 before 20.16 and 22 before 22.6. */
  readonly filePath?: string | undefined;
  /** Registers a hook that runs after the test. */
  after(hook: () => Promise<void>): void;
  /** Prints a line of diagnostics. */
  diagnostic(message: string): void;
  /** Error of the test; null if it has none. */
  readonly error?: unknown;
}

/** Options of `billing`: those of its account, where to create it, and where to save a trace. */
export interface BillingOptions extends AccountOptions, Partial<TraceFixtures> {
  /** Simulator that gets the account; default: one that all tests of the process share. */
  readonly simulator?: Simulator;
}

let shared: Promise<Simulator> | undefined;

// Runs after all tests of the file, since this module is loaded outside of its tests.
after(async () => {
  const simulator = await shared;
  shared = undefined;
  await simulator?.close();
});

/**
 * Creates an account for a test of node:test, and removes it after the test:
 *
 *     test('a deposit expires', async (t) => {
 *       const account = await billing(t, { now: '2026-03-01T09:00:00Z' });
 *     });
 *
 * If the test fails, its diagnostics contain a log of the account, and the path of a trace. A test that fails only
 * because of a subtest has neither: in the subtest, call `billing` with its own `t`.
 * @throws Error if `t` is not the context of a test: the context of a `describe` cannot remove the account
 */
export async function billing(t: NodeTestContext, options: BillingOptions = {}): Promise<SimulatorAccount> {
  // Only plain JavaScript can pass another context. Checked first, since nothing would remove the account afterwards.
  if (typeof t?.after !== 'function') throw wrongContextError(t);
  const { simulator = await sharedSimulator(), traceFolder = defaultTraceFolder, ...accountOptions } = options;
  const account = await simulator.createAccount(accountOptions);
  t.after(async () => {
    const hasFailed = t.error !== null && t.error !== undefined;
    const file = t.filePath ?? process.argv[1] ?? '';
    const title = `${relative(process.cwd(), file)} ${t.fullName ?? t.name}`;
    for (const text of await closeAndSaveTrace(account, { hasFailed, folder: traceFolder, title })) {
      for (const line of text.split('\n')) t.diagnostic(line);
    }
  });
  return account;
}

/** Error for anything but the context of a test. A context with a name is what a `before` hook of a `describe` gets. */
function wrongContextError(t: Partial<NodeTestContext> | undefined): Error {
  if (t?.name === undefined) {
    return new Error(
      'billing(t) needs the context of a test as its first argument: test(name, async (t) => { await billing(t) })',
    );
  }
  return new Error(
    `billing(t) needs the context of a test, but got the context of the describe "${t.name}", as in a before hook; call it in a test or in beforeEach, or share an account with startSimulator() and simulator.createAccount()`,
  );
}

/** Starts the shared simulator on first use. */
function sharedSimulator(): Promise<Simulator> {
  shared ??= startSharedSimulator();
  return shared;
}
