import { dayMs, minuteMs, secondMs, weekMs } from '../lib/durations.js';
import { formatInstant, parseInstant } from './dates.js';
import type { GapChoices } from './gaps.js';
import { causesFrom, findTransition, type Transition, type TransitionResult, withStatus } from './lifecycle.js';
import { minus, plus } from './money.js';
import type { Deposit, DepositEventName, DepositStatus } from './records.js';
import { type ErrorCode, ServiceError, transitionNotAllowed } from './service-error.js';

/** A deposit after a transition, and the event to emit. */
export type DepositChange = TransitionResult<Deposit, DepositEventName>;
export type DepositCause = 'authorize' | 'decline' | 'capture' | 'release' | 'expire';
/** `in-part`: a capture leaves a part of the hold; `in-full`: it takes all that remains. */
type Condition = 'in-part' | 'in-full';

/**
 * Transitions of a deposit, which starts as `pending`. The specification (States and transitions) does not define all
 * of them; where it is silent, the profile chooses (gaps deposit.* in openapi/gaps.yaml).
 */
export const depositLifecycle: readonly Transition<DepositStatus, DepositCause, Condition, DepositEventName>[] = [
  { from: ['pending'], cause: 'authorize', to: 'authorized', event: 'deposit.authorized' },
  {
    from: ['pending'],
    cause: 'decline',
    choices: { 'deposit.decline': 'failed' },
    to: 'failed',
    event: 'deposit.failed',
  },
  { from: ['pending'], cause: 'decline', choices: { 'deposit.decline': 'pending' }, to: 'pending' },
  { from: ['pending', 'authorized'], cause: 'expire', to: 'expired', event: 'deposit.expired' },
  {
    from: ['partially_captured'],
    cause: 'expire',
    choices: { 'deposit.expire-partial': 'expired' },
    to: 'expired',
    event: 'deposit.expired',
  },
  {
    from: ['partially_captured'],
    cause: 'expire',
    choices: { 'deposit.expire-partial': 'captured' },
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
    choices: { 'deposit.release-partial': 'released' },
    to: 'released',
    event: 'deposit.released',
  },
  {
    from: ['partially_captured'],
    cause: 'release',
    // The rest was released, as the event says, but the status says that a part was captured.
    choices: { 'deposit.release-partial': 'captured' },
    to: 'captured',
    event: 'deposit.released',
  },
];

/** True while money that can be captured or released is held on the guest's card. */
function hasHold(deposit: Deposit): boolean {
  return deposit.status === 'authorized' || deposit.status === 'partially_captured';
}

/** Amount that can still be captured. */
export function remainingAmount(deposit: Deposit): number {
  return hasHold(deposit) ? minus(deposit.amount, deposit.captured_amount) : 0;
}

/** `remaining_amount` in responses (gap deposit.remaining-amount). */
export function shownRemainingAmount(deposit: Deposit, profile: GapChoices): number {
  // `zero`: without a hold, nothing remains. The other choice shows what was not captured, even without a hold.
  if (profile['deposit.remaining-amount'] === 'zero') return remainingAmount(deposit);
  return minus(deposit.amount, deposit.captured_amount);
}

/**
 * Time at which a deposit expires, in milliseconds since 1970; undefined if it does not expire (gaps deposit.window,
 * deposit.link-expiry).
 */
export function expiresAt(deposit: Deposit, profile: GapChoices): number | undefined {
  if (hasHold(deposit)) return deposit.expires_at === null ? undefined : parseInstant(deposit.expires_at);
  const linkExpiry = profile['deposit.link-expiry'];
  if (deposit.status !== 'pending' || linkExpiry === 'never') return undefined;
  return parseInstant(deposit.created_at) + linkExpiry.after;
}

/** Time until an authorization expires, in milliseconds (gap deposit.window). */
export function authorizationWindow(profile: GapChoices): number {
  const window = profile['deposit.window'];
  return typeof window === 'string' ? weekMs : window.for;
}

/**
 * Time at which a hold ends, in the stored form. Holds end at whole seconds, since that is what `expires_at` in responses
 * shows: at that time, clients expect the hold to be over. Only a window of less than a minute ends between two seconds, since
 * it would lose a considerable part.
 */
