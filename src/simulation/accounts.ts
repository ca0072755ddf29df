import { isDeepStrictEqual } from 'node:util';
import { formatInstant, maxClockTimeMs, parseInstant } from '../domain/dates.js';
import { defaultAccountId } from '../domain/defaults.js';
import type { GapChoices } from '../domain/gaps.js';
import { namePattern } from '../domain/name-pattern.js';
import type { Scope, Token } from '../domain/records.js';
import type { Seed } from '../domain/seed.js';
import { invalidField, ServiceError } from '../domain/service-error.js';
import { generatedWebhookSecret } from '../domain/webhook-signature.js';
import type { Profile } from '../openapi/profile.js';
import { Account, createLogs } from './account.js';
import { BodyRing } from './activity/request-log.js';
import { clockTooFar } from './agenda/schedule.js';
import { readWebhookUrl } from './read-webhook-url.js';
import { buildSeed } from './seeding/seed.js';
import type { Ports } from './state/account-state.js';
import type { AccountRecord, ClockState, Commit, RowsByTable } from './state/changes.js';
import type { PendingCommits } from './state/pending-commits.js';
import { StoredDataError } from './state/stored-data-error.js';
import {
  type AccountTokens,
  getToken,
  hashToken,
  makeTokens,
  requireFreeName,
  rowsOfTokens,
  seededSecrets,
  tokenRecord,
} from './tokens.js';

/** Maximum number of tokens whose hashes are cached in memory. */
const maxCachedHashes = 1_000;

/** Options for a new account. */
export interface NewAccount {
  readonly id: string;
  /** Initial records, already validated for the profile. */
  readonly seed: Seed;
  /** Profile choices that differ from the defaults. */
  readonly choices?: Choices | undefined;
  /** ISO 8601 time at which to freeze the clock. */
  readonly now?: string | undefined;
  /** Seed of the pseudo-random ids, tokens and secrets. Default: derived from `AccountsOptions.randomSeed`. */
  readonly randomSeed?: string | undefined;
  /** True if requests beyond the rate limit are refused; default: true. */
  readonly rateLimit?: boolean | undefined;
  /** May lack the scheme if its host is local (`addMissingScheme`). Default: null, for none. */
  readonly webhookUrl?: string | null | undefined;
  readonly webhookSecret?: string | undefined;
  /** True for an account that is removed at the next start, unless it was removed before. */
  readonly isTemporary?: boolean | undefined;
}

/** Settings of an account that can be changed later. An undefined setting is left unchanged. */
export type Settings = Pick<NewAccount, 'choices' | 'rateLimit' | 'webhookUrl' | 'webhookSecret'>;

type Choices = Readonly<Record<string, unknown>>;

export interface AccountsOptions {
  readonly ports: Ports;
  /** Returns an unguessable secret, a new one on each call. */
  readonly secret: () => string;
  /** Random seed for accounts that are created without one. Undefined: their tokens and secrets are unguessable. */
  readonly randomSeed?: string | undefined;
  /** Returns the profile with these choices, and the defaults for all other gaps. */
  readonly resolveProfile: (choices: Choices) => Profile;
}

