import { defaultDriverTimeoutMs } from '../../contract/drivers/drive.js';
import { type Driver, type DriverMethod, driverMethods } from '../../contract/drivers/driver.js';
import { loadDriver } from '../../contract/drivers/file.js';
import { driveSimulator, idleDriver, isSimulator } from '../../contract/drivers/simulator.js';
import { checkClauses } from '../../contract/engine/check-clauses.js';
import { requestsToExceed } from '../../contract/engine/estimate.js';
import { valueAt } from '../../contract/engine/expect.js';
import type { PlainOptions } from '../../contract/engine/open-session.js';
import { openSession, targetOf } from '../../contract/engine/open-session.js';
import { requestsPerMinute } from '../../contract/engine/pace.js';
import { preflight } from '../../contract/engine/preflight.js';
import type { Result } from '../../contract/engine/run.js';
import { selected } from '../../contract/engine/select.js';
import type { SimulatorAccount } from '../../library/account.js';
import { startSimulator } from '../../library/simulator.js';

/** Forecast of a run, as far as possible without one. */
export interface DryRun {
  readonly target: string;
  readonly mayWrite: boolean;
  /** Requests that were sent to the target, to see that it is there. All of them only read. */
  readonly requestsSent: number;
  readonly results: readonly Result[];
  /** About how many requests the run would take. */
  readonly requests: number;
  /** As many of them a minute; undefined where the run would wait for nothing. */
  readonly requestsPerMinute: number | undefined;
}

/**
 * Rehearses a run on a simulator of our own, with just what there is for the target: its tokens, the methods of its
 * driver, what may be done to it. What the suite would skip there it skips here.
 * @throws CannotRun if the target does not answer as it must
 */
export async function dryRun(
  options: PlainOptions,
  onClause: (progress: { readonly requests: number }) => void,
): Promise<DryRun> {
  const target = targetOf(options);
  const list = await preflight(target);
  const { baseUrl, mayWrite, pace } = target.options;
  const isDriven = options.driver === undefined && (await isSimulator(baseUrl));
  const methods = await methodsFor(options, baseUrl, isDriven);
  const simulator = await startSimulator({ memory: true, seed: 'empty', log: () => undefined });
  try {
    const isEmpty = Number(valueAt(list.json, 'data.total')) === 0;
    const account = await simulator.createAccount({ seed: isEmpty ? 'empty' : 'demo' });
    const { driver } = await driveSimulator(simulator.baseUrl, account.tokens.full, undefined);
    for (const method of driverMethods) if (!methods.has(method)) delete driver[method];
    if (options.webhookPort) await expectWebhooks(account, options);
    const session = await openSession({
      ...(await simulatorOptions(options, account)),
      baseUrl: simulator.baseUrl,
      driver,
      write: mayWrite,
      pace: 'off',
    });
    const results: Result[] = [];
    const chosen = selected(options.only);
    try {
      for await (const result of checkClauses(session, chosen)) {
        results.push(result);
        onClause(session.target);
      }
    } finally {
      await session.close();
    }
    const isExceeding = options.include?.includes('rate-limit') === true;
    return {
      target: baseUrl,
      mayWrite,
      requestsSent: target.requests,
      results: results.map((result) => (isExceeding ? asIfIncluded(result) : result)),
      requests: session.target.requests + (isExceeding ? requestsToExceed(chosen) : 0),
      // The driver of a simulator turns its rate limit off.
      requestsPerMinute: requestsPerMinute(isDriven && mayWrite && pace === 'auto' ? 'off' : pace, list.headers),
    };
  } finally {
    await simulator.close();
  }
}

/** Methods of the target's driver, which is loaded but not called. */
async function methodsFor(
  { driver, token }: PlainOptions,
  baseUrl: string,
  isDriven: boolean,
): Promise<Set<DriverMethod>> {
  let own: Driver = isDriven ? idleDriver : {};
  if (driver !== undefined && driver !== 'none') {
    own = await loadDriver(driver, { baseUrl, token }, defaultDriverTimeoutMs);
    await own.close?.();
  }
  return new Set(driverMethods.filter((method) => own[method] !== undefined));
}

/** Where the tester has the target send its webhooks, the account does so. */
async function expectWebhooks(
  { webhooks }: SimulatorAccount,
  { webhookPort, webhookSecret }: PlainOptions,
): Promise<void> {
  await webhooks.configure({
    url: `http://127.0.0.1:${webhookPort}/`,
    ...(webhookSecret === undefined ? {} : { secret: webhookSecret }),
  });
}

/** Options for the simulator in place of those for the target: as many tokens, a customer. */
async function simulatorOptions(options: PlainOptions, { tokens, customers }: SimulatorAccount): Promise<PlainOptions> {
  const { readToken, writeToken, customerId } = options;
  const customer = { name: 'Ada Lovelace', email: 'ada@example.com' };
  return {
    ...options,
    token: tokens.full,
    readToken: readToken && tokens.read,
    writeToken: writeToken && tokens.write,
    customerId: customerId && (await customers.create(customer)).id,
    controlToken: undefined,
    include: [],
  };
}

/** Counts a clause as checked that is skipped only because this is a dry run. */
function asIfIncluded(result: Result): Result {
  return result.missing === '--include rate-limit' ? { ...result, status: 'passed' } : result;
}
