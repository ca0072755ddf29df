import { hash } from 'node:crypto';
import type { Scope, Token } from '../domain/records.js';
import { invalidField, ServiceError } from '../domain/service-error.js';
import type { AccountState } from './state/account-state.js';

/** Tokens of a new account: one with all scopes, one that only reads, one that only writes. */
export interface AccountTokens {
  readonly full: string;
  readonly read: string;
  readonly write: string;
}

/** The hash that is stored in place of a token. */
export function hashToken(bearer: string): string {
  return hash('sha256', bearer);
}

/** @throws ServiceError token-not-found, also for a revoked token */
export function getToken({ tokens }: AccountState, id: number | string): Token {
  const token = tokens.get(id);
  if (!token || token.revoked_at !== null) throw new ServiceError('token-not-found');
  return token;
}

/** The tokens that have not been revoked, even if they have expired. */
export function unrevokedTokensOf({ tokens }: AccountState): Token[] {
  return tokens.rows.filter(({ revoked_at }) => revoked_at === null);
}

/**
 * Checks that a name is free, since coverage, the request log and faults refer to tokens by name.
 * @throws ServiceError invalid, if a token that has not been revoked has the name
 */
export function requireFreeName(account: AccountState, name: string): void {
  const holder = unrevokedTokensOf(account).find((token) => token.name === name);
  if (holder) throw invalidField('name', 'unique', { holder: `token ${holder.id}` });
}

/** Builds the row of a token, which contains a hash instead of the token itself. @param at ISO 8601 */
export function tokenRecord(id: number, name: string, bearer: string, scopes: readonly Scope[], at: string): Token {
  return { id, name, hash: hashToken(bearer), scopes, created_at: at, revoked_at: null };
}

/** Builds the rows of the tokens of a new account. @param at ISO 8601 */
export function rowsOfTokens({ full, read, write }: AccountTokens, at: string): Token[] {
  return [
    tokenRecord(1, 'full', full, ['billing.read', 'billing.write'], at),
    tokenRecord(2, 'read', read, ['billing.read'], at),
    tokenRecord(3, 'write', write, ['billing.write'], at),
  ];
}

/** Builds the tokens of a new account. Each consists of the account's id, a name and a secret. */
export function makeTokens(account: AccountState, secretOf: (name: string) => string): AccountTokens {
  const token = (name: string): string => `${account.id}_${name}_${secretOf(name)}`;
  return { full: token('full'), read: token('read'), write: token('write') };
}

/** Matches texts with the form of a generated token of an account, from `makeTokens` or `Accounts.createToken`. */
export function generatedTokenPattern(account: string): RegExp {
  // The id of an account consists of letters, digits, hyphens and underscores, which need no escaping.
  return new RegExp(String.raw`${account}_(?:[a-z]+_)?[\da-f]{32}`, 'g');
}

/** Returns a function that derives secrets from the random seed of an account. */
export function seededSecrets(account: AccountState): (name: string) => string {
  return (name) => account.seededHex(`token ${name}`).slice(0, 32);
}
