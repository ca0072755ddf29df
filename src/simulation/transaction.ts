import type { DomainEvent } from '../domain/domain-event.js';
import { eventRows } from './delivery/events.js';
import type { AccountState } from './state/account-state.js';
import type { RowChanges } from './state/changes.js';

/** An account that use cases can change. */
export interface WritableAccount extends AccountState {
  /** Whether it was removed or replaced: it takes no commits any more. */
  readonly isClosed: boolean;
  /**
   * Runs a use case and commits all that it has put and emitted as one commit; nothing, if it throws. Until then reads
   * show the account as it was before. A transaction inside another one joins it. `work` is synchronous.
   * @throws ServiceError account-replaced
   */
  transaction<Result>(work: (tx: Transaction) => Result): Result;
}

/** The changes of one use case. */
export class Transaction {
  readonly #state: AccountState;
  #changes: RowChanges | undefined;
  #hasEvent = false;

  constructor(state: AccountState) {
    this.#state = state;
  }

  /** Undefined if nothing was put. */
  get changes(): RowChanges | undefined {
    return this.#changes;
  }

  /** Puts rows of tables that this transaction has not put rows of yet. A row replaces the one with its id. */
  put(rows: RowChanges): void {
    const before = this.#changes;
    const [twice] = before ? Object.keys(rows).filter((name) => name in before) : [];
    if (twice !== undefined) throw new Error(`a transaction has put ${twice} twice`);
    this.#changes = before ? { ...before, ...rows } : rows;
  }

  /** Emits an event: its webhook message and the scenarios that it starts are part of the commit (gap event.trigger). */
  emit(event: DomainEvent): void {
    // The ids of messages and runs follow from what is stored.
    if (this.#hasEvent) throw new Error('a transaction has emitted two events');
    this.#hasEvent = true;
    this.put(eventRows(this.#state, event));
  }
}
