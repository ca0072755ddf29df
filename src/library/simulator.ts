import { resolve } from 'node:path';
import { type Durability, startServer } from '../app/server.js';
import { formatInstant } from '../domain/dates.js';
import { defaultAccountId } from '../domain/defaults.js';
import type { Seed } from '../domain/seed.js';
import { ServiceError } from '../domain/service-error.js';
import { parseSeed, readSeed } from '../files/seed-file.js';
import { didYouMean } from '../lib/did-you-mean.js';
import { errorMessage } from '../lib/errors.js';
import { expectedHostName, isHostName } from '../lib/host-name.js';
import { requireKnownOptions } from '../lib/known-options.js';
import { lazy } from '../lib/lazy.js';
import { quote } from '../lib/messages.js';
import { UserError } from '../lib/user-error.js';
import { type Choices, resolveProfile } from '../openapi/profile.js';
import type { AccountTokens } from '../simulation/tokens.js';
import { baseUrlOf, handleOf, type SimulatorAccount } from './account.js';
import { type OptionType, requireChoices, requireOptionTypes, requirePort, requireSeed } from './check-options.js';
import { readTime } from './clock.js';
import { collectAccount } from './created-accounts.js';
import { libraryError, simulatorClosedError, toClosedError } from './library-error.js';
import type { NewSeed } from './new-seed.js';
import { compileScenario, type Scenario } from './scenario.js';
import { toJson, validInput } from './valid-input.js';

/** Options of `startSimulator`. Most are those of `billing-sim start`. */
export interface SimulatorOptions {
  /** Port to listen on; default: 0, which picks a free one. */
  readonly port?: number;
  /** Address to listen on; default: `127.0.0.1`. Any but a loopback address requires a `controlToken`. */
  readonly host?: string;
  /** Origin of links to the simulator, such as the origin of a reverse proxy; default: where the server listens. */
  readonly publicUrl?: string;
  /** Host names that requests may have in `Host`, besides loopback ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may call the service, such as `http://localhost:3000`; `*` for all. None by default. */
  readonly cors?: string | readonly string[];
  /** Token that requests to the control API and the dashboard must have. None by default. */
  readonly controlToken?: string;
  /** Data folder; default: in memory only. */
  readonly data?: string;
  /** Keeps the data in memory even if `data` is set. */
  readonly memory?: boolean;
  /**
   * Crashes that an acknowledged write survives: those of the process (`os`, the default), or also those of the machine
   * (`disk`).
   */
  readonly durability?: Durability;
  /** Starts even if files of the data folder were deleted or replaced by older ones; default: false. */
  readonly acceptRollback?: boolean;
  /** Initial records: `demo` (the default), `empty`, a file, or the records themselves. */
  readonly seed?: string | NewSeed;
  /** Choices that differ from the defaults, for gaps in the specification. */
  readonly profile?: Choices;
  /**
   * Time at which to freeze the clock: a `Date`, or an ISO 8601 string with a date, or a time with a UTC offset. The
   * clock of an account that the data folder already contains never goes back: an earlier time is logged and ignored.
   */
  readonly now?: string | Date;
  /** Text that ids, tokens and webhook secrets are derived from; by default they are random. */
  readonly randomSeed?: string;
  /** Refuses requests beyond the rate limit. Default: as stored in the data folder, true for a new account. */
  readonly rateLimit?: boolean;
  /** URL that receives the webhooks of the default account, such as `localhost:3000/webhooks`. */
  readonly webhookUrl?: string;
  /** Secret that signs the webhooks of the default account; random by default. */
  readonly webhookSecret?: string;
  /** SMTP server that sends the emails, such as `smtp://127.0.0.1:1025`. */
  readonly smtp?: string;
  /** Scenarios besides the built-in ones; each replaces the built-in one of its name. */
  readonly scenarios?: readonly Scenario[];
  /** Receives log messages, one line each; default: printed to stderr. */
  readonly log?: (line: string) => void;
}

/** Options of an account. Unless stated otherwise, an omitted option has the value that the simulator has for it. */
export interface AccountOptions {
  /** Default: a free id, `account-1` and so on. */
  readonly id?: string;
  /** Initial records: `empty` (the default), `demo`, a file, or the records themselves. */
  readonly seed?: string | NewSeed;
  /** Choices for gaps in the specification. */
  readonly profile?: Choices;
  /** Time at which to freeze its clock: a `Date`, or an ISO 8601 string with a date, or a time with a UTC offset. */
  readonly now?: string | Date;
  /**
   * Text that its ids, tokens and webhook secrets are derived from; default: the random seed of the simulator together
   * with the id of the account.
   */
  readonly randomSeed?: string;
  /** Refuses its requests beyond the rate limit. */
  readonly rateLimit?: boolean;
  /** URL that receives its webhooks, such as `localhost:3000/webhooks`; none by default. */
  readonly webhookUrl?: string | null;
  /** Secret that signs its webhooks; default: a new one. */
  readonly webhookSecret?: string;
}

