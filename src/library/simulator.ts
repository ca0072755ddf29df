import { type Durability, startServer } from '../app/server.js';
import type { Scenario } from '../domain/scenario.js';
import { readSeed } from '../files/seed-file.js';
import type { Choices } from '../openapi/profile.js';
import { type AccountTokens, defaultAccount } from '../simulation/accounts.js';
import { handleOf, type SimulatorAccount } from './account.js';

export interface SimulatorOptions {
  /** Default: 0, which picks a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Prefix of links, if it differs from where the server listens. */
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may call the service, such as `http://localhost:3000`; `*` for all. None by default. */
  readonly cors?: string | readonly string[];
  readonly controlToken?: string;
  /** Data folder; default: in memory only. */
  readonly data?: string;
  /** Keeps the data in memory even if `data` is set. */
  readonly memory?: boolean;
  readonly durability?: Durability;
  /** Whether to start although files of the data folder were deleted or replaced by older ones; false by default. */
  readonly acceptRollback?: boolean;
  /** `demo` (the default), `empty`, or a file. */
  readonly seed?: string;
  /** Choices for gaps of the specification that differ from the defaults. */
  readonly profile?: Choices;
  /** ISO 8601 time at which to freeze the clock. */
  readonly now?: string;
  readonly randomSeed?: string;
  /** Whether requests beyond the limit are refused; default: true. */
  readonly rateLimit?: boolean;
  /** URL that receives the webhooks of the default account. */
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  /** SMTP server that sends the mails, such as `smtp://127.0.0.1:1025`. */
  readonly smtp?: string;
  /** Scenarios besides the built-in ones. */
  readonly scenarios?: readonly Scenario[];
  /** Receives log messages, one line each; default: printed to stderr. */
  readonly log?: (line: string) => void;
}

/** Omitted options default to those of the simulator, except the seed and the webhooks. */
export interface AccountOptions {
  /** Default: a free id, `account-1` and so on. */
  readonly id?: string;
  /** `empty` (the default), `demo`, or a file. */
  readonly seed?: string;
  readonly profile?: Choices;
  readonly now?: string;
  readonly randomSeed?: string;
  readonly rateLimit?: boolean;
  readonly webhookUrl?: string | null;
  readonly webhookSecret?: string;
}

export interface Simulator {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Base URL of the service: `url` and `/api/v1`. */
  readonly baseUrl: string;
  /** The default account; its tokens are null if they are only known to whoever created them. */
  readonly account: SimulatorAccount<AccountTokens | null>;
  /** Creates an account, isolated from all others. */
  createAccount(options?: AccountOptions): Promise<SimulatorAccount>;
  close(): Promise<void>;
}

/** Starts a simulator in this process. Several can run at the same time. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const server = await startServer({
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    publicUrl: options.publicUrl,
    allowedHosts: options.allowedHosts ?? [],
    cors: typeof options.cors === 'string' ? [options.cors] : options.cors,
    controlToken: options.controlToken,
    folder: options.memory ? undefined : options.data,
    durability: options.durability ?? 'os',
    acceptRollback: options.acceptRollback,
    seed: await readSeed(options.seed ?? 'demo'),
    choices: options.profile,
    now: options.now,
    randomSeed: options.randomSeed,
    rateLimit: options.rateLimit ?? true,
    webhookUrl: options.webhookUrl,
    webhookSecret: options.webhookSecret,
    smtp: options.smtp,
    scenarios: options.scenarios && (await readScenarios(options.scenarios)),
    log: options.log ?? ((line) => console.error(line)),
  });
  const { accounts, commits } = server.world;
  return {
    url: server.url,
    baseUrl: `${server.url}/api/v1`,
    account: handleOf(defaultAccount, server.tokens ?? null, accounts, server.views),
    async createAccount({ seed = 'empty', profile = options.profile, ...own } = {}) {
      const { tokens: _fixed, ...contents } = await readSeed(seed);
      // A concurrent call may have taken the free id.
      const { id = accounts.freeId() } = own;
      const { tokens } = accounts.create({
        ...own,
        id,
        seed: contents,
        choices: profile,
        now: own.now ?? options.now,
        rateLimit: own.rateLimit ?? options.rateLimit,
      });
      await commits.settled();
      return handleOf(id, tokens, accounts, server.views);
    },
    close: () => server.close(),
  };
}

/** Parses the faults in the steps of scenarios. @throws ScenarioError */
async function readScenarios(scenarios: readonly Scenario[]): Promise<Scenario[]> {
  if (scenarios.length === 0) return [];
  const { withFaults } = await import('../files/scenario-files.js');
  return scenarios.map(withFaults);
}
