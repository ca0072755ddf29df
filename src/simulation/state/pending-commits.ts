import { ServiceError } from '../../domain/service-error.js';
import type { Commit, RowChanges } from './changes.js';
import type { Store } from './ports.js';

/**
 * Commits on their way to the store. A commit is in memory at once and takes effect for those who come after; no answer
 * leaves before everything that it may have seen is stored (`settled`). If that fails, memory goes back to what is.
 */
export class PendingCommits {
  readonly #store: Store;
  readonly #onFailure: (error: unknown) => void;
  /** The undo functions of commits, oldest first; those before `#first` are stored. */
  #unstored: (() => void)[] = [];
  #first = 0;
  #last: Promise<void> | undefined;

  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** Sends a commit, already applied to memory, to the store. `undo` takes it out of memory again. */
  record(commit: Commit, undo: () => void): Promise<void> {
    this.#unstored.push(undo);
    const stored = this.#store.append(commit).then(
      () => {
        this.#first += 1;
        // Under a steady load there is always something that waits, so the stored ones are let go of now and then.
        if (this.#first * 2 > this.#unstored.length) this.#forgetStored();
        if (this.#last === stored) this.#last = undefined;
      },
      (error: unknown) => {
        this.#takeBackAll(error);
        if (this.#last === stored) this.#last = undefined;
        throw notStored();
      },
    );
    // Whoever waits is told; a commit for whose answer nobody waits must not end the process.
    stored.catch(() => undefined);
    this.#last = stored;
    return stored;
  }

  /** Settles once all that is in memory is stored; undefined where it already is. @throws ServiceError not-stored */
  settled(): Promise<void> | undefined {
    return this.#last;
  }

  /** Keeps the rows of an account for a snapshot. @throws ServiceError not-stored */
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

  /** The store refuses everything that waits as soon as it refuses one, so the first failure takes all of it back. */
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
