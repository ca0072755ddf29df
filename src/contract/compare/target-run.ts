import { checkClause, type Result } from '../engine/check-clauses.js';
import type { Clause } from '../engine/clause.js';
import type { Exchange } from '../engine/exchange.js';
import { type ContractOptions, openSession } from '../engine/open-session.js';
import type { OnWait } from '../engine/pace.js';
import type { GapId, Session } from '../engine/session.js';
import { probes } from '../sections/probes.js';

/** One side of the comparison: the session with a target, its results and the observed choices. */
export class TargetRun {
  readonly session: Session;
  readonly results: Result[] = [];
  /** By gap id: the choice of the target, or a description of its behavior if that matches no choice of the gap. */
  readonly choices = new Map<string, unknown>();
  /** For each exchange, the ids of the gaps whose choice it revealed. */
  readonly gapsByExchange = new Map<Exchange, string[]>();
  readonly #strict: boolean;

  constructor(session: Session, strict: boolean) {
    this.session = session;
    this.#strict = strict;
  }

  /** Checks a clause. If it is the probe of a gap, also records the observed choice. */
  async check(clause: Clause): Promise<void> {
    const result = await checkClause(this.session, clause, { strict: this.#strict });
    this.results.push(result);
    const gap = gapOf(clause);
    if (gap === undefined || result.status !== 'observed') return;
    this.choices.set(gap, this.session.observedChoices.get(gap) ?? result.detail);
    for (const exchange of result.evidence)
      this.gapsByExchange.set(exchange, [...(this.gapsByExchange.get(exchange) ?? []), gap]);
  }
}

/** Returns the gap that a clause probes; undefined if it is not a probe. */
function gapOf(clause: Clause): GapId | undefined {
  return probes.find((probe) => probe === clause)?.gap;
}

/** Opens a session with the target of one side. @throws CannotRun, DriverError */
export async function openTargetRun(
  options: ContractOptions,
  onWait?: OnWait,
  signal?: AbortSignal,
): Promise<TargetRun> {
  return new TargetRun(await openSession(options, onWait, signal), options.strict ?? false);
}