/**
 * Names of the options that a simulator and an account share. The types of the next two constants make the compiler
 * report a missing option.
 */
const sharedOptionNames = {
  seed: true,
  profile: true,
  now: true,
  randomSeed: true,
  rateLimit: true,
  webhookUrl: true,
  webhookSecret: true,
} as const;

const accountOptionNames: Readonly<Record<keyof AccountOptions, true>> = { id: true, ...sharedOptionNames };

const simulatorOptionNames: Readonly<Record<keyof SimulatorOptions, true>> = {
  port: true,
  host: true,
  publicUrl: true,
  allowedHosts: true,
  cors: true,
  controlToken: true,
  data: true,
  memory: true,
  durability: true,
  acceptRollback: true,
  ...sharedOptionNames,
  smtp: true,
  scenarios: true,
  log: true,
};

/** Types of options that are not checked where they are read. */
const simulatorOptionTypes = {
  host: 'non-empty string',
  publicUrl: 'string',
  allowedHosts: 'string or strings',
  cors: 'string or strings',
  controlToken: 'string',
  data: 'non-empty string',
  memory: 'boolean',
  acceptRollback: 'boolean',
  smtp: 'string',
  scenarios: 'array',
  log: 'function',
} as const satisfies Partial<Record<keyof SimulatorOptions, OptionType>>;

