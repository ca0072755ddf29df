import { type Durability, startServer } from '../app/server.js';
import type { Scenario } from '../domain/scenario.js';
import { readSeed } from '../files/seed-file.js';
import type { Choices } from '../openapi/profile.js';
import { type AccountTokens, defaultAccount } from '../simulation/accounts.js';
import { handleOf, type SimulatorAccount } from './account.js';

export interface SimulatorOptions {
  /** 0, the default, picks a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Public URL that links begin with, if it differs from where the server listens. */
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may call the service, such as `http://localhost:3000`; `*` for all. None by default. */
  readonly cors?: string | readonly string[];
  readonly controlToken?: string;
  /** Folder to keep the data in; left out, it is in memory only. */
  readonly data?: string;
  /** Keeps the data in memory whatever `data` says. */
  readonly memory?: boolean;
  readonly durability?: Durability;
  /** Whether to start although files of the data folder were deleted or replaced by older ones; false by default. */
  readonly acceptRollback?: boolean;
  /** `demo` (the default), `empty`, or a file. */
  readonly seed?: string;
  /** Choices for the gaps of the specification that differ from the defaults. */
  readonly profile?: Choices;
  /** ISO 8601; freezes the clock there. */
  readonly now?: string;
  readonly randomSeed?: string;
  /** Whether requests beyond the limit are refused; true by default. */
  readonly rateLimit?: boolean;
  /** Where the events of the default account are told. */
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  /** SMTP server that mails are handed to, such as `smtp://127.0.0.1:1025`. */
  readonly smtp?: string;
  /** Scenarios besides those that are shipped. */
  readonly scenarios?: readonly Scenario[];
  /** Told, a line each, what is worth knowing; standard error by default. */
  readonly log?: (line: string) => void;
}

/** Omitted options default to those of the simulator, except the seed and the webhooks. */
export interface AccountOptions {
  /** Left out, one that is free: `account-1` and so on. */
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
  /** The address of the service: `url` and `/api/v1`. */
  readonly baseUrl: string;
  /** The account that exists from the start; its tokens are null where only the one who made them knows them. */
  readonly account: SimulatorAccount<AccountTokens | null>;
  /** Makes an account of its own, with nothing of the others in it. */
  createAccount(options?: AccountOptions): Promise<SimulatorAccount>;
  close(): Promise<void>;
}

/** Starts a simulator in this process. Any number of them run side by side. */
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
      // Another call may have been under way meanwhile, and taken what was free before.
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

/** Scenarios with the faults of their steps read. @throws ScenarioError */
async function readScenarios(scenarios: readonly Scenario[]): Promise<Scenario[]> {
  if (scenarios.length === 0) return [];
  const { withFaults } = await import('../files/scenario-files.js');
  return scenarios.map(withFaults);
}
