import { type DriverMethod, driverMethods } from '../../contract/drivers/driver.js';
import {
  checkControlAccess,
  isSimulator,
  makeSimulatorDriver,
  rejectingDriver,
} from '../../contract/drivers/simulator.js';
import { CannotRun } from '../../contract/engine/cannot-run.js';
import { checkClauses, type Result } from '../../contract/engine/check-clauses.js';
import { classifyFailures } from '../../contract/engine/classify-failures.js';
import { requestsToExceedLimit } from '../../contract/engine/estimate.js';
import { valueAt } from '../../contract/engine/expect.js';
import {
  createTarget,
  driverTimeoutOf,
  type FileDriverOptions,
  makeUserDriver,
  openSession,
} from '../../contract/engine/open-session.js';
import { requestsPerMinute } from '../../contract/engine/pace.js';
import { checkTokens, preflight } from '../../contract/engine/preflight.js';
import { selectClauses } from '../../contract/engine/select.js';
import { noDriver, Session } from '../../contract/engine/session.js';
import type { Target } from '../../contract/engine/target.js';
import { errorMessage } from '../../lib/errors.js';
import type { SimulatorAccount } from '../../library/account.js';
import { startSimulator } from '../../library/simulator.js';

/** Forecast of a run, made without changing anything on the target. */
export interface DryRun {
  readonly target: string;
  readonly mayWrite: boolean;
  readonly results: readonly Result[];
  /** Approximate number of requests that the run would send. */
  readonly estimatedRequests: number;
  /** Pace of the run; undefined if it would not wait between requests. */
  readonly requestsPerMinute: number | undefined;
}

/**
 * Runs the suite on a simulator in place of the target. Uses only the kinds of tokens, the driver methods and the
 * permissions that are available for the target, so that it skips the clauses that a run on the target would skip.
 * @param uncaughtErrors list to which the caller adds uncaught errors during the dry run
 * @throws CannotRun if the target cannot be tested, or if the driver has thrown an uncaught error
 */
export async function dryRun(
  options: FileDriverOptions,
  onClause: (progress: { readonly requestCount: number }) => void,
  uncaughtErrors: readonly unknown[],
): Promise<DryRun> {
  const target = createTarget(options);
  const invoiceList = await preflight(target);
  // A target that is only read, so that nothing but GET requests is sent.
  await checkTokens(createTarget({ ...options, write: false }));
  const { baseUrl, mayWrite, pace } = target.options;
  const usesSimulatorDriver = options.driver === undefined && (await isSimulator(baseUrl));
  if (usesSimulatorDriver && mayWrite) await checkControlAccess(baseUrl, options.controlToken);
  const methods = await methodsFor(options, target, usesSimulatorDriver);
  const simulator = await startSimulator({ memory: true, seed: 'empty', log: () => undefined });
  try {
    const isEmpty = String(valueAt(invoiceList.json, 'data.total')) === '0';
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
        onClause({ requestCount: session.target.requestCount });
      }
    } finally {
      await session.close();
    }
    const { problems, crashes } = classifyFailures(uncaughtErrors, [options.driver], target.redact);
    if (problems[0]) throw new CannotRun(problems[0].line);
    if (crashes[0] !== undefined) throw new Error(crashes[0]);
    const includeRateLimit = options.include?.includes('rate-limit') === true;
    return {
      target: baseUrl,
      mayWrite,
      results: results.map((result) => (includeRateLimit ? assumePassed(result) : result)),
      estimatedRequests: session.target.requestCount + (includeRateLimit ? requestsToExceedLimit(chosen) : 0),
      // The driver for simulators turns the rate limit off, so a run with it does not slow down to stay within the limit.
      requestsPerMinute: requestsPerMinute(
        usesSimulatorDriver && mayWrite && pace === 'auto' ? 'off' : pace,
        invoiceList.headers,
      ),
    };
  } finally {
    await simulator.close();
  }
}

/**
 * Finds the names of the methods that the target's driver has. Creates a driver from a file, but calls only its `close`.
 * @throws CannotRun if the driver cannot be created or closed
 */
async function methodsFor(
  options: FileDriverOptions,
  target: Target,
  usesSimulatorDriver: boolean,
): Promise<Set<DriverMethod>> {
  const { driver: file = 'none' } = options;
  // The rejecting driver has the same methods as the driver for simulators. Only their names matter here.
  let driver = usesSimulatorDriver ? rejectingDriver : noDriver;
  if (file !== 'none') {
    driver = await makeUserDriver(file, { ...options, baseUrl: target.options.baseUrl });
    const session = new Session(target, driver, file, { driverTimeoutMs: driverTimeoutOf(options) });
    await session.close().catch((error: unknown) => {
      throw new CannotRun(target.redact(errorMessage(error)));
    });
  }
  return new Set(driverMethods.filter((method) => driver[method] !== undefined));
}

/** Configures the account to send webhooks, as the tester has configured the target. */
async function configureWebhooks(
  { webhooks }: SimulatorAccount,
  { webhookPort, webhookSecret }: FileDriverOptions,
): Promise<void> {
  await webhooks.configure({
    url: `http://127.0.0.1:${webhookPort}/`,
    ...(webhookSecret === undefined ? {} : { secret: webhookSecret }),
  });
}

/**
 * Replaces the customer and the tokens in the options with those of the simulator's account. Keeps the token without
 * scopes: the clause about it requires that it is refused, and the simulator refuses tokens that it does not know.
 */
async function simulatorOptions(
  options: FileDriverOptions,
  { tokens, customers }: SimulatorAccount,
): Promise<FileDriverOptions> {
  const { readToken, writeToken, customerId } = options;
  const customer = { name: 'Ada Lovelace', email: 'ada@example.com' };
  return {
    ...options,
    token: tokens.full,
    readToken: readToken && tokens.read,
    writeToken: writeToken && tokens.write,
    customerId: customerId && (await customers.create(customer)).id,
    controlToken: undefined,
    // The clauses that exceed the rate limit do not run: `assumePassed` and `requestsToExceedLimit` account for them.
    include: [],
  };
}

/** Counts a clause as passed if it was skipped only because the dry run does not exceed the rate limit. */
function assumePassed(result: Result): Result {
  return result.missing === '--include rate-limit' ? { ...result, status: 'passed' } : result;
}
