import type { Commit, RowsByTable } from '../../src/simulation/state/changes.js';
import type { Store } from '../../src/simulation/state/ports.js';

/** A store in memory that the test controls: it stores commits, holds them until the test decides, or rejects them. */
export class ScriptedStore implements Store {
  /** Stored commits, oldest first. */
  readonly commits: Commit[] = [];
  /** While this is true, all commits are rejected, as with a full disk. */
  rejectsCommits = false;
  readonly #contents = new Map<string, RowsByTable>();
  #heldCommits: { readonly commit: Commit; readonly settle: (isStored: boolean) => void }[] | undefined;

  /** Holds all later commits until `storeHeldCommits` or `rejectHeldCommits` is called. */
  holdCommits(): void {
    this.#heldCommits ??= [];
  }

  /** Stores the held commits. Later ones are stored immediately again. */
  storeHeldCommits(): void {
    this.#settleAll(true);
  }

  /** Rejects the held commits. Later ones are stored immediately again. */
  rejectHeldCommits(): void {
    this.#settleAll(false);
  }

  async *load(): AsyncGenerator<Commit> {
    yield* structuredClone(this.commits);
  }

  append(commit: Commit): Promise<void> {
    if (this.rejectsCommits) return Promise.reject(new Error('no space'));
    const heldCommits = this.#heldCommits;
    if (!heldCommits) {
      this.commits.push(commit);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      heldCommits.push({
        commit,
        settle: (isStored) => (isStored ? resolve() : reject(new Error('no space'))),
      });
    });
  }

  async begin(): Promise<void> {}

  async saveContents(_account: string, contents: RowsByTable): Promise<string> {
    const reference = `snapshot-${this.#contents.size + 1}.json`;
    this.#contents.set(reference, contents);
    return reference;
  }

  async readContents(reference: string): Promise<RowsByTable> {
    return structuredClone(this.#contents.get(reference) ?? {});
  }

  async close(): Promise<void> {}

  #settleAll(isStored: boolean): void {
    const heldCommits = this.#heldCommits ?? [];
    this.#heldCommits = undefined;
    for (const { commit, settle } of heldCommits) {
      if (isStored) this.commits.push(commit);
      settle(isStored);
    }
  }
}
