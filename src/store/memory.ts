import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import type { Store } from '../simulation/state/ports.js';

/** A store that keeps nothing after the process ends. */
export function createMemoryStore(): Store {
  const stored = Promise.resolve();
  let savedCount = 0;
  /** Contents of snapshots by reference, until no account has a snapshot with the reference any more. */
  const contents = new Map<string, RowsByTable>();
  /** For each account, the references of its snapshots, keyed by name. */
  const referencesByAccount = new Map<string, ReadonlyMap<string, string>>();
  const updateReferences = ({ account, changes: { snapshots = [] }, mode }: Commit): void => {
    const previous = referencesByAccount.get(account) ?? new Map<string, string>();
    const references = new Map(mode === 'merge' ? previous : []);
    for (const { name, contents: reference } of snapshots) {
      if (reference === null) references.delete(name);
      else references.set(name, reference);
    }
    if (references.size > 0) referencesByAccount.set(account, references);
    else referencesByAccount.delete(account);
    const keptReferences = new Set(references.values());
    for (const reference of previous.values()) if (!keptReferences.has(reference)) contents.delete(reference);
  };
  return {
    async *load(): AsyncGenerator<Commit> {},
    begin: () => stored,
    append(commit) {
      if (commit.changes.snapshots || commit.mode !== 'merge') updateReferences(commit);
      return undefined;
    },
    async saveContents(_account, rows) {
      savedCount += 1;
      const reference = `snapshot-${savedCount}.json`;
      contents.set(reference, rows);
      return reference;
    },
    async readContents(reference) {
      const rows = contents.get(reference);
      if (!rows) throw new Error(`snapshot ${reference} does not exist`);
      return rows;
    },
    close: () => stored,
  };
}
