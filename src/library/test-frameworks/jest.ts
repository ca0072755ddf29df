import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memberOf } from '../../lib/json.js';
import type { SimulatorAccount } from '../account.js';
import { type CollectAccount, collectAccountName } from '../created-accounts.js';
import { defaultTraceFolder, failureTexts } from './test-account.js';

/** The parts of the configuration of a Jest environment that are used here. */
interface EnvironmentConfig {
  readonly projectConfig: {
    readonly rootDir: string;
    readonly testEnvironmentOptions: { readonly traceFolder?: string | false };
  };
}

interface EnvironmentContext {
  readonly testPath: string;
}

interface NamedBlock {
  readonly name: string;
  readonly parent?: NamedBlock | undefined;
}

/** An event of jest-circus, which runs the tests. */
interface CircusEvent {
  readonly name: string;
  readonly test?: NamedBlock | undefined;
  readonly hook?: { readonly type: string };
}

/** The parts of a Jest environment that are used here. */
interface Environment {
  readonly global: typeof globalThis;
  handleTestEvent?: (event: CircusEvent, state: unknown) => Promise<void> | void;
}

type EnvironmentClass = new (config: EnvironmentConfig, context: EnvironmentContext) => Environment;

/**
 * Jest's `testEnvironment` for tests with billing-sim: the node environment of the project. If a test fails, it prints
 * a log of each account that `createAccount` has created and that still exists, and saves a trace of it in
 * `billing-sim-traces`. The option `traceFolder` of `testEnvironmentOptions` is another folder, or false for no traces.
 *
 * Jest calls it with `new`, and uses the environment that it returns.
 */
export default function BillingEnvironment(config: EnvironmentConfig, context: EnvironmentContext): Environment {
  const { rootDir, testEnvironmentOptions } = config.projectConfig;
  const { traceFolder = defaultTraceFolder } = testEnvironmentOptions;
  const environment = new (nodeEnvironmentOf(rootDir))(config, context);
  const accounts = new Map<SimulatorAccount, () => boolean>();
  const collect: CollectAccount = (account, isOpen) => void accounts.set(account, isOpen);
  Reflect.set(environment.global, collectAccountName, collect);
  const handleEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    await handleEvent?.(event, state);
    // Jest waits for this before it runs the hooks that remove the accounts.
    if (!isFailure(event)) return;
    const title = [relative(rootDir, context.testPath), ...namesOf(event.test)].join(' ');
    for (const [account, isOpen] of accounts) {
      if (!isOpen()) accounts.delete(account);
      else await print(environment.global.console, await failureTexts(account, { folder: traceFolder, title }));
    }
  };
  return environment;
}

/** Prints texts with the output of the test file. Node makes the call, since Jest would show our lines that make it. */
async function print(console: Console, texts: readonly string[]): Promise<void> {
  setImmediate(console.error.bind(console), texts.join('\n'));
  await nextTurn();
}

/**
 * The node environment of the project's Jest, even if this package is only linked into the project.
 * @throws Error if it is not installed, or is of a version before 28
 */
function nodeEnvironmentOf(rootDir: string): EnvironmentClass {
  const { resolve } = createRequire(join(rootDir, 'package.json'));
  let path: string;
  try {
    path = resolve('jest-environment-node');
  } catch (error) {
    const reason = 'which is not installed; run npm install --save-dev jest-environment-node';
    throw new Error(`billing-sim/jest needs the package jest-environment-node, ${reason}`, { cause: error });
  }
  const environment = memberOf(createRequire(path)(path), 'TestEnvironment');
  if (isEnvironmentClass(environment)) return environment;
  throw new Error(`billing-sim/jest needs Jest 28 or newer; ${path} has no TestEnvironment`);
}

function isEnvironmentClass(value: unknown): value is EnvironmentClass {
  return typeof value === 'function';
}

/** True for the failure of a test, or of a hook before it. A test that is expected to fail does not count. */
function isFailure({ name, hook }: CircusEvent): boolean {
  return (
    name === 'test_fn_failure' ||
    (name === 'hook_failure' && (hook?.type === 'beforeAll' || hook?.type === 'beforeEach'))
  );
}

/** The names of a test and of the blocks that contain it, except the root block, outermost first. */
function namesOf(block: NamedBlock | undefined): string[] {
  return block?.parent ? [...namesOf(block.parent), block.name] : [];
}
