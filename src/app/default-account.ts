import { defaultAccountId } from '../domain/defaults.js';
import type { Seed } from '../domain/seed.js';
import { UserError } from '../lib/user-error.js';
import type { NewAccount } from '../simulation/accounts.js';
import type { AccountTokens } from '../simulation/tokens.js';
import type { World } from '../simulation/world.js';

/**
 * Options for the `demo` account. If the account is stored already, it keeps its records and its random seed, and each
 * setting for which the option is undefined.
 */
export interface DefaultAccountOptions extends Omit<NewAccount, 'id' | 'seed'> {
  /**
   * Reads the initial records of a new account. The seed of a stored account may be missing or invalid.
   * @param choices the profile of the account
   */
  readonly seed: (choices: NewAccount['choices']) => Promise<Seed>;
}

/** Outcome of opening the `demo` account. */
export interface DefaultAccount {
  /** Tokens of `demo`, if they are known. */
  readonly tokens: AccountTokens | undefined;
  /** True if `demo` was created by this start, false if it was read from the data folder. */
  readonly isAccountNew: boolean;
  /** True if `now` had no effect, because the clock of the stored `demo` already shows a later time. */
  readonly isNowOptionIgnored: boolean;
}

/**
 * Creates the `demo` account, or updates the stored one to match the options.
 * @throws ServiceError clock-too-far, webhook-url-invalid; ProfileError; for a new account, the errors of `options.seed`
 */
export async function openDefaultAccount({ accounts }: World, options: DefaultAccountOptions): Promise<DefaultAccount> {
  const { now } = options;
  const stored = accounts.get(defaultAccountId);
  if (!stored) {
    const seed = await options.seed(options.choices);
    const { tokens } = accounts.create({ ...options, seed, id: defaultAccountId });
    return { tokens, isAccountNew: true, isNowOptionIgnored: false };
  }
  const account = accounts.configure(stored, options);
  // After an advance, the clock is later than `now`, and the next start with the same options must not fail.
  const isNowOptionIgnored = now !== undefined && Date.parse(now) < account.now();
  if (now !== undefined && !isNowOptionIgnored) account.schedule.freezeAt(Date.parse(now));
  const fixedTokens = await fixedTokensOf(options.seed(account.record.profile));
  const tokens = accounts.predictableTokens(account, fixedTokens);
  return { tokens, isAccountNew: false, isNowOptionIgnored };
}

/**
 * Returns the fixed tokens of the seed of a stored account. Undefined if it has none, or if its file is missing or
 * invalid by now, since the account does not need it.
 */
async function fixedTokensOf(seed: Promise<Seed>): Promise<AccountTokens | undefined> {
  try {
    return (await seed).tokens;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