export function holdEnd(authorizedAt: number, profile: GapChoices): string {
  const window = authorizationWindow(profile);
  const end = authorizedAt + window;
  return formatInstant(window >= minuteMs ? end - (end % secondMs) : end);
}

/** Smallest number of whole days after which every authorization has expired: 8 by default. */
export function daysUntilHoldsEnd(profile: GapChoices): number {
  return Math.floor(authorizationWindow(profile) / dayMs) + 1;
}

/** Authorizes the guest's card, which starts the hold. @throws ServiceError transition-not-allowed */
export function authorize(deposit: Deposit, profile: GapChoices, now: number): DepositChange {
  const { record, event } = applyCause(deposit, 'authorize', profile, now);
  return {
    record: { ...record, authorized_at: formatInstant(now), expires_at: holdEnd(now, profile) },
    event,
  };
}

/** Declines the guest's card (gap deposit.decline). @throws ServiceError transition-not-allowed */
export function decline(deposit: Deposit, profile: GapChoices, now: number): DepositChange {
  return applyCause(deposit, 'decline', profile, now);
}

/** Expires the hold or, if the deposit is pending, its authorization link. @throws ServiceError transition-not-allowed */
export function expire(deposit: Deposit, profile: GapChoices, now: number): DepositChange {
  return applyCause(deposit, 'expire', profile, now);
}

/**
 * Captures an amount; by default the remaining amount.
 * @throws ServiceError deposit-not-capturable, capture-too-large (gap deposit.capture-when)
 */
export function capture(
  deposit: Deposit,
  input: { readonly amount?: number | undefined; readonly description?: string | undefined },
  profile: GapChoices,
  now: number,
): DepositChange {
  const available = remainingAmount(deposit);
  const requested = input.amount ?? available;
  const amount = isCaptureCapped(profile) ? Math.min(requested, available) : requested;
  const transition = findTransition(
    depositLifecycle,
    deposit.status,
    'capture',
    profile,
    amount < available ? 'in-part' : 'in-full',
  );
  if (!transition) throw transitionError(deposit, 'deposit-not-capturable');
  if (amount > available)
    throw new ServiceError('capture-too-large', { hint: `${available} ${deposit.currency} remain` });
  const record = {
    ...withStatus(deposit, 'capture', transition.to, now),
    captured_amount: plus(deposit.captured_amount, amount),
    captures: [...deposit.captures, { amount, description: input.description ?? null, at: formatInstant(now) }],
  };
  return { record, event: transition.event };
}

/**
 * Releases the remaining amount. A second release, if the profile allows it, returns the same record.
 * @throws ServiceError deposit-not-releasable (gap deposit.release-when)
 */
export function release(deposit: Deposit, profile: GapChoices, now: number): DepositChange {
  if (deposit.released_at !== null && canRepeatRelease(profile)) {
    return { record: deposit, event: undefined };
  }
  const transition = findTransition(depositLifecycle, deposit.status, 'release', profile);
  if (!transition) throw transitionError(deposit, 'deposit-not-releasable');
  return {
    record: { ...withStatus(deposit, 'release', transition.to, now), released_at: formatInstant(now) },
    event: transition.event,
  };
}

/**
 * True if a capture of more than remains captures what remains. A choice in the form of an object says how the service
 * responds to each kind of capture; `above` is a capture of more than remains.
 */
function isCaptureCapped(profile: GapChoices): boolean {
  const choice = profile['deposit.capture-when'];
  return typeof choice !== 'string' && choice.answers.above === 'capped';
}

/** True if a second release is accepted. `again`: the response to a second release. */
function canRepeatRelease(profile: GapChoices): boolean {
  const choice = profile['deposit.release-when'];
  return typeof choice === 'string' ? choice === 'repeated' : choice.answers.again === 'accepted';
}

function applyCause(deposit: Deposit, cause: DepositCause, profile: GapChoices, now: number): DepositChange {
  const transition = findTransition(depositLifecycle, deposit.status, cause, profile);
  if (!transition) throw transitionError(deposit, 'transition-not-allowed');
  return { record: withStatus(deposit, cause, transition.to, now), event: transition.event };
}

/** The hint of the error lists what the status allows. */
function transitionError(deposit: Deposit, code: ErrorCode): ServiceError {
  return transitionNotAllowed('deposit', deposit.status, causesFrom(depositLifecycle, deposit.status), code);
}