/** All accounts. They can be found by id and by token. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();
  readonly #byTokenHash = new Map<string, { account: Account; token: Token }>();
  /** Cached hashes, keyed by token: hashing the token of every request is expensive. */
  readonly #hashByToken = new Map<string, string>();
  readonly #commits: PendingCommits;
  readonly #options: AccountsOptions;
  readonly #bodies = new BodyRing();
  #isStarted = false;
  /** Number of the last id that `freeId` has returned. */
  #lastIdNumber = 0;

  constructor(commits: PendingCommits, options: AccountsOptions) {
    this.#commits = commits;
    this.#options = options;
  }

  get(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  /** The account for requests without a known account. */
  default(): Account {
    const account = this.#accounts.get(defaultAccountId);
    if (!account) throw new Error(`account ${defaultAccountId} does not exist`);
    return account;
  }

  /** All accounts, in the order of their creation. */
  all(): Account[] {
    return [...this.#accounts.values()];
  }

  /**
   * Returns a free id: `account-1` and so on. A process does not return an id twice, so that a client that still has
   * the id of a removed account never reaches a new one.
   */
  freeId(): string {
    do this.#lastIdNumber += 1;
    while (this.#accounts.has(`account-${this.#lastIdNumber}`));
    return `account-${this.#lastIdNumber}`;
  }

  /** Starts running agendas and sending messages. */
  start(): void {
    this.#isStarted = true;
    for (const account of this.all()) account.schedule.start();
  }

  /** Stops running agendas and sending messages. */
  stop(): void {
    this.#isStarted = false;
    for (const account of this.all()) account.close();
  }

  /**
   * Finds the account and the record of a token; undefined if it is unknown, revoked or expired (gap
   * auth.token-lifetime).
   * @param bearer the token itself, as in the `Authorization` header
   */
  findByToken(bearer: string): { account: Account; token: Token } | undefined {
    const cachedHash = this.#hashByToken.get(bearer);
    const tokenHash = cachedHash ?? hashToken(bearer);
    const entry = this.#byTokenHash.get(tokenHash);
    if (!entry) return undefined;
    if (cachedHash === undefined) this.#cacheHash(bearer, tokenHash);
    const token = entry.account.tokens.get(entry.token.id);
    if (!token || token.revoked_at !== null) return undefined;
    const expiresAt = tokenExpiresAt(entry.token, entry.account.profile);
    return expiresAt !== undefined && entry.account.now() >= expiresAt ? undefined : entry;
  }

  #cacheHash(bearer: string, tokenHash: string): void {
    if (this.#hashByToken.size >= maxCachedHashes) this.#hashByToken.clear();
    this.#hashByToken.set(bearer, tokenHash);
  }

  /** Account of a token, even if the token is revoked or expired; undefined for an unknown token. */
  ownerOf(bearer: string): Account | undefined {
    return this.#byTokenHash.get(hashToken(bearer))?.account;
  }

  /**
   * Creates an account with its seed and three tokens.
   * @throws ServiceError account-exists, invalid, webhook-url-invalid, clock-too-far; ProfileError
   */
  create(options: NewAccount): { account: Account; tokens: AccountTokens } {
    const { id, seed } = options;
    if (!namePattern.test(id)) {
      const form = '1 to 63 lowercase letters, digits, hyphens and underscores, the first a letter or digit';
      throw invalidField('id', 'pattern', { form });
    }
    if (this.#accounts.has(id)) throw new ServiceError('account-exists');
    const webhookUrl = readWebhookUrl(options.webhookUrl, this.#options.ports);
    if (options.now !== undefined && Date.parse(options.now) > maxClockTimeMs) throw clockTooFar();
    const randomSeed = options.randomSeed ?? this.#defaultRandomSeed(id);
    const at = options.now === undefined ? undefined : formatInstant(Date.parse(options.now));
    const clock: ClockState = at === undefined ? { mode: 'real', offset: 0 } : { mode: 'frozen', at };
    const record: AccountRecord = {
      id,
      currency: seed.currency,
      time_zone: seed.time_zone,
      rate_limit: options.rateLimit ?? true,
      clock,
      profile: options.choices ?? {},
      random_seed: randomSeed ?? this.#options.secret(),
      ...(randomSeed === undefined ? {} : { has_chosen_seed: true }),
      webhook_url: webhookUrl ?? null,
      // Replaced below, since deriving a secret needs the account.
      webhook_secret: options.webhookSecret ?? '',
      ...(options.isTemporary ? { is_temporary: true } : {}),
      created_at: formatInstant(clock.mode === 'real' ? this.#options.ports.clock.now() : Date.parse(clock.at)),
    };
    const account = this.#newAccount(record);
    const { tokens = makeTokens(account, (name) => this.#createSecret(account, name)), ...contents } = seed;
    const webhook_secret = options.webhookSecret ?? generatedWebhookSecret(this.#createSecret(account, 'webhook'));
    const changes: RowsByTable = {
      account: [{ ...record, webhook_secret }],
      origin: [{ clock, seed: contents }],
      tokens: rowsOfTokens(tokens, record.created_at),
      ...buildSeed(contents, account, this),
    };
    account.load(changes);
    this.#commits.record({ account: id, changes, mode: 'merge' }, this.#createUndo(id, undefined));
    this.#install(account);
    return { account, tokens };
  }

  /**
   * Changes settings of an account.
   * @returns the account, or the one that replaces it if the profile changes
   * @throws ServiceError webhook-url-invalid, account-replaced; ProfileError
   */
  configure(account: Account, { choices, rateLimit, webhookSecret, ...settings }: Settings): Account {
    const webhookUrl = readWebhookUrl(settings.webhookUrl, this.#options.ports);
    const current = account.record;
    const isSecretChanged = webhookSecret !== undefined && webhookSecret !== current.webhook_secret;
    const record: AccountRecord = {
      ...current,
      rate_limit: rateLimit ?? current.rate_limit,
      profile: choices ?? current.profile,
      webhook_url: webhookUrl === undefined ? current.webhook_url : webhookUrl,
      webhook_secret: webhookSecret ?? current.webhook_secret,
      ...(isSecretChanged ? { retired_secret: current.webhook_secret } : {}),
    };
    if (isDeepStrictEqual(record, current)) return account;
    // Recreates the account, since totals and due times depend on the profile.
    if (!isDeepStrictEqual(record.profile, current.profile)) {
      // During an advance, the clock stays at the time that it has reached.
      const clock = account.schedule.isRunningItems ? account.clock.stateAt(account.now()) : record.clock;
      return this.replace(account, { ...account.contents(), account: [{ ...record, clock }] });
    }
    account.transaction((tx) => tx.put({ account: [record] }));
    // Requests sent while the limit was off do not count.
    if (record.rate_limit && !current.rate_limit) account.rates.clear();
    return account;
  }

  /** Replaces the webhook secret of an account. @returns the new secret */
  rotateSecret(account: Account): string {
    const { rotations = 0, webhook_secret: retired_secret } = account.record;
    const webhook_secret = generatedWebhookSecret(this.#createSecret(account, `webhook ${rotations + 1}`));
    const record: AccountRecord = { ...account.record, rotations: rotations + 1, webhook_secret, retired_secret };
    account.transaction((tx) => tx.put({ account: [record] }));
    return webhook_secret;
  }

  /**
   * Stops an account and replaces it with a new one, which has the same id and the given rows.
   * @returns the new account
   * @throws ServiceError account-replaced
   */
  replace(previous: Account, changes: RowsByTable): Account {
    requireOpen(previous);
    const account = this.#accountFrom(changes, previous);
    this.#commits.record({ account: previous.id, changes, mode: 'replace' }, this.#createUndo(previous.id, previous));
    this.#install(account);
    return account;
  }

  /** Checks that an account can be replaced with one that has these rows. @throws ProfileError */
  checkLoadable(account: Account, changes: RowsByTable): void {
    this.#accountFrom(changes, account).close();
  }

  /** @throws ServiceError account-not-removable, account-replaced */
  remove(account: Account): void {
    requireOpen(account);
    if (account.id === defaultAccountId) throw new ServiceError('account-not-removable', { hint: 'reset it instead' });
    this.#commits.record({ account: account.id, changes: {}, mode: 'remove' }, this.#createUndo(account.id, account));
    this.#drop(account.id);
  }

  /**
   * Resets an account to its seed, but keeps its tokens, settings and snapshots.
   * @returns the account that replaces it
   * @throws ServiceError account-replaced
   */
  reset(previous: Account): Account {
    const { clock, seed } = previous.origin;
    const record: AccountRecord = { ...previous.record, clock };
    const emptyAccount = this.#newAccount(record);
    const account = this.replace(previous, {
      account: [record],
      origin: [previous.origin],
      tokens: [...previous.tokens.rows],
      snapshots: [...previous.snapshots.values()],
      ...buildSeed(seed, emptyAccount, this),
    });
    // Entries of the activity log refer to records that the reset has replaced.
    account.activity.markOutdated(account.whenStored());
    return account;
  }

  /** Creates a token. @returns its record, and the token itself (`bearer`), of which only a hash is stored */
  createToken(account: Account, name: string, scopes: readonly Scope[]): { token: Token; bearer: string } {
    requireFreeName(account, name);
    const id = account.tokens.nextId();
    const bearer = `${account.id}_${this.#createSecret(account, `${id}`)}`;
    const token = tokenRecord(id, name, bearer, scopes, formatInstant(account.now()));
    account.transaction((tx) => tx.put({ tokens: [token] }));
    this.#indexTokens(account, [token]);
    return { token, bearer };
  }

  /** @returns the revoked token @throws ServiceError token-not-found */
  revokeToken(account: Account, id: number | string): Token {
    const revoked: Token = { ...getToken(account, id), revoked_at: formatInstant(account.now()) };
    account.transaction((tx) => tx.put({ tokens: [revoked] }));
    return revoked;
  }

  /**
   * Returns the tokens of an account if they are fixed, or derived from a random seed that a user chose. Other tokens
   * cannot be returned, because only their hashes are stored.
   * @param fixed the tokens of the seed, if it has some
   * @returns undefined if the tokens are random, or if the `full` token was revoked or has expired
   */
  predictableTokens(account: Account, fixed: AccountTokens | undefined): AccountTokens | undefined {
    const candidates = [fixed, makeTokens(account, seededSecrets(account))];
    return candidates.find((tokens) => tokens && this.findByToken(tokens.full)?.account === account);
  }

  /** Applies a stored commit in memory. */
  load({ account: id, changes, mode }: Commit): void {
    const existing = this.#accounts.get(id);
    if (mode === 'remove') this.#drop(id);
    else if (existing && mode === 'merge') {
      existing.load(changes);
      this.#indexTokens(existing, changes.tokens ?? []);
    } else if (changes.account?.[0]) this.#install(this.#accountFrom(changes));
    else throw new StoredDataError(`a stored commit changes account ${id}, which does not exist`);
  }

  /** Creates an account from its rows, which include its record. @param previous account that the new one replaces */
  #accountFrom(changes: RowsByTable, previous?: Account): Account {
    const record = changes.account?.[0];
    if (!record) throw new Error('the rows do not include the record of their account');
    const account = this.#newAccount(record, previous);
    account.load(changes);
    return account;
  }

  #newAccount(record: AccountRecord, previous?: Account): Account {
    const logs = previous?.logs ?? createLogs(this.#bodies, this.#commits);
    const { ports, resolveProfile } = this.#options;
    return new Account(record, resolveProfile(record.profile), ports, this.#commits, logs);
  }

  /** Adds an account with its tokens, in place of one with the same id. Starts it if `start` has been called. */
  #install(account: Account): void {
    this.#close(account.id);
    this.#accounts.set(account.id, account);
    this.#indexTokens(account, account.tokens.rows);
    if (this.#isStarted) account.schedule.start();
  }

  #drop(id: string): void {
    this.#close(id);
    this.#accounts.delete(id);
  }

  /** Closes the account with an id, if there is one, and removes its tokens. */
  #close(id: string): void {
    const account = this.#accounts.get(id);
    account?.close();
    for (const token of account?.tokens.rows ?? []) this.#byTokenHash.delete(token.hash);
  }

  /**
   * Creates the undo function of a commit that creates, replaces or removes an account. It returns a function for a second
   * step, which runs once all commits that were not stored are undone: the previous account is restored from its rows,
   * and only then are these the rows of the last stored state.
   * @param previous the account before the commit; undefined if the commit creates it
   */
  #createUndo(id: string, previous: Account | undefined) {
    return () => () => {
      // A closed account cannot be reopened, so a new one gets its rows.
      if (previous) this.#install(this.#accountFrom(previous.contents(), previous));
      else this.#drop(id);
    };
  }

  #indexTokens(account: Account, tokens: readonly Token[]): void {
    for (const token of tokens) this.#byTokenHash.set(token.hash, { account, token });
  }

  /** Creates a secret: derived from the random seed of the account if the seed was chosen, otherwise unguessable. */
  #createSecret(account: Account, name: string): string {
    return account.record.has_chosen_seed ? seededSecrets(account)(name) : this.#options.secret();
  }

  /** Random seed for an account that is created without one; undefined if the account's secrets must be unguessable. */
  #defaultRandomSeed(id: string): string | undefined {
    const { randomSeed } = this.#options;
    return randomSeed === undefined || id === defaultAccountId ? randomSeed : `${randomSeed} ${id}`;
  }
}

/** Time at which a token expires, in milliseconds since 1970; undefined if it never does (gap auth.token-lifetime). */
export function tokenExpiresAt({ created_at }: Pick<Token, 'created_at'>, profile: GapChoices): number | undefined {
  const lifetime = profile['auth.token-lifetime'];
  return typeof lifetime === 'string' ? undefined : parseInstant(created_at) + lifetime.after;
}

/** Checks that an account was not replaced or removed while a caller waited. @throws ServiceError account-replaced */
function requireOpen(account: Account): void {
  if (account.isClosed) throw new ServiceError('account-replaced');
}
