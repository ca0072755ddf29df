import type { Commit, RowChanges } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';

/** A store in memory that the test controls: it records commits, and stores, holds or rejects them. */
export class ScriptedStore implements Store {
  /** Stored commits, oldest first. */
  readonly commits: Commit[] = [];
  /** Rejects all commits while this is true, as a full disk does. */
  refuses = false;
  readonly #contents = new Map<string, RowChanges>();
  #waiting: { readonly commit: Commit; readonly settle: (isStored: boolean) => void }[] | undefined;

  /** Holds all commits from now on. */
  hold(): void {
    this.#waiting ??= [];
  }

  /** Stores the held commits, and all later ones at once. */
  release(): void {
    this.#settleAll(true);
  }

  /** Rejects the held commits, and stores all later ones at once. */
  refuse(): void {
    this.#settleAll(false);
  }

  async *load(): AsyncGenerator<Commit> {
    yield* structuredClone(this.commits);
  }

  append(commit: Commit): Promise<void> {
    if (this.refuses) return Promise.reject(new Error('no space'));
    const waiting = this.#waiting;
    if (!waiting) {
      this.commits.push(commit);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      waiting.push({
        commit,
        settle: (isStored) => (isStored ? resolve() : reject(new Error('no space'))),
      });
    });
  }

  async begin(): Promise<void> {}

  async saveContents(_account: string, contents: RowChanges): Promise<string> {
    const reference = `snapshot-${this.#contents.size + 1}.json`;
    this.#contents.set(reference, contents);
    return reference;
  }

  async readContents(reference: string): Promise<RowChanges> {
    return structuredClone(this.#contents.get(reference) ?? {});
  }

  async close(): Promise<void> {}

  #settleAll(isStored: boolean): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { commit, settle } of waiting) {
      if (isStored) this.commits.push(commit);
      settle(isStored);
    }
  }
}
