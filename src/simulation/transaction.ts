import type { DomainEvent } from '../domain/domain-event.js';
import { eventRows } from './delivery/events.js';
import type { AccountState } from './state/account-state.js';
import type { RowsByTable } from './state/changes.js';

/** An account that operations can change. */
export interface WritableAccount extends AccountState {
  /** True once the account has been deleted or replaced, or the simulator has stopped: it accepts no more commits. */
  readonly isClosed: boolean;
  /**
   * Runs `work` and commits its changes and its event as one commit; commits nothing if it throws. Until then, reads show
   * the previous state, also those in `work`. A nested transaction joins the outer one. `work` must be synchronous.
   * @throws ServiceError account-replaced
   */
  transaction<Result>(work: (tx: Transaction) => Result): Result;
}

/** Collects the changes and the event of one commit. */
export class Transaction {
  readonly #state: AccountState;
  #changes: RowsByTable | undefined;
  #hasEvent = false;

  constructor(state: AccountState) {
    this.#state = state;
  }

  /** Undefined if nothing has changed. */
  get changes(): RowsByTable | undefined {
    return this.#changes;
  }

  /**
   * Adds rows to the commit. A transaction can put rows of each table only once, except rows of `runs`. A row replaces the
   * stored row with the same id or name.
   */
  put(rows: RowsByTable): void {
    const earlier = this.#changes;
    if (!earlier) {
      this.#changes = rows;
      return;
    }
    for (const name in rows) {
      if (name in earlier && name !== 'runs') throw new Error(`a transaction has put ${name} twice`);
    }
    // A scenario step puts its own run, and its event may start others.
    const allRuns = earlier.runs && rows.runs ? { runs: [...earlier.runs, ...rows.runs] } : undefined;
    // A spread would create a hidden class for each commit (docs/architecture.md, Speed).
    this.#changes = Object.assign({}, earlier, rows, allRuns);
  }

  /**
   * Emits an event: its webhook message and the scenario runs that it starts are part of the commit. The specification
   * does not say when events occur (gap event.trigger).
   */
  emit(event: DomainEvent): void {
    // Ids of messages and runs depend on the committed rows, so a second event could get the same ids.
    if (this.#hasEvent) throw new Error('a transaction has emitted two events');
    this.#hasEvent = true;
    this.put(eventRows(this.#state, event));
  }
}
