import { formatInstant } from '../../domain/dates.js';
import {
  type Fault,
  type FaultContext,
  type FaultRule,
  type FaultStage,
  type FaultStatus,
  type FaultTarget,
  faultStatus,
  stageOf,
} from '../../domain/faults.js';
import { ServiceError } from '../../domain/service-error.js';
import type { AccountState } from '../state/account-state.js';
import { unrevokedTokensOf } from '../tokens.js';
import type { WritableAccount } from '../transaction.js';

/** A fault with its status. */
export interface ListedFault extends Omit<Fault, 'cleared_at'> {
  readonly status: FaultStatus;
}

/**
 * Matches a request or message against the faults of a stage, and commits how often they matched and fired.
 * @returns the faults that fire
 */
export function matchAndCountFaults(
  account: WritableAccount,
  stage: FaultStage,
  targetOf: () => FaultTarget,
): readonly Fault[] {
  if (account.isClosed) return [];
  const { firingFaults, rows } = account.faultIndex.match(stage, targetOf, account);
  if (rows.length > 0) account.transaction((tx) => tx.put({ faults: rows }));
  return firingFaults;
}

/** Faults that have not been cleared, oldest first. */
export function unclearedFaultsOf(account: AccountState): Fault[] {
  return account.faults.rows.filter(({ cleared_at }) => cleared_at === null);
}

/** Faults that can still fire. Reads the index, since an account may have many cleared faults. */
export function activeFaultsOf(account: AccountState): Fault[] {
  const now = account.now();
  return account.faultIndex.all().filter((fault) => faultStatus(fault, now) === 'active');
}

export function toListedFault(account: AccountState, { cleared_at: _cleared, ...fault }: Fault): ListedFault {
  return { ...fault, status: faultStatus(fault, account.now()) };
}

/** Reads the facts about an account that a new fault is checked against. */
export function faultContextOf(account: AccountState): FaultContext {
  return { tokenNames: unrevokedTokensOf(account).map(({ name }) => name), now: account.now() };
}

/** Builds the fault that `addFault` adds for a rule. */
export function faultOf(account: AccountState, rule: FaultRule): Fault {
  const { effects, match, times, until } = rule;
  const now = account.now();
  return {
    id: account.faults.nextId(),
    stage: stageOf(rule),
    effects,
    match,
    times,
    until: rule.for === null ? until : formatInstant(now + rule.for),
    times_matched: 0,
    times_fired: 0,
    created_at: formatInstant(now),
    cleared_at: null,
  };
}

export function addFault(account: WritableAccount, rule: FaultRule): Fault {
  const fault = faultOf(account, rule);
  account.transaction((tx) => tx.put({ faults: [fault] }));
  return fault;
}

/** @throws ServiceError fault-not-found, also for a cleared fault */
export function getFault(account: AccountState, id: number | string): Fault {
  const fault = account.faults.get(id);
  if (!fault || fault.cleared_at !== null) throw new ServiceError('fault-not-found');
  return fault;
}

/** Clears a fault. @returns the cleared fault @throws ServiceError fault-not-found */
export function clearFault(account: WritableAccount, id: number | string): Fault {
  const fault = getFault(account, id);
  const cleared: Fault = { ...fault, cleared_at: formatInstant(account.now()) };
  account.transaction((tx) => tx.put({ faults: [cleared] }));
  return cleared;
}

/** Clears all faults. @returns how many it cleared */
export function clearFaults(account: WritableAccount): number {
  const cleared_at = formatInstant(account.now());
  const faults = unclearedFaultsOf(account).map((fault) => ({ ...fault, cleared_at }));
  if (faults.length > 0) account.transaction((tx) => tx.put({ faults }));
  return faults.length;
}
