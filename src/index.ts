import { readSeed } from './fixtures.js';
import type { Choices } from './http/profile.js';
import { startServer } from './server.js';
import { type AccountTokens, defaultAccount } from './simulation/accounts.js';
import type { Durability } from './store/journal.js';

export type { paths } from './generated/billing-types.js';
export type { AccountTokens, Choices, Durability };

export interface SimulatorOptions {
  /** 0, the default, picks a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly allowedHosts?: readonly string[];
  readonly controlToken?: string;
  /** Folder to keep the data in; left out, it is in memory only. */
  readonly data?: string;
  readonly durability?: Durability;
  /** `demo` (the default), `empty`, or a file. */
  readonly seed?: string;
  /** Choices for the gaps of the specification that differ from the defaults. */
  readonly profile?: Choices;
  /** ISO 8601; freezes the clock there. */
  readonly now?: string;
  readonly randomSeed?: string;
  /** Whether requests beyond the limit are refused; true by default. */
  readonly rateLimit?: boolean;
  /** Told, a line each, what is worth knowing; standard error by default. */
  readonly log?: (line: string) => void;
}

/** What is left out is as for the simulator, but for the seed. */
export interface AccountOptions {
  readonly id: string;
  /** `empty` (the default), `demo`, or a file. */
  readonly seed?: string;
  readonly profile?: Choices;
  readonly now?: string;
  readonly randomSeed?: string;
  readonly rateLimit?: boolean;
}

export interface SimulatorAccount {
  readonly id: string;
  readonly tokens: AccountTokens;
}

export interface Simulator {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The address of the service: `url` and `/api/v1`. */
  readonly baseUrl: string;
  /** The account that exists from the start; its tokens are null where only the one who made them knows them. */
  readonly account: { readonly id: string; readonly tokens: AccountTokens | null };
  /** Makes an account of its own, with nothing of the others in it. */
  createAccount(options: AccountOptions): Promise<SimulatorAccount>;
  close(): Promise<void>;
}

/** Starts a simulator in this process. Any number of them run side by side. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const server = await startServer({
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    allowedHosts: options.allowedHosts ?? [],
    controlToken: options.controlToken,
    folder: options.data,
    durability: options.durability ?? 'os',
    seed: await readSeed(options.seed ?? 'demo'),
    choices: options.profile,
    now: options.now,
    randomSeed: options.randomSeed,
    rateLimit: options.rateLimit ?? true,
    log: options.log ?? ((line) => console.error(line)),
  });
  return {
    url: server.url,
    baseUrl: `${server.url}/api/v1`,
    account: { id: defaultAccount, tokens: server.tokens ?? null },
    async createAccount({ id, seed = 'empty', profile = options.profile, ...own }) {
      const { tokens: _fixed, ...contents } = await readSeed(seed);
      const { tokens } = server.world.accounts.create({
        id,
        seed: contents,
        choices: profile,
        now: own.now ?? options.now,
        randomSeed: own.randomSeed ?? (options.randomSeed === undefined ? undefined : `${options.randomSeed} ${id}`),
        rateLimit: own.rateLimit ?? options.rateLimit,
      });
      await server.world.ledger.settled();
      return { id, tokens };
    },
    close: () => server.close(),
  };
}
