import { hash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { instant } from '../domain/dates.js';
import type { Profile } from '../domain/gaps.js';
import type { Scope, Token } from '../domain/records.js';
import { invalid, Refusal } from '../domain/refusal.js';
import { Account } from './account.js';
import type { WorldOptions } from './create-world.js';
import type { Ledger } from './ledger.js';
import { buildSeed, type Seed } from './seed.js';
import type { AccountRecord, ClockState, Commit, MachineClock, Put } from './world.js';

/** Ids are part of tokens and of the addresses of pages. */
const accountIdForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** The account that exists from the start, and whose profile and clock answer where no account is known. */
export const defaultAccount = 'demo';

export interface NewAccount {
  readonly id: string;
  readonly seed: Seed;
  /** The choices that differ from the defaults. */
  readonly choices?: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601; freezes the clock there. */
  readonly now?: string | undefined;
  readonly randomSeed?: string | undefined;
  readonly rateLimit?: boolean | undefined;
}

export interface AccountTokens {
  readonly full: string;
  readonly read: string;
  readonly write: string;
}

const grants: Record<keyof AccountTokens, readonly Scope[]> = {
  full: ['billing.read', 'billing.write'],
  read: ['billing.read'],
  write: ['billing.write'],
};

/** All accounts, and the way from a token to its account. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #byHash = new Map<string, { account: Account; token: Token }>();
  readonly #machine: MachineClock;
  readonly #ledger: Ledger;
  readonly #resolve: (choices: Readonly<Record<string, unknown>>) => Profile;
  readonly #secret: () => string;

  constructor(
    ledger: Ledger,
    { clock, secret, resolveProfile }: Pick<WorldOptions, 'clock' | 'secret' | 'resolveProfile'>,
  ) {
    this.#machine = clock;
    this.#ledger = ledger;
    this.#resolve = resolveProfile;
    this.#secret = secret;
  }

  get(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  all(): Account[] {
    return [...this.#accounts.values()];
  }

  /** The account and record of a token; undefined for one that is unknown or has expired (gap auth.token-lifetime). */
  ofToken(text: string): { account: Account; token: Token } | undefined {
    const given = digest(text);
    const found = this.#byHash.get(given);
    if (!found || !timingSafeEqual(Buffer.from(found.token.hash), Buffer.from(given))) return undefined;
    const lifetime = found.account.profile['auth.token-lifetime'];
    const expired =
      typeof lifetime !== 'string' && found.account.now() >= Date.parse(found.token.created_at) + lifetime.after;
    return expired ? undefined : found;
  }

  /**
   * Makes an account with its seed data and three tokens.
   * @throws Refusal account-exists, invalid; SeedError
   */
  create(options: NewAccount): { account: Account; tokens: AccountTokens } {
    if (!accountIdForm.test(options.id)) throw invalid('id', 'pattern', { pattern: accountIdForm.source });
    if (this.#accounts.has(options.id)) throw new Refusal('account-exists');
    const record: AccountRecord = {
      id: options.id,
      currency: options.seed.currency,
      time_zone: options.seed.time_zone,
      rate_limit: options.rateLimit ?? true,
      clock: options.now === undefined ? { mode: 'real', offset: 0 } : frozenClock(options.now),
      profile: options.choices ?? {},
      random_seed: options.randomSeed ?? this.#secret(),
      created_at: instant(options.now === undefined ? this.#machine.now() : Date.parse(options.now)),
    };
    const account = this.#newAccount(record);
    const tokens = options.seed.tokens ?? makeTokens(account, this.#tokenSecrets(account, options.randomSeed));
    const put: Put = {
      account: [record],
      tokens: [
        tokenRecord(1, 'full', tokens, record.created_at),
        tokenRecord(2, 'read', tokens, record.created_at),
        tokenRecord(3, 'write', tokens, record.created_at),
      ],
      ...buildSeed(options.seed, account),
    };
    account.load(put);
    this.#accounts.set(record.id, account);
    void this.#ledger.record({ account: record.id, put }, () => this.#drop(account));
    this.#indexTokens(account);
    return { account, tokens };
  }

  /** Changes what an account was made with; what is undefined stays. @throws Refusal account-unknown */
  reconfigure(id: string, changes: Pick<NewAccount, 'choices' | 'now' | 'rateLimit'>): void {
    const before = this.#accounts.get(id);
    if (!before) throw new Refusal('account-unknown');
    const record: AccountRecord = {
      ...before.record,
      ...(changes.rateLimit === undefined ? {} : { rate_limit: changes.rateLimit }),
      ...(changes.choices === undefined ? {} : { profile: changes.choices }),
      ...(changes.now === undefined ? {} : { clock: frozenClock(changes.now) }),
    };
    if (isDeepStrictEqual(record, before.record)) return;
    if (!isDeepStrictEqual(record.profile, before.record.profile)) this.#rebuild(before, record);
    void this.#accounts.get(id)?.commit({ account: [record] });
  }

  /** The tokens of an account, if they are the given ones or followed from a random seed. Others are known to nobody. */
  knownTokens(id: string, fixed: AccountTokens | undefined): AccountTokens | undefined {
    const account = this.#accounts.get(id);
    const candidates = account ? [fixed, makeTokens(account, seededSecrets(account))] : [];
    return candidates.find((tokens) => tokens && this.ofToken(tokens.full)?.account === account);
  }

  /** Takes a stored commit into memory. */
  load(commit: Commit): void {
    const known = this.#accounts.get(commit.account);
    const [record] = commit.put.account ?? [];
    const account = known ?? (record && this.#add(record));
    if (!account) throw new Error(`a stored commit is about the unknown account ${commit.account}`);
    account.load(commit.put);
    if (commit.put.tokens) this.#indexTokens(account);
  }

  #newAccount(record: AccountRecord): Account {
    return new Account(record, this.#resolve(record.profile), this.#machine, this.#ledger);
  }

  #add(record: AccountRecord): Account {
    const account = this.#newAccount(record);
    this.#accounts.set(record.id, account);
    return account;
  }

  /** Secrets that what is stored tells nobody; or, where a random seed was asked for, those that follow from it. */
  #tokenSecrets(account: Account, randomSeed: string | undefined): TokenSecrets {
    return randomSeed === undefined ? () => this.#secret() : seededSecrets(account);
  }

  /** What follows from the profile (totals, what falls due when) is made anew with the account. */
  #rebuild(before: Account, record: AccountRecord): void {
    const account = this.#add(record);
    account.load({ ...before.contents(), account: [record] });
    this.#indexTokens(account);
  }

  #drop(account: Account): void {
    this.#accounts.delete(account.id);
    for (const token of account.tokens.rows) this.#byHash.delete(token.hash);
  }

  #indexTokens(account: Account): void {
    for (const token of account.tokens.rows) this.#byHash.set(token.hash, { account, token });
  }
}

function frozenClock(iso: string): ClockState {
  return { mode: 'frozen', at: instant(Date.parse(iso)) };
}

function digest(token: string): string {
  return hash('sha256', token);
}

function tokenRecord(id: number, name: keyof AccountTokens, tokens: AccountTokens, at: string): Token {
  return { id, name, hash: digest(tokens[name]), scopes: grants[name], created_at: at };
}

type TokenSecrets = (name: keyof AccountTokens) => string;

function makeTokens(account: Account, secrets: TokenSecrets): AccountTokens {
  const token = (name: keyof AccountTokens): string => `${account.id}_${name}_${secrets(name)}`;
  return { full: token('full'), read: token('read'), write: token('write') };
}

function seededSecrets(account: Account): TokenSecrets {
  return (name) => account.chance(`token ${name}`).slice(0, 32);
}
