import { instant } from '../../domain/dates.js';
import {
  type Fault,
  type FaultRule,
  type FaultStage,
  type FaultStatus,
  type FaultTarget,
  faultStatus,
  matcherOf,
  shouldFire,
  stageOf,
} from '../../domain/faults.js';
import { ServiceError } from '../../domain/service-error.js';
import type { Account } from '../account.js';
import type { Index } from '../state/table.js';

/** A fault as it is told, with how it stands. */
export interface ListedFault extends Omit<Fault, 'cleared_at'> {
  readonly status: FaultStatus;
}

/** A fault that has not been cleared, and whom it is for. */
interface ActiveFault {
  readonly fault: Fault;
  readonly isFor: ReturnType<typeof matcherOf>;
}

/** The faults that have not been cleared, by stage, in the order in which they were added. */
export class ActiveFaultIndex implements Index<Fault> {
  readonly #faults: Readonly<Record<FaultStage, ActiveFault[]>> = { call: [], answer: [], message: [], attempt: [] };

  add(fault: Fault): void {
    if (fault.cleared_at !== null) return;
    const standing = this.#faults[fault.stage];
    standing.splice(placeOf(fault.id, standing), 0, { fault, isFor: matcherOf(fault.match) });
  }

  remove({ stage, id }: Fault): void {
    const standing = this.#faults[stage];
    const place = placeOf(id, standing);
    if (standing[place]?.fault.id === id) standing.splice(place, 1);
  }

  at(stage: FaultStage): readonly ActiveFault[] {
    return this.#faults[stage];
  }
}

/** The place of a fault among others in the order of their ids. Each one that is counted is put there again. */
function placeOf(id: number, standing: readonly ActiveFault[]): number {
  let [from, to] = [0, standing.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((standing[middle]?.fault.id ?? id) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The faults of an account that take place on something. */
export interface FaultMatch {
  readonly hits: readonly Fault[];
  /** The faults whose counts have changed, to be stored. */
  readonly rows: readonly Fault[];
}

const nothing: FaultMatch = { hits: [], rows: [] };

/** Where one fault stands in for what would have happened, and others find nothing more to do. */
const single: ReadonlySet<FaultStage> = new Set(['call', 'attempt']);

/**
 * Finds the faults that take place on a request or message, and counts it with all that it matches.
 * @param targetOf is called only where there are faults of the stage
 */
export function matchFaults(account: Account, stage: FaultStage, targetOf: () => FaultTarget): FaultMatch {
  const standing = account.activeFaults.at(stage);
  if (standing.length === 0) return nothing;
  const target = targetOf();
  const now = account.now();
  const rows: Fault[] = [];
  const hits: Fault[] = [];
  for (const { fault, isFor } of standing) {
    if (!isFor(target) || faultStatus(fault, now) === 'over') continue;
    const seen = fault.seen + 1;
    const isHit = shouldFire(fault.match, seen, () => toUnitInterval(account.seededHex(`fault ${fault.id} ${seen}`)));
    const row = { ...fault, seen, hits: fault.hits + (isHit ? 1 : 0) };
    rows.push(row);
    if (!isHit) continue;
    hits.push(row);
    if (single.has(stage)) break;
  }
  return { hits, rows };
}

/** As `drawFaults`, with the counts on their way to the store. */
export function countFaults(account: Account, stage: FaultStage, targetOf: () => FaultTarget): readonly Fault[] {
  if (account.isClosed) return [];
  const { hits, rows } = matchFaults(account, stage, targetOf);
  if (rows.length > 0) account.commit({ faults: rows });
  return hits;
}

/** A number from 0 to 1, 1 excluded, of hex digits that chance has given. */
export function toUnitInterval(digits: string): number {
  return Number.parseInt(digits.slice(0, 12), 16) / 2 ** 48;
}

/** Oldest first. */
export function faultsOf(account: Account): Fault[] {
  return account.faults.rows.filter(({ cleared_at }) => cleared_at === null);
}

export function listed(account: Account, { cleared_at: _cleared, ...fault }: Fault): ListedFault {
  return { ...fault, status: faultStatus(fault, account.now()) };
}

export function addFault(account: Account, rule: FaultRule): Fault {
  const { effects, match, times, until } = rule;
  const now = account.now();
  const fault: Fault = {
    id: account.faults.nextId(),
    stage: stageOf(rule),
    effects,
    match,
    times,
    until: rule.for === null ? until : instant(now + rule.for),
    seen: 0,
    hits: 0,
    created_at: instant(now),
    cleared_at: null,
  };
  account.commit({ faults: [fault] });
  return fault;
}

/** @throws ServiceError fault-unknown, of one that was cleared, too */
export function getFault(account: Account, id: number | string): Fault {
  const fault = account.faults.get(id);
  if (fault?.cleared_at !== null) throw new ServiceError('fault-unknown');
  return fault;
}

/** @returns the fault as it was; @throws ServiceError fault-unknown */
export function clearFault(account: Account, id: number | string): Fault {
  const fault = getFault(account, id);
  account.commit({ faults: [{ ...fault, cleared_at: instant(account.now()) }] });
  return fault;
}

/** @returns how many there were */
export function clearFaults(account: Account): number {
  const standing = faultsOf(account);
  const cleared_at = instant(account.now());
  if (standing.length > 0) account.commit({ faults: standing.map((fault) => ({ ...fault, cleared_at })) });
  return standing.length;
}
