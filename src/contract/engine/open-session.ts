import { isBearerToken } from '../../lib/bearer-token.js';
import { isLoopback } from '../../lib/loopback.js';
import { parseUrl } from '../../lib/parse-url.js';
import { withoutTrailingSlashes } from '../../lib/path-template.js';
import { whenAborted } from '../../lib/when-aborted.js';
import type { Driver, DriverFactory, LoadedDriver } from '../drivers/driver.js';
import { loadDriver, makeDriver } from '../drivers/load-driver.js';
import { type ControlledAccount, isSimulator, makeSimulatorDriver, rejectingDriver } from '../drivers/simulator.js';
import { redactorFor } from '../report/redact.js';
import { CannotRun } from './cannot-run.js';
import type { Connections } from './connections.js';
import { type OnWait, type PaceOption, requestsPerMinute, type TargetPace } from './pace.js';
import { checkCustomer, checkTokens, checkWebhookPort, preflight } from './preflight.js';
import { noDriver, Session } from './session.js';
import { Target } from './target.js';

/** Options of a run: the target, its tokens and driver, and limits for the suite. */
export interface ContractOptions {
  /** Base URL including the version prefix: `https://billing.example/api/v1`. */
  readonly baseUrl: string;
  /** Token with both scopes. */
  readonly token: string;
  /** Token with only the read scope; clauses that need it are skipped without it. */
  readonly readToken?: string | undefined;
  /** Token with only the write scope; clauses that need it are skipped without it. */
  readonly writeToken?: string | undefined;
  /** Token without any scope, if the target has such tokens; clauses that need it are skipped without it. */
  readonly scopelessToken?: string | undefined;
  /**
   * Token with both scopes of another account of the same service, which must not see or change the records of the
   * account of `token`; clauses that need it are skipped without it.
   */
  readonly otherAccountToken?: string | undefined;
  /** Id of the customer to create invoices for, if no driver creates a customer. */
  readonly customerId?: number | undefined;
  /**
   * A driver, which performs actions on the target that the API does not offer, such as paying a link; a function that
   * creates one at the start of the run; the path of a module with such a function as its default export; or `none`.
   * Default: the built-in driver if the target is a simulator, otherwise none.
   */
  readonly driver?: string | Driver | DriverFactory | undefined;
  /** Token for the control API of a simulator, if it requires one. The built-in driver uses that API. */
  readonly controlToken?: string | undefined;
  /** Secret that the target signs webhooks with, if no driver sets one. */
  readonly webhookSecret?: string | undefined;
  /** Port for receiving webhooks; 0, the default, picks a free port. */
  readonly webhookPort?: number | undefined;
  /** True if the suite may write to the target. Default: true only if the target is on this machine. */
  readonly write?: boolean | undefined;
  /**
   * `auto`, the default, keeps within the rate limit that the target announces; a number is requests per minute; `off`
   * never waits.
   */
  readonly pace?: PaceOption | undefined;
  /**
   * True if the violation of an inferred clause is a failure, not just a warning. An inferred clause checks what the
   * specification suggests but does not say.
   */
  readonly strict?: boolean | undefined;
  /** Optional checks: `rate-limit` for the clauses that exceed the rate limit. */
  readonly include?: readonly string[] | undefined;
  /** Ids of the clauses to check, or prefixes of ids: `INV-CREATE-07`, `INV-CREATE`, `INV`. Default: all. */
  readonly only?: readonly string[] | undefined;
  /**
   * Milliseconds to wait for the headers of a response; the whole response may take twice as long, and driver methods
   * three times. Default: 10,000.
   */
  readonly timeout?: number | undefined;
  /** Milliseconds to wait for asynchronous effects, such as a webhook. Default: 10,000. */
  readonly eventuallyTimeoutMs?: number | undefined;
}

/** Options of a run whose driver, if any, is a file, as in a run that a command starts. */
export type FileDriverOptions = Omit<ContractOptions, 'driver'> & { readonly driver?: string | undefined };

