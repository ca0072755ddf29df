import { instant } from './dates.js';
import type { Profile } from './gaps.js';
import { type Transition, transition } from './lifecycle.js';
import { minus, plus } from './money.js';
import type { Deposit, DepositStatus } from './records.js';
import { Refusal } from './refusal.js';

export type DepositCause = 'authorize' | 'decline' | 'capture' | 'release' | 'expire';
type Condition = 'in-part' | 'in-full';

/** Specification: States and transitions leaves them open; gaps deposit.*. A deposit begins as `pending`. */
export const depositLifecycle: readonly Transition<DepositStatus, DepositCause, Condition>[] = [
  { from: ['pending'], cause: 'authorize', to: 'authorized', event: 'deposit.authorized' },
  { from: ['pending'], cause: 'decline', to: 'failed', event: 'deposit.failed' },
  { from: ['pending', 'authorized'], cause: 'expire', to: 'expired', event: 'deposit.expired' },
  {
    from: ['partially_captured'],
    cause: 'expire',
    given: { 'deposit.expire-partial': 'expired' },
    to: 'expired',
    event: 'deposit.expired',
  },
  {
    from: ['partially_captured'],
    cause: 'expire',
    given: { 'deposit.expire-partial': 'captured' },
    to: 'captured',
    event: 'deposit.captured',
  },
  {
    from: ['authorized', 'partially_captured'],
    cause: 'capture',
    when: 'in-part',
    to: 'partially_captured',
    event: 'deposit.partially_captured',
  },
  {
    from: ['authorized', 'partially_captured'],
    cause: 'capture',
    when: 'in-full',
    to: 'captured',
    event: 'deposit.captured',
  },
  { from: ['authorized'], cause: 'release', to: 'released', event: 'deposit.released' },
  {
    from: ['partially_captured'],
    cause: 'release',
    given: { 'deposit.release-partial': 'released' },
    to: 'released',
    event: 'deposit.released',
  },
  {
    from: ['partially_captured'],
    cause: 'release',
    given: { 'deposit.release-partial': 'captured' },
    to: 'captured',
    event: 'deposit.released',
  },
];

/** The authorization holds money that may be captured or released. */
function holds(deposit: Deposit): boolean {
  return deposit.status === 'authorized' || deposit.status === 'partially_captured';
}

/** What may still be captured. */
export function remaining(deposit: Deposit): number {
  return holds(deposit) ? minus(deposit.amount, deposit.captured_amount) : 0;
}

/** When a deposit expires by itself, in milliseconds; undefined if it does not (gaps deposit.window, deposit.link-expiry). */
export function expiresAt(deposit: Deposit, profile: Profile): number | undefined {
  if (holds(deposit)) return deposit.expires_at === null ? undefined : Date.parse(deposit.expires_at);
  const unused = profile['deposit.link-expiry'];
  if (deposit.status !== 'pending' || typeof unused === 'string') return undefined;
  return Date.parse(deposit.created_at) + unused.after;
}

/** Length of an authorization in milliseconds (gap deposit.window). */
export function authorizationWindow(profile: Profile): number {
  const window = profile['deposit.window'];
  return typeof window === 'string' ? 7 * 86_400_000 : window.for;
}

/**
 * Captures an amount, or what remains.
 * @throws Refusal deposit-not-capturable, capture-too-large (gap deposit.capture-when)
 */
export function capture(
  deposit: Deposit,
  input: { amount?: number | undefined; description?: string | undefined },
  profile: Profile,
  now: number,
): Deposit {
  const rest = remaining(deposit);
  const amount = input.amount ?? rest;
  const row = transition(depositLifecycle, deposit.status, 'capture', profile, amount < rest ? 'in-part' : 'in-full');
  if (!row) throw new Refusal('deposit-not-capturable', { hint: `the deposit is ${deposit.status}` });
  if (amount > rest) throw new Refusal('capture-too-large', { hint: `${rest} ${deposit.currency} remain` });
  return {
    ...deposit,
    status: row.to,
    captured_amount: plus(deposit.captured_amount, amount),
    captures: [...deposit.captures, { amount, description: input.description ?? null, at: instant(now) }],
  };
}

/**
 * Releases what remains of the authorization.
 * @throws Refusal deposit-not-releasable (gap deposit.release-when)
 */
export function release(deposit: Deposit, profile: Profile, now: number): Deposit {
  if (deposit.released_at !== null && profile['deposit.release-when'] === 'repeated') return deposit;
  const row = transition(depositLifecycle, deposit.status, 'release', profile);
  if (!row) throw new Refusal('deposit-not-releasable', { hint: `the deposit is ${deposit.status}` });
  return { ...deposit, status: row.to, released_at: instant(now) };
}

/** The deposit after its authorization, or its unused link, has run out; itself where that changes nothing. */
export function expire(deposit: Deposit, profile: Profile): Deposit {
  const row = transition(depositLifecycle, deposit.status, 'expire', profile);
  return row ? { ...deposit, status: row.to } : deposit;
}
