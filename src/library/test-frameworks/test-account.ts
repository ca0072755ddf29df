import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// Loaded before a test can fake `Date`.
import '../../clock/machine.js';
import { errorMessage } from '../../lib/errors.js';
import { makeFolder } from '../../lib/make-folder.js';
import type { SimulatorAccount } from '../account.js';
import type { AccountOptions, Simulator, SimulatorOptions } from '../simulator.js';
import { formatAccountLog } from './account-log.js';

/** Fixtures that are new for every test. */
export interface BillingFixtures {
  /** Account of this test: nothing in it is shared with other tests, and it is removed afterwards. */
  billing: SimulatorAccount;
  /** Options of `billing`, to be overridden for a file or a group of tests. */
  billingOptions: AccountOptions;
}

/** Fixture for test frameworks without attachments. */
export interface TraceFixtures {
  /** Folder for the traces of failed tests; false for none. */
  traceFolder: string | false;
}

/** Maximum number of characters of a test's title in the name of its trace file. */
const maxTitleLength = 80;

/** Default of `traceFolder`. */
export const defaultTraceFolder = 'billing-sim-traces';

/** Fixtures that the tests of a file (vitest) or of a worker (Playwright) share. */
export interface SimulatorFixtures {
  /** Started when the first test uses it. */
  simulator: Simulator;
  simulatorOptions: SimulatorOptions;
}

/** A log or a trace of a failed test: attached to it or, in frameworks without attachments, printed or saved. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
}

/** Starts a simulator. Loads its code only now, so that test files that need no simulator start faster. */
export async function startSharedSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { startSimulator } = await import('../simulator.js');
  return startSimulator(options);
}

/** Function of the `simulator` fixture, in the form that both vitest and Playwright use. */
export async function provideSimulator(
  { simulatorOptions }: Pick<SimulatorFixtures, 'simulatorOptions'>,
  use: (simulator: Simulator) => Promise<void>,
): Promise<void> {
  const simulator = await startSharedSimulator(simulatorOptions);
  await use(simulator);
  await simulator.close();
}

/**
 * Removes the account of a finished test.
 * @returns the attachments of a failed test: the log, then the trace if one is wanted; none if the test has passed
 */
export async function closeTestAccount(
  account: SimulatorAccount,
  { hasFailed, wantsTrace }: { readonly hasFailed: boolean; readonly wantsTrace: boolean },
): Promise<readonly Attachment[]> {
  const attachments = hasFailed ? await attachmentsOf(account, wantsTrace) : [];
  await account.remove();
  return attachments;
}

/**
 * Removes the account of a finished test. If the test has failed, saves a trace.
 * @param outcome `folder` and `title` are those of `failureTexts`
 * @returns the texts to print
 */
export async function closeAndSaveTrace(
  account: SimulatorAccount,
  {
    hasFailed,
    folder,
    title,
  }: { readonly hasFailed: boolean; readonly folder: string | false; readonly title: string },
): Promise<readonly string[]> {
  const texts = hasFailed ? await failureTexts(account, { folder, title }) : [];
  await account.remove();
  return texts;
}

/**
 * Saves a trace of the account of a failed test.
 * @param title the title of the test, from which the name of the file is derived
 * @returns the texts to print: a log of the account, and where the trace is
 */
export async function failureTexts(
  account: SimulatorAccount,
  { folder, title }: { readonly folder: string | false; readonly title: string },
): Promise<readonly string[]> {
  const [log, trace] = await attachmentsOf(account, folder !== false);
  if (!log) return [];
  if (!trace || folder === false) return [log.body];
  const path = nextPath(join(folder, fileNameOf(title)));
  try {
    await makeFolder(folder);
    await writeFile(path, trace.body);
  } catch (error) {
    return [log.body, `billing-sim: cannot save the trace: ${errorMessage(error)}`];
  }
  return [log.body, `billing-sim: trace saved to ${path}`];
}

/** Number of traces that this process has saved, by path without number and extension. */
const savedTraceCounts = new Map<string, number>();

/** Path of the next trace of a test: a test that is retried or repeated saves several. */
function nextPath(path: string): string {
  const count = (savedTraceCounts.get(path) ?? 0) + 1;
  savedTraceCounts.set(path, count);
  return count === 1 ? `${path}.html` : `${path}-${count}.html`;
}

/** Builds a name from the end of a title and a hash of all of it: `deposit-test-ts-a-deposit-expires-1a2b3c4d`. */
function fileNameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(-maxTitleLength).replace(/^-/, '');
  return `${name}-${hash('sha256', title).slice(0, 8)}`;
}

async function attachmentsOf(account: SimulatorAccount, wantsTrace: boolean): Promise<readonly Attachment[]> {
  try {
    const log = { name: 'billing-sim', contentType: 'text/plain', body: await formatAccountLog(account) };
    if (!wantsTrace) return [log];
    return [log, { name: 'billing-sim trace', contentType: 'text/html', body: await account.trace.html() }];
  } catch (error) {
    // A test may have removed its account.
    const body = `billing-sim: nothing to show: ${errorMessage(error)}`;
    return [{ name: 'billing-sim', contentType: 'text/plain', body }];
  }
}
