import { ServiceError } from '../../domain/service-error.js';
import type { Commit, RowsByTable } from './changes.js';
import type { Store } from './ports.js';

/**
 * Receives failures of the store.
 * @param description says what failed, without the reason: `a change could not be stored`
 */
export type OnStoreFailure = (error: unknown, description: string) => void;

/**
 * Undoes a commit in memory. Commits are undone latest first. The function may return a second one, which runs once all
 * commits are undone, and so sees the account as it was before the oldest of them.
 */
type Undo = () => (() => void) | undefined;

/** Commits that the store writes together. */
interface Batch {
  /** The promise that the store returned for these commits. */
  readonly stored: Promise<void>;
  /** Settles after `stored`. If storing failed, rejects with a `not-stored` ServiceError once the commits are undone. */
  readonly settled: Promise<void>;
  /** Undo functions of the commits, oldest first. */
  readonly undoFunctions: Undo[];
}

/**
 * Commits that are not stored yet. A commit is applied in memory immediately; a response waits until everything that it
 * may depend on is stored (`whenStored`). If storing fails, the commits are undone in memory.
 */
export class PendingCommits {
  readonly #store: Store;
  readonly #onFailure: OnStoreFailure;
  /** Oldest first. */
  #batches: Batch[] = [];

  constructor(store: Store, onFailure: OnStoreFailure) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /**
   * Queues a commit for storage; see `whenStored`.
   * @param undo called if storing it fails later
   * @throws ServiceError not-stored if the store rejects the commit immediately, because it is too large
   */
  record(commit: Commit, undo: Undo): void {
    const stored = this.#append(commit);
    // Undefined means that the store has already stored the commit.
    if (stored === undefined) return;
    const last = this.#batches.at(-1);
    if (last?.stored === stored) last.undoFunctions.push(undo);
    else this.#addBatch(stored, undo);
  }

  /**
   * Registers the undo function of a change that is made only in memory, and that depends on the pending commits. It is
   * never called if all commits are stored already.
   */
  undoIfNotStored(undo: () => void): void {
    this.#batches.at(-1)?.undoFunctions.push(() => {
      undo();
      return undefined;
    });
  }

  /**
   * Waits until everything in memory is stored. The promise rejects with a `not-stored` ServiceError if something
   * could not be stored.
   * @returns undefined if everything is already stored
   */
  whenStored(): Promise<void> | undefined {
    return this.#batches.at(-1)?.settled;
  }

  /** Stores rows of an account for a snapshot. @returns reference for `readContents` @throws ServiceError not-stored */
  async saveContents(account: string, contents: RowsByTable): Promise<string> {
    try {
      return await this.#store.saveContents(account, contents);
    } catch (error) {
      this.#onFailure(error, 'a snapshot could not be stored');
      throw notStored(error);
    }
  }

  /**
   * Reads rows that `saveContents` has stored.
   * @param reference the value that `saveContents` returned
   * @throws ServiceError snapshot-unreadable
   */
  async readContents(reference: string): Promise<RowsByTable> {
    try {
      return await this.#store.readContents(reference);
    } catch (error) {
      this.#onFailure(error, 'a snapshot could not be read');
      throw new ServiceError('snapshot-unreadable', { hint: 'see the log of the simulator for the reason' });
    }
  }

  #append(commit: Commit): Promise<void> | undefined {
    try {
      return this.#store.append(commit);
    } catch (error) {
      this.#onFailure(error, 'a change could not be stored');
      throw notStored(error);
    }
  }

  #addBatch(stored: Promise<void>, undo: Undo): void {
    const settled = stored.then(
      () => void this.#batches.shift(),
      (error: unknown) => {
        this.#undoAll(error);
        throw notStored(error);
      },
    );
    // Callers of `whenStored` get the error. Without a caller, an unhandled rejection would end the process.
    settled.catch(() => undefined);
    this.#batches.push({ stored, settled, undoFunctions: [undo] });
  }

  /** Undoes all pending commits: if the store rejects one, it rejects all later ones, too. */
  #undoAll(error: unknown): void {
    const latestFirst = this.#batches.flatMap(({ undoFunctions }) => undoFunctions).reverse();
    this.#batches = [];
    const followUps = latestFirst.map((undo) => undo());
    for (const followUp of followUps) followUp?.();
    if (latestFirst.length > 0) this.#onFailure(error, 'a change could not be stored');
  }
}

function notStored(cause: unknown): ServiceError {
  const hint = 'see the log of the simulator for the reason; nothing has changed';
  return new ServiceError('not-stored', { hint, cause });
}
