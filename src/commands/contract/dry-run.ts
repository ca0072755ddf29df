import { defaultDriverTimeoutMs } from '../../contract/drivers/call-driver.js';
import { type DriverMethod, driverMethods, type LoadedDriver } from '../../contract/drivers/driver.js';
import { loadDriver } from '../../contract/drivers/file.js';
import { isSimulator, makeSimulatorDriver, readOnlyDriver } from '../../contract/drivers/simulator.js';
import type { Result } from '../../contract/engine/check-clause.js';
import { checkClauses } from '../../contract/engine/check-clauses.js';
import { requestsToExceedLimit } from '../../contract/engine/estimate.js';
import { valueAt } from '../../contract/engine/expect.js';
import type { CliOptions } from '../../contract/engine/open-session.js';
import { createTarget, openSession } from '../../contract/engine/open-session.js';
import { requestsPerMinute } from '../../contract/engine/pace.js';
import { preflight } from '../../contract/engine/preflight.js';
import { selectClauses } from '../../contract/engine/select.js';
import type { SimulatorAccount } from '../../library/account.js';
import { startSimulator } from '../../library/simulator.js';

/** Forecast of a run, made without changing anything on the target. */
export interface DryRun {
  readonly target: string;
  readonly mayWrite: boolean;
  /** Number of requests sent to the target to check that it responds. All of them are reads. */
  readonly requestsSent: number;
  readonly results: readonly Result[];
  /** Approximate number of requests of the run. */
  readonly requests: number;
  /** Rate of requests in the run; undefined if it would not wait. */
  readonly requestsPerMinute: number | undefined;
}

/**
 * Runs the suite on a simulator in place of the target. Uses only the kinds of tokens, the driver methods and the
 * permissions that are available for the target, so that it skips the clauses that a run on the target would skip.
 * @throws CannotRun if the target cannot be tested
 */
export async function dryRun(
  options: CliOptions,
  onClause: (progress: { readonly requests: number }) => void,
): Promise<DryRun> {
  const target = createTarget(options);
  const invoiceList = await preflight(target);
  const { baseUrl, mayWrite, pace } = target.options;
  const usesSimulatorDriver = options.driver === undefined && (await isSimulator(baseUrl));
  const methods = await methodsFor(options, baseUrl, usesSimulatorDriver);
  const simulator = await startSimulator({ memory: true, seed: 'empty', log: () => undefined });
  try {
    const isEmpty = Number(valueAt(invoiceList.json, 'data.total')) === 0;
    const account = await simulator.createAccount({ seed: isEmpty ? 'empty' : 'demo' });
    const { driver } = await makeSimulatorDriver(simulator.baseUrl, account.tokens.full, undefined);
    for (const method of driverMethods) if (!methods.has(method)) delete driver[method];
    if (options.webhookPort) await configureWebhooks(account, options);
    const session = await openSession({
      ...(await simulatorOptions(options, account)),
      baseUrl: simulator.baseUrl,
      driver,
      write: mayWrite,
      pace: 'off',
    });
    const results: Result[] = [];
    const chosen = selectClauses(options.only);
    try {
      for await (const result of checkClauses(session, chosen)) {
        results.push(result);
        onClause(session.target);
      }
    } finally {
      await session.close();
    }
    const exceedsLimit = options.include?.includes('rate-limit') === true;
    return {
      target: baseUrl,
      mayWrite,
      requestsSent: target.requests,
      results: results.map((result) => (exceedsLimit ? countAsChecked(result) : result)),
      requests: session.target.requests + (exceedsLimit ? requestsToExceedLimit(chosen) : 0),
      // The driver of a simulator turns the rate limit off, so the run does not wait for it.
      requestsPerMinute: requestsPerMinute(
        usesSimulatorDriver && mayWrite && pace === 'auto' ? 'off' : pace,
        invoiceList.headers,
      ),
    };
  } finally {
    await simulator.close();
  }
}

/** Finds the methods of the target's driver. Loads a driver from a file, but calls only its method `close`. */
async function methodsFor(
  { driver, token }: CliOptions,
  baseUrl: string,
  usesSimulatorDriver: boolean,
): Promise<Set<DriverMethod>> {
  // The read-only driver has every method of the driver for simulators. Only their names matter here.
  let targetDriver: LoadedDriver = usesSimulatorDriver ? readOnlyDriver : {};
  if (driver !== undefined && driver !== 'none') {
    targetDriver = await loadDriver(driver, { baseUrl, token }, defaultDriverTimeoutMs);
    await targetDriver.close?.();
  }
  return new Set(driverMethods.filter((method) => targetDriver[method] !== undefined));
}

/** Configures the account to send webhooks, as the tester has configured the target. */
async function configureWebhooks(
  { webhooks }: SimulatorAccount,
  { webhookPort, webhookSecret }: CliOptions,
): Promise<void> {
  await webhooks.configure({
    url: `http://127.0.0.1:${webhookPort}/`,
    ...(webhookSecret === undefined ? {} : { secret: webhookSecret }),
  });
}

/**
 * Replaces the customer and the scoped tokens of the options by those of the simulator's account. The token that has no
 * scopes stays: the simulator does not know it and refuses it, as its clause requires.
 */
async function simulatorOptions(options: CliOptions, { tokens, customers }: SimulatorAccount): Promise<CliOptions> {
  const { readToken, writeToken, customerId } = options;
  const customer = { name: 'Ada Lovelace', email: 'ada@example.com' };
  return {
    ...options,
    token: tokens.full,
    readToken: readToken && tokens.read,
    writeToken: writeToken && tokens.write,
    customerId: customerId && (await customers.create(customer)).id,
    controlToken: undefined,
    // Optional checks are not run; `countAsChecked` and `requestsToExceedLimit` count them.
    include: [],
  };
}

/** Counts a clause as checked if it is skipped only because this is a dry run. */
function countAsChecked(result: Result): Result {
  return result.missing === '--include rate-limit' ? { ...result, status: 'passed' } : result;
}
