import { hash } from 'node:crypto';
import { formatInstant } from '../../domain/dates.js';
import type { KeyedResponse, Token } from '../../domain/records.js';
import { ServiceError } from '../../domain/service-error.js';
import { isRecord } from '../../lib/json.js';
import type { AccountState } from '../state/account-state.js';
import type { WritableAccount } from '../transaction.js';

/** Response stored for an Idempotency-Key. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly operation: string;
  readonly key: string;
  readonly input: unknown;
}

/**
 * Locks a key for a request until the returned function is called.
 * @throws ServiceError key-in-use, while another request holds it (gap deposit.key-concurrent)
 */
export function lockKey(account: AccountState, operation: string, key: string): () => void {
  const id = idOf({ operation, key });
  if (account.keysInUse.has(id)) {
    throw new ServiceError('key-in-use', { hint: 'try again when the first request has been answered' });
  }
  account.keysInUse.add(id);
  return () => void account.keysInUse.delete(id);
}

/**
 * Performs an operation once per key: the first request performs it and stores the response in the same commit; later
 * requests get that response (specification, POST /deposits: the rule about `Idempotency-Key`). Call it only if
 * `storedError` finds no error for the key.
 * @throws ServiceError key-mismatch, if the key was used with another input, and the profile refuses that (gap
 * deposit.key-mismatch)
 */
export function runOnce(
  account: WritableAccount,
  request: KeyedRequest,
  perform: () => StoredResponse,
): StoredResponse & { readonly isReplay: boolean } {
  const id = idOf(request);
  const fingerprint = fingerprintOf(request.input);
  const stored = account.keyedResponses.get(id);
  // A stored error is from before the profile was changed to one that does not replay errors.
  if (stored && !isError(stored)) {
    if (stored.fingerprint !== fingerprint && account.profile['deposit.key-mismatch'] === 'refused') {
      throw new ServiceError('key-mismatch', { hint: 'send the first body again, or use another key' });
    }
    const status = account.profile['deposit.replay-status'] === 'as-first' ? stored.status : 200;
    return { status, body: stored.body, isReplay: true };
  }
  return account.transaction((tx) => {
    const response = perform();
    tx.put({ keyed_responses: [keyedResponseOf(account, request, fingerprint, response)] });
    return { isReplay: false, ...response };
  });
}

/** Makes a key unique to its owner: the account, or the token of the request (gap deposit.key-owner). */
export function scopedKey(account: AccountState, key: string, token: Token | undefined): string {
  return account.profile['deposit.key-owner'] === 'account' ? key : `of token ${token?.id}: ${key}`;
}

/** Time at which the response for a key was stored, ISO 8601; undefined if none is stored. */
export function responseStoredAt(account: AccountState, operation: string, key: string): string | undefined {
  return account.keyedResponses.get(idOf({ operation, key }))?.created_at;
}

/** Error stored for a key, if any and if the profile replays errors (gap deposit.key-failed). */
export function storedError(account: AccountState, operation: string, key: string): StoredResponse | undefined {
  const stored = account.keyedResponses.get(idOf({ operation, key }));
  return stored && isError(stored) && replaysErrors(account) ? stored : undefined;
}

function replaysErrors({ profile }: AccountState): boolean {
  return profile['deposit.key-failed'] === 'replayed';
}

function isError({ status }: StoredResponse): boolean {
  return status >= 400;
}

/**
 * Stores the error of a request, if the profile stores errors and the key has no response yet (gap deposit.key-failed).
 * An account that was replaced, removed or closed during the request stores nothing.
 */
export function storeError(account: WritableAccount, operation: string, key: string, response: StoredResponse): void {
  if (account.isClosed) return;
  // Needs no fingerprint: requests get a stored error without a comparison of their input.
  const request = { operation, key, input: null };
  if (!replaysErrors(account) || account.keyedResponses.has(idOf(request))) return;
  account.transaction((tx) => tx.put({ keyed_responses: [keyedResponseOf(account, request, '', response)] }));
}

function keyedResponseOf(
  account: AccountState,
  request: KeyedRequest,
  fingerprint: string,
  { status, body }: StoredResponse,
): KeyedResponse {
  return { id: idOf(request), fingerprint, status, body, created_at: formatInstant(account.now()) };
}

function idOf({ operation, key }: Pick<KeyedRequest, 'operation' | 'key'>): string {
  return `${operation} ${key}`;
}

/** Hash of an input, independent of the order of its fields. */
export function fingerprintOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, sortedFields));
}

function sortedFields(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
