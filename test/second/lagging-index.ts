import type { World } from './world.js';

type Records = Pick<World, 'customers' | 'invoices' | 'links' | 'payments' | 'deposits'>;

/** Search index that lags behind: returns the records as they were `lagMs` ago. */
export class LaggingIndex {
  readonly #world: World;
  #versions: { readonly at: number; readonly records: Records }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.save();
  }

  /** Saves a copy of the current records. */
  save(): void {
    const { customers, invoices, links, payments, deposits } = this.#world;
    this.#versions.push({
      at: Date.now(),
      records: structuredClone({ customers, invoices, links, payments, deposits }),
    });
  }

  /** Returns the world with the earlier records. */
  world(): World {
    const until = Date.now() - this.#world.choices.lagMs;
    const index = this.#versions.findLastIndex(({ at }) => at <= until);
    this.#versions = this.#versions.slice(Math.max(0, index));
    return { ...this.#world, ...this.#versions[0]?.records };
  }
}
