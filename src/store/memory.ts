import type { Commit, RowsByTable } from '../simulation/state/changes.js';
import type { Store } from '../simulation/state/ports.js';

/** A store that keeps nothing after the process ends. */
export function createMemoryStore(): Store {
  const stored = Promise.resolve();
  const contents = new Map<string, RowsByTable>();
  return {
    async *load(): AsyncGenerator<Commit> {},
    begin: () => stored,
    append: () => undefined,
    async saveContents(_account, rows) {
      const reference = `snapshot-${contents.size + 1}.json`;
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