/** Tokens and the webhook secret of a target, which must not be printed. */
export function secretsOf(options: Omit<ContractOptions, 'driver'>): (string | undefined)[] {
  const { token, readToken, writeToken, scopelessToken, otherAccountToken, webhookSecret, controlToken } = options;
  return [token, readToken, writeToken, scopelessToken, otherAccountToken, webhookSecret, controlToken];
}

const defaultTimeoutMs = 10_000;

/** Creates the target of a run. @throws CannotRun */
export function createTarget(
  options: ContractOptions,
  onWait?: OnWait,
  pace: TargetPace = options.pace ?? 'auto',
  connections?: Connections,
): Target {
  const { baseUrl, token, readToken, writeToken, scopelessToken, otherAccountToken, webhookSecret, write } = options;
  const problem = whyInvalid(options);
  if (problem !== undefined) throw new CannotRun(problem);
  return new Target({
    baseUrl: withoutTrailingSlashes(baseUrl),
    tokens: {
      full: token,
      read: readToken,
      write: writeToken,
      scopeless: scopelessToken,
      otherAccount: otherAccountToken,
    },
    webhookSecret,
    timeoutMs: options.timeout ?? defaultTimeoutMs,
    pace,
    mayWrite: write ?? isLoopback(new URL(baseUrl).hostname),
    onWait,
    connections,
  });
}

/** Explains why the base URL or a token is invalid; undefined if they are valid. */
function whyInvalid(options: ContractOptions): string | undefined {
  const { baseUrl, token, readToken, writeToken, scopelessToken, otherAccountToken } = options;
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    return `${baseUrl} is not a base URL: it must begin with http:// or https://`;
  if (url.username !== '' || url.password !== '') return 'the base URL contains credentials; use a token instead';
  if (url.search !== '' || url.hash !== '') return `the base URL ${baseUrl} must not have a query or a fragment`;
  const optionsByToken = new Map<string, string>();
  for (const [option, value] of [
    ['--token', token],
    ['--read-token', readToken],
    ['--write-token', writeToken],
    ['--scopeless-token', scopelessToken],
    ['--other-account-token', otherAccountToken],
  ] as const) {
    if (value === undefined) continue;
    if (!isBearerToken(value)) return 'a token must be printable ASCII without spaces';
    // A token passed for two options is the wrong one for one of them, so a correct target would look faulty.
    const other = optionsByToken.get(value);
    if (other !== undefined) return `${option} and ${other} are the same; pass a different token for each`;
    optionsByToken.set(value, option);
  }
  return undefined;
}

/**
 * Opens the session of a run: checks that the target responds, creates the driver, and checks that the target accepts
 * the tokens. If the run may write, also checks that `webhookPort` is free, and that the target accepts `customerId`. The
 * caller must close the session.
 * @param signal ends the opening immediately, even while the suite waits for the rate limit, but not while the driver is
 *   created
 * @throws CannotRun, also if the signal is aborted; DriverError
 */
