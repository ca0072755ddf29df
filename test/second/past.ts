import type { World } from './world.js';

type Records = Pick<World, 'customers' | 'invoices' | 'links' | 'payments' | 'deposits'>;

/** A lagging index: the records as they were a while ago. */
export class Past {
  readonly #world: World;
  #kept: { readonly at: number; readonly records: Records }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.note();
  }

  /** Keeps the records as they are. */
  note(): void {
    const { customers, invoices, links, payments, deposits } = this.#world;
    this.#kept.push({ at: Date.now(), records: structuredClone({ customers, invoices, links, payments, deposits }) });
  }

  /** The world with the records of a while ago. */
  world(): World {
    const until = Date.now() - this.#world.choices.lagMs;
    const known = this.#kept.findLastIndex(({ at }) => at <= until);
    this.#kept = this.#kept.slice(Math.max(0, known));
    return { ...this.#world, ...this.#kept[0]?.records };
  }
}
