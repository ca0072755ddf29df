import { hash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { endOfTime, instant } from '../domain/dates.js';
import type { Scope, Token } from '../domain/records.js';
import type { Seed } from '../domain/seed.js';
import { invalid, ServiceError } from '../domain/service-error.js';
import type { Profile } from '../openapi/gaps.js';
import { Account } from './account.js';
import { tooFar } from './agenda/schedule.js';
import { buildSeed } from './seeding/seed.js';
import type { Ports } from './state/account-state.js';
import type { AccountRecord, ClockState, Commit, RowChanges } from './state/changes.js';
import type { PendingCommits } from './state/pending-commits.js';
import { StoredDataError } from './state/stored-data-error.js';

/** Ids are part of tokens and of the addresses of pages. */
const accountIdForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** The account that exists from the start, and whose profile and clock answer where no account is known. */
export const defaultAccount = 'demo';

export interface NewAccount {
  readonly id: string;
  readonly seed: Seed;
  /** The choices that differ from the defaults. */
  readonly choices?: Choices | undefined;
  /** ISO 8601; freezes the clock there. */
  readonly now?: string | undefined;
  readonly randomSeed?: string | undefined;
  readonly rateLimit?: boolean | undefined;
  /** Null for none, which is what it is at first. */
  readonly webhookUrl?: string | null | undefined;
  readonly webhookSecret?: string | undefined;
}

/** The settings of an account that can be changed later; undefined leaves one as it is. */
export type Settings = Pick<NewAccount, 'choices' | 'rateLimit' | 'webhookUrl' | 'webhookSecret'>;

type Choices = Readonly<Record<string, unknown>>;

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

export interface AccountsOptions {
  readonly ports: Ports;
  /** Returns a text that nobody can guess, another one each time. */
  readonly secret: () => string;
  /** Determines the ids, tokens and secrets of accounts that have no random seed of their own. */
  readonly randomSeed?: string | undefined;
  /** Makes a profile of the choices that differ from the defaults. */
  readonly resolveProfile: (choices: Choices) => Profile;
}

/** All accounts, by id and by token. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #byHash = new Map<string, { account: Account; token: Token }>();
  readonly #ports: Ports;
  readonly #commits: PendingCommits;
  readonly #resolve: (choices: Choices) => Profile;
  readonly #secret: () => string;
  readonly #randomSeed: string | undefined;
  #started = false;

  constructor(commits: PendingCommits, { ports, secret, randomSeed, resolveProfile }: AccountsOptions) {
    this.#ports = ports;
    this.#commits = commits;
    this.#resolve = resolveProfile;
    this.#secret = secret;
    this.#randomSeed = randomSeed;
  }

  get(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  all(): Account[] {
    return [...this.#accounts.values()];
  }

  /** An id that no account has yet: `account-1` and so on. */
  freeId(): string {
    let number = this.#accounts.size;
    while (this.#accounts.has(`account-${number}`)) number += 1;
    return `account-${number}`;
  }

  /** From now on what falls due comes about by itself, and messages go out. */
  start(): void {
    this.#started = true;
    for (const account of this.all()) account.schedule.start();
  }

  /** Nothing comes about any more. */
  stop(): void {
    for (const account of this.all()) account.close();
  }

  /** The account and record of a token; undefined for one that is unknown or has expired (gap auth.token-lifetime). */
  ofToken(text: string): { account: Account; token: Token } | undefined {
    const given = digest(text);
    const found = this.#byHash.get(given);
    if (!found || !timingSafeEqual(Buffer.from(found.token.hash), Buffer.from(given))) return undefined;
    const token = found.account.tokens.get(found.token.id);
    if (!token || token.revoked_at !== null) return undefined;
    const lifetime = found.account.profile['auth.token-lifetime'];
    const expired =
      typeof lifetime !== 'string' && found.account.now() >= Date.parse(found.token.created_at) + lifetime.after;
    return expired ? undefined : found;
  }

  /** The account that a token is, or was, of; undefined for one that is unknown. */
  ownerOf(text: string): Account | undefined {
    return this.#byHash.get(digest(text))?.account;
  }

  /**
   * Makes an account with its seed data and three tokens.
   * @throws ServiceError account-exists, invalid, webhook-url, clock-too-far; SeedError
   */
  create(options: NewAccount): { account: Account; tokens: AccountTokens } {
    const { id, seed } = options;
    if (!accountIdForm.test(id)) throw invalid('id', 'pattern', { pattern: accountIdForm.source });
    if (this.#accounts.has(id)) throw new ServiceError('account-exists');
    this.#checkUrl(options.webhookUrl);
    if (options.now !== undefined && Date.parse(options.now) > endOfTime) throw tooFar();
    const randomSeed = options.randomSeed ?? this.#seedOf(id);
    const clock: ClockState = options.now === undefined ? { mode: 'real', offset: 0 } : frozenClock(options.now);
    const record: AccountRecord = {
      id,
      currency: seed.currency,
      time_zone: seed.time_zone,
      rate_limit: options.rateLimit ?? true,
      clock,
      profile: options.choices ?? {},
      random_seed: randomSeed ?? this.#secret(),
      ...(randomSeed === undefined ? {} : { has_chosen_seed: true }),
      webhook_url: options.webhookUrl ?? null,
      webhook_secret: options.webhookSecret ?? '',
      created_at: instant(clock.mode === 'real' ? this.#ports.clock.now() : Date.parse(clock.at)),
    };
    const account = this.#newAccount(record);
    const { tokens = makeTokens(account, (name) => this.#secretOf(account, name)), ...contents } = seed;
    const webhook_secret = options.webhookSecret ?? `whsec_${this.#secretOf(account, 'webhook')}`;
    const changes: RowChanges = {
      account: [{ ...record, webhook_secret }],
      origin: [{ clock, seed: contents }],
      tokens: [
        tokenRecord(1, 'full', tokens.full, grants.full, record.created_at),
        tokenRecord(2, 'read', tokens.read, grants.read, record.created_at),
        tokenRecord(3, 'write', tokens.write, grants.write, record.created_at),
      ],
      ...buildSeed(contents, account),
    };
    account.load(changes);
    this.#install(account);
    void this.#commits.record({ account: id, changes, mode: 'merge' }, () => this.#drop(account));
    return { account, tokens };
  }

  /** Changes settings of an account. @throws ServiceError webhook-url */
  configure(account: Account, { choices, rateLimit, webhookUrl, webhookSecret }: Settings): Account {
    this.#checkUrl(webhookUrl);
    const before = account.record;
    const isChanged = webhookSecret !== undefined && webhookSecret !== before.webhook_secret;
    const record: AccountRecord = {
      ...before,
      rate_limit: rateLimit ?? before.rate_limit,
      profile: choices ?? before.profile,
      webhook_url: webhookUrl === undefined ? before.webhook_url : webhookUrl,
      webhook_secret: webhookSecret ?? before.webhook_secret,
      ...(isChanged ? { retired_secret: before.webhook_secret } : {}),
    };
    if (isDeepStrictEqual(record, before)) return account;
    // What follows from the profile (totals, what falls due when) is made anew with the account.
    if (!isDeepStrictEqual(record.profile, before.profile)) {
      return this.replace(account, { ...account.contents(), account: [record] });
    }
    account.transaction((tx) => tx.put({ account: [record] }));
    // What was asked while the limit was off is held against nobody.
    if (record.rate_limit && !before.rate_limit) account.rates.clear();
    return account;
  }

  /** Gives an account a new webhook secret, which follows from its random seed or cannot be guessed. @returns the secret */
  rotateSecret(account: Account): string {
    const { rotations = 0, webhook_secret: retired_secret } = account.record;
    const webhook_secret = `whsec_${this.#secretOf(account, `webhook ${rotations + 1}`)}`;
    const record: AccountRecord = { ...account.record, rotations: rotations + 1, webhook_secret, retired_secret };
    account.transaction((tx) => tx.put({ account: [record] }));
    return webhook_secret;
  }

  /** Puts another account of the same id, made of these rows, in the place of one. What the old one was doing ends. */
  replace(before: Account, changes: RowChanges): Account {
    const account = this.#make(changes, before);
    const contents = before.contents();
    this.#drop(before);
    this.#install(account);
    void this.#commits.record({ account: before.id, changes, mode: 'replace' }, () => {
      this.#drop(account);
      this.#install(this.#make(contents, account));
    });
    return account;
  }

  /** @throws ServiceError account-permanent */
  remove(account: Account): void {
    if (account.id === defaultAccount) throw new ServiceError('account-permanent', { hint: 'reset it instead' });
    const contents = account.contents();
    this.#drop(account);
    void this.#commits.record({ account: account.id, changes: {}, mode: 'remove' }, () => {
      this.#install(this.#make(contents, account));
    });
  }

  /** Back to what the account began with; its tokens, settings and snapshots stay. */
  reset(before: Account): Account {
    const { clock, seed } = before.origin;
    const record: AccountRecord = { ...before.record, clock };
    const fresh = this.#newAccount(record);
    return this.replace(before, {
      account: [record],
      origin: [before.origin],
      tokens: [...before.tokens.rows],
      snapshots: [...before.snapshots.values()],
      ...buildSeed(seed, fresh),
    });
  }

  /** Makes a token, whose text is told here and never again. */
  createToken(account: Account, name: string, scopes: readonly Scope[]): { token: Token; text: string } {
    const id = account.tokens.nextId();
    const text = `${account.id}_${this.#secretOf(account, `${id}`)}`;
    const token = tokenRecord(id, name, text, scopes, instant(account.now()));
    account.transaction((tx) => tx.put({ tokens: [token] }));
    this.#indexTokens(account);
    return { token, text };
  }

  /** @throws ServiceError token-unknown */
  revokeToken(account: Account, id: number): void {
    const token = account.tokens.get(id);
    if (!token || token.revoked_at !== null) throw new ServiceError('token-unknown');
    const revoked_at = instant(account.now());
    account.transaction((tx) => tx.put({ tokens: [{ ...token, revoked_at }] }));
  }

  /** The tokens of an account, if they are the given ones or followed from a random seed. Others are known to nobody. */
  knownTokens(id: string, fixed: AccountTokens | undefined): AccountTokens | undefined {
    const account = this.#accounts.get(id);
    const candidates = account ? [fixed, makeTokens(account, seededSecrets(account))] : [];
    return candidates.find((tokens) => tokens && this.ofToken(tokens.full)?.account === account);
  }

  /** Takes a stored commit into memory. */
  load({ account: id, changes, mode }: Commit): void {
    const known = this.#accounts.get(id);
    if (known && mode !== 'merge') this.#drop(known);
    if (mode === 'remove') return;
    if (known && mode === 'merge') {
      known.load(changes);
      if (changes.tokens) this.#indexTokens(known);
    } else if (changes.account?.[0]) this.#install(this.#make(changes));
    else throw new StoredDataError(`a stored commit is about the account ${id}, which does not exist`);
  }

  /** An account of these rows, the account's own among them. @param before the one whose place it is to take */
  #make(changes: RowChanges, before?: Account): Account {
    const record = changes.account?.[0];
    if (!record) throw new Error('rows without their account');
    const account = this.#newAccount(record, before);
    account.load(changes);
    return account;
  }

  #newAccount(record: AccountRecord, before?: Account): Account {
    return new Account(record, this.#resolve(record.profile), this.#ports, this.#commits, before);
  }

  #install(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#indexTokens(account);
    if (this.#started) account.schedule.start();
  }

  #drop(account: Account): void {
    account.close();
    this.#accounts.delete(account.id);
    for (const token of account.tokens.rows) this.#byHash.delete(token.hash);
  }

  #indexTokens(account: Account): void {
    for (const token of account.tokens.rows) this.#byHash.set(token.hash, { account, token });
  }

  #checkUrl(url: string | null | undefined): void {
    const problem = typeof url === 'string' ? this.#ports.webhookUrlProblem(url) : undefined;
    if (problem !== undefined) throw new ServiceError('webhook-url', { hint: problem });
  }

  /** A secret that follows from the account's random seed; where nobody has chosen that, one that what is stored tells nobody. */
  #secretOf(account: Account, name: string): string {
    return account.record.has_chosen_seed ? seededSecrets(account)(name) : this.#secret();
  }

  /** The random seed of an account that was given none; undefined for one that nobody knows. */
  #seedOf(id: string): string | undefined {
    return this.#randomSeed === undefined || id === defaultAccount ? this.#randomSeed : `${this.#randomSeed} ${id}`;
  }
}

function frozenClock(iso: string): ClockState {
  return { mode: 'frozen', at: instant(Date.parse(iso)) };
}

function digest(token: string): string {
  return hash('sha256', token);
}

function tokenRecord(id: number, name: string, text: string, scopes: readonly Scope[], at: string): Token {
  return { id, name, hash: digest(text), scopes, created_at: at, revoked_at: null };
}

function makeTokens(account: Account, secrets: (name: string) => string): AccountTokens {
  const token = (name: string): string => `${account.id}_${name}_${secrets(name)}`;
  return { full: token('full'), read: token('read'), write: token('write') };
}

function seededSecrets(account: Account): (name: string) => string {
  return (name) => account.seededHex(`token ${name}`).slice(0, 32);
}
