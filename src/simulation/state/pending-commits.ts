import { ServiceError } from '../../domain/service-error.js';
import type { Commit, RowChanges } from './changes.js';
import type { Store } from './ports.js';

/**
 * Commits on their way to the store. A commit applies to memory at once; responses wait until everything they may have
 * seen is stored (`settled`). If storing fails, memory is rolled back.
 */
export class PendingCommits {
  readonly #store: Store;
  readonly #onFailure: (error: unknown) => void;
  /** Undo functions of commits, oldest first; those before `#first` are stored. */
  #unstored: (() => void)[] = [];
  #first = 0;
  #last: Promise<void> | undefined;

  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Stores a commit that was applied to memory. `undo` reverts it in memory. */
  record(commit: Commit, undo: () => void): Promise<void> {
    this.#unstored.push(undo);
    const stored = this.#store.append(commit).then(
      () => {
        this.#first += 1;
        // Under a steady load the array never empties, so stored entries are dropped now and then.
        if (this.#first * 2 > this.#unstored.length) this.#forgetStored();
        if (this.#last === stored) this.#last = undefined;
      },
      (error: unknown) => {
        this.#takeBackAll(error);
        if (this.#last === stored) this.#last = undefined;
        throw notStored();
      },
    );
    // Callers of `settled` get the error; without one, it must not end the process.
    stored.catch(() => undefined);
    this.#last = stored;
    return stored;
  }

  /** Settles once everything in memory is stored; undefined if it already is. @throws ServiceError not-stored */
  settled(): Promise<void> | undefined {
    return this.#last;
  }

  /** Stores rows of an account for a snapshot. @throws ServiceError not-stored */
  async saveContents(account: string, contents: RowChanges): Promise<string> {
    try {
      return await this.#store.saveContents(account, contents);
    } catch (error) {
      this.#onFailure(error);
      throw notStored();
    }
  }

  readContents(reference: string): Promise<RowChanges> {
    return this.#store.readContents(reference);
  }

  /** Reverts all waiting commits: if the store rejects one, it rejects all later ones, too. */
  #takeBackAll(error: unknown): void {
    this.#forgetStored();
    const undone = this.#unstored.reverse();
    this.#unstored = [];
    if (undone.length > 0) this.#onFailure(error);
    for (const undo of undone) undo();
  }

  #forgetStored(): void {
    this.#unstored = this.#unstored.slice(this.#first);
    this.#first = 0;
  }
}

function notStored(): ServiceError {
  return new ServiceError('not-stored', { hint: 'see the log of the simulator for the reason; nothing has changed' });
}
