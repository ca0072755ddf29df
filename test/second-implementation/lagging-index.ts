import type { World } from './world.js';

type Records = Pick<World, 'customers' | 'invoices' | 'links' | 'payments' | 'deposits'>;

/** Simulates a search index that lags behind: lists show records saved at least `lagMs` ago. */
export class LaggingIndex {
  readonly #world: World;
  #versions: { readonly savedAt: number; readonly records: Records }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.save();
  }

  /** Saves a copy of the current records. */
  save(): void {
    const { customers, invoices, links, payments, deposits } = this.#world;
    this.#versions.push({
      savedAt: Date.now(),
      records: structuredClone({ customers, invoices, links, payments, deposits }),
    });
  }

  /** Returns the world with the latest records saved at least `lagMs` ago, or with the first ones ever saved. */
  laggingWorld(): World {
    const latestSavedAt = Date.now() - this.#world.choices.lagMs;
    const index = this.#versions.findLastIndex(({ savedAt }) => savedAt <= latestSavedAt);
    this.#versions = this.#versions.slice(Math.max(0, index));
    return { ...this.#world, ...this.#versions[0]?.records };
  }
}