/** A running simulator. */
export interface Simulator {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Base URL of the service: `url` and `/api/v1`. */
  readonly baseUrl: string;
  /**
   * The default account. Its tokens are null if an earlier start generated them, since only their hashes are stored.
   */
  readonly account: SimulatorAccount<AccountTokens | null>;
  /**
   * Creates an account, isolated from all others.
   * @throws ServiceError with the code `invalid`, `account-exists` or `webhook-url-invalid`; RangeError; UserError;
   * Error if the simulator has been closed
   */
  createAccount(options?: AccountOptions): Promise<SimulatorAccount>;
  /**
   * Returns an account that exists, such as one that an earlier start created in the data folder. Its tokens are null,
   * since only their hashes are stored; `apiTokens.create` creates one.
   * @throws ServiceError account-not-found; Error if the simulator has been closed
   */
  getAccount(id: string): Promise<SimulatorAccount<AccountTokens | null>>;
  /** Stops the simulator once everything is stored. Afterwards, methods of its accounts throw an error that says so. */
  close(): Promise<void>;
  /** Closes the simulator at the end of a block with `await using simulator = await startSimulator()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a simulator in this process. Several can run at the same time.
 * @throws ServiceError with the code `invalid`, for an option of the default account; RangeError, for an invalid time;
 * ScenarioError that says where a scenario is invalid; UserError for an unknown option, an option of a wrong
 * type, an invalid host name, a control token that no request can send, or two scenarios of the same name
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  requireKnownOptions(options, simulatorOptionNames);
  requireOptionTypes(options, simulatorOptionTypes);
  requirePort(options.port);
  requireSeed(options.seed);
  requireChoices(options.profile);
  const defaultNow = options.now === undefined ? undefined : readTime(options.now);
  await requireValidOptions(options);
  const log = wrapLog(options.log);
  // An absolute path, since the working directory may change while the simulator runs.
  const folder = options.memory || options.data === undefined ? undefined : resolve(options.data);
  const server = await startServer({
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    publicUrl: options.publicUrl,
    allowedHosts: readHostNames(options.allowedHosts),
    cors: typeof options.cors === 'string' ? [options.cors] : options.cors,
    controlToken: options.controlToken,
    folder,
    durability: readDurability(options.durability),
    acceptRollback: options.acceptRollback,
    seed: (profile) => readSeedOption(options.seed ?? 'demo', profile),
    choices: options.profile,
    now: defaultNow,
    randomSeed: options.randomSeed,
    rateLimit: options.rateLimit,
    webhookUrl: options.webhookUrl,
    webhookSecret: options.webhookSecret,
    smtp: options.smtp,
    scenarios: options.scenarios && (await Promise.all(options.scenarios.map((scenario) => compileScenario(scenario)))),
    log,
  }).catch((error: unknown) => {
    throw libraryError(error, resolveProfile(options.profile ?? {}));
  });
  const { accounts, commits } = server.world;
  const { url } = server;
  if (server.isNowOptionIgnored) {
    const shown = formatInstant(accounts.default().now());
    log(`now has no effect on the demo account: its clock, in ${folder}, already shows ${shown}`);
  }
  let isClosed = false;
  const loadOperations = lazy(async () => {
    const { ControlOperations } = await import('../http/control/invoke-operation.js');
    return new ControlOperations(server.world, server.handlerDependencies);
  });
  const createOrThrowLibraryError: typeof accounts.create = (settings) => {
    try {
      return accounts.create(settings);
    } catch (error) {
      throw libraryError(error, accounts.default().profile);
    }
  };
  const close = (): Promise<void> => {
    isClosed = true;
    return server.close();
  };
  const createHandle = <Tokens>(id: string, tokens: Tokens) =>
    handleOf({ id, tokens, url }, accounts, loadOperations, () => isClosed);
  const defaultAccount = createHandle(defaultAccountId, server.tokens ?? null);
  return {
    url,
    baseUrl: baseUrlOf(url),
    account: defaultAccount,
    async getAccount(id) {
      if (isClosed) throw simulatorClosedError();
      if (id === defaultAccountId) return defaultAccount;
      if (accounts.get(id)) return createHandle(id, null);
      const ids = accounts.all().map((account) => account.id);
      throw libraryError(unknownAccountError(id, ids), accounts.default().profile);
    },
    async createAccount(givenOptions = {}) {
      requireKnownOptions(givenOptions, accountOptionNames);
      const { seed = 'empty', profile = options.profile, ...accountOptions } = givenOptions;
      requireSeed(seed);
      requireChoices(profile);
      const now = accountOptions.now === undefined ? defaultNow : readTime(accountOptions.now);
      await requireValidOptions(accountOptions);
      // Tokens are unique across accounts, so the fixed ones of a seed are dropped, and new ones are created.
      const { tokens: _fixedTokens, ...contents } = await readSeedOption(seed, profile);
      if (isClosed) throw simulatorClosedError();
      // Chosen only now, since a call with an explicit id may have taken it while the seed was read.
      const { id = accounts.freeId() } = accountOptions;
      const settings = { ...accountOptions, id, seed: contents, choices: profile, now };
      const { tokens } = createOrThrowLibraryError({
        ...settings,
        rateLimit: accountOptions.rateLimit ?? options.rateLimit,
      });
      try {
        await commits.whenStored();
      } catch (error) {
        throw isClosed ? toClosedError(error) : error;
      }
      const account = createHandle(id, tokens);
      collectAccount(account, () => !isClosed && accounts.get(id) !== undefined);
      return account;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws FileError, SeedError, ProfileError */
async function readSeedOption(seed: string | NewSeed, choices: Choices = {}): Promise<Seed> {
  return typeof seed === 'string' ? await readSeed(seed, choices) : parseSeed(toJson(seed), choices, 'seed');
}

function unknownAccountError(id: string, ids: readonly string[]): ServiceError {
  return new ServiceError('account-not-found', { hint: `${quote(String(id))}${didYouMean(String(id), ids)}` });
}

const durabilityNames: Readonly<Record<Durability, true>> = { os: true, disk: true };

/** Checks the durability: with an unknown one, writes would survive less than the user expects. @throws UserError */
function readDurability(durability: Durability = 'os'): Durability {
  if (Object.hasOwn(durabilityNames, durability)) return durability;
  const name = String(durability);
  throw new UserError(`unknown durability ${quote(name)}${didYouMean(name, Object.keys(durabilityNames))}`);
}

/** Checks host names, since a URL, or a name with a port, would never match. @throws UserError */
function readHostNames(names: readonly string[] = []): string[] {
  // Plain JavaScript can pass a single name.
  const hostNames = [names].flat();
  const invalidName = hostNames.find((name) => !isHostName(name));
  if (invalidName === undefined) return hostNames;
  throw new UserError(`allowedHosts: expected ${expectedHostName}, not ${quote(invalidName)}`);
}

/**
 * Checks the options that the control API also takes. The others are checked where they are read.
 * @throws ServiceError with the code `invalid`, as the control API does
 */
async function requireValidOptions({
  id,
  randomSeed,
  rateLimit,
  webhookUrl,
  webhookSecret,
}: AccountOptions): Promise<void> {
  const options = {
    id,
    random_seed: randomSeed,
    rate_limit: rateLimit,
    webhook_url: webhookUrl,
    webhook_secret: webhookSecret,
  };
  // Without any of them, as in most tests, nothing has to be loaded.
  if (Object.values(options).every((value) => value === undefined)) return;
  await validInput('createAccount', options);
}

/** Wraps a user's log function. Its errors become warnings, since they could leave a request without a response. */
function wrapLog(log: SimulatorOptions['log'] = (line) => console.error(line)): (line: string) => void {
  return (line) => {
    try {
      log(line);
    } catch (error) {
      process.emitWarning(`the log function has failed: ${errorMessage(error)}`, {
        detail: `The line to log: ${line}`,
      });
    }
  };
}
