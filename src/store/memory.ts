import type { Commit, Store } from '../simulation/world.js';

/** Stores nothing beyond the process. */
export function createMemoryStore(): Store {
  const stored = Promise.resolve();
  return {
    async *load(): AsyncGenerator<Commit> {},
    append: () => stored,
    close: () => stored,
  };
}