export async function openSession(options: ContractOptions, onWait?: OnWait, signal?: AbortSignal): Promise<Session> {
  const preflightTarget = createTarget(options, onWait);
  if (preflightTarget.options.mayWrite) await checkWebhookPort(options.webhookPort);
  const { headers } = await unlessInterrupted(preflight(preflightTarget), signal);
  const { connections } = preflightTarget;
  // A target may close a connection after a response without saying so. If it does, requests stop sharing connections.
  await connections.waitForClosing();
  // The signal does not interrupt this step: once created, a driver must be closed, so that it restores settings.
  const { driver, name, account, restoreLimit } = await prepareDriver(options, preflightTarget);
  const { pace: chosenPace = 'auto' } = options;
  // A simulator sends rate-limit headers even while the driver has turned its limit off; they must not slow the run. A
  // gateway in front of it may still refuse requests.
  const pace = restoreLimit && chosenPace === 'auto' ? 'after-refusal' : chosenPace;
  const target = createTarget(options, onWait, pace, connections);
  target.requestCount = preflightTarget.requestCount;
  if (options.controlToken !== undefined) target.redactFromNowOn(options.controlToken);
  const session = new Session(target, driver, name, {
    customerId: options.customerId,
    webhookPort: options.webhookPort,
    webhookSecret: options.webhookSecret,
    eventuallyTimeoutMs: options.eventuallyTimeoutMs,
    driverTimeoutMs: driverTimeoutOf(options),
    includeRateLimit: options.include?.includes('rate-limit'),
    beforeExceedingRateLimit: restoreLimit,
    account,
    requestsPerMinute: requestsPerMinute(pace, headers),
  });
  try {
    if (signal?.aborted) throw interrupted();
    // Checked only after the driver of a simulator has turned the rate limit off, since other clients may have used up
    // the limit. Some clauses examine all responses of the session's target, so the check of the tokens, whose requests
    // belong to no clause, uses a separate target. The check of the customer creates an invoice that clauses use, too.
    const tokenCheckTarget = createTarget(options, onWait, pace, connections);
    await unlessInterrupted(checkTokens(tokenCheckTarget), signal);
    if (target.options.mayWrite) await unlessInterrupted(checkCustomer(session), signal);
    target.requestCount += tokenCheckTarget.requestCount;
    return session;
  } catch (error) {
    // The reason why the run cannot start matters more than an error of the driver's `close`.
    await session.close().catch(() => undefined);
    throw error;
  }
}

const interrupted = (): CannotRun => new CannotRun('the run was interrupted before its first check');

/** Waits for a step of the opening, but no longer than until the run is interrupted. @throws CannotRun */
function unlessInterrupted<Value>(step: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  const interruption = whenAborted(signal).then((): never => {
    throw interrupted();
  });
  return Promise.race([step, interruption]);
}

/** The name that reports show if a run has no driver. */
const noDriverName = 'no driver';

interface NamedDriver {
  readonly driver: LoadedDriver;
  /** Name in messages and reports. */
  readonly name: string;
  /** The account of a simulator that the driver controls; undefined for other drivers. */
  readonly account?: ControlledAccount;
  /** Restores the target's rate limit; undefined if the driver has not turned it off. */
  readonly restoreLimit?: () => Promise<unknown>;
}

async function prepareDriver(
  options: ContractOptions,
  { options: { baseUrl, mayWrite } }: Target,
): Promise<NamedDriver> {
  const { driver, token, controlToken } = options;
  if (driver === 'none') return { driver: noDriver, name: noDriverName };
  if (typeof driver === 'object') return { driver, name: 'the driver' };
  if (driver !== undefined) {
    return {
      driver: await makeUserDriver(driver, { ...options, baseUrl }),
      name: typeof driver === 'string' ? `the driver ${driver}` : 'the driver',
    };
  }
  if (!(await isSimulator(baseUrl))) return { driver: noDriver, name: noDriverName };
  const name = 'the driver of the simulator';
  // A read-only run changes nothing, not even settings.
  if (!mayWrite) return { driver: rejectingDriver, name };
  return { name, ...(await makeSimulatorDriver(baseUrl, token, controlToken)) };
}

/** Creates the driver that the user passed. Redacts its error, which may quote a token. @throws CannotRun */
export async function makeUserDriver(driver: string | DriverFactory, options: ContractOptions): Promise<LoadedDriver> {
  const { baseUrl, token } = options;
  const timeoutMs = driverTimeoutOf(options);
  try {
    return typeof driver === 'string'
      ? await loadDriver(driver, { baseUrl, token }, timeoutMs)
      : await makeDriver(driver, { baseUrl, token }, timeoutMs);
  } catch (error) {
    throw error instanceof CannotRun ? new CannotRun(redactorFor(secretsOf(options))(error.message)) : error;
  }
}

/** Returns the timeout for driver methods in milliseconds. */
export function driverTimeoutOf({ timeout = defaultTimeoutMs }: ContractOptions): number {
  return timeout * 3;
}
